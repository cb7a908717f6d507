"""Who may import whom, and where may be written. See docs/map.md."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from webapp.config import ROOT

WEBAPP = ROOT / "webapp"
MODULES = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path for path in WEBAPP.rglob("*.py")}
# A package imports those before it. Packages in one set do not know each other.
LEVELS: list[set[str]] = [
    {"tictactoe", "launcher"},
    {"labs", "serving"},
    {"accounts"},
    {"games", "single_sign_on"},
    {"analysis"},
    {"practice", "trials"},
    {"classrooms"},
    {"agents"},
    {"competitions"},
    {"history", "lobby", "live", "privacy"},
    {"operations", "pages"},
]
BASE = -1
# They put the others together, and nobody but the starting process imports them.
ASSEMBLY = {"webapp", "webapp.factory", "webapp.upgrade"}
# For one page only, and dearer to load than much of what is ours: imported where they are used.
SLOW_TO_LOAD = {"xlsxwriter", "networkx"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> list[tuple[str, int, bool]]:
    """Every import of a file: the module, the line, and whether it stands at the top of the file."""
    tree = tree_of(path)
    blocks = [node.body for node in tree.body if isinstance(node, ast.Try | ast.If)]  # a module that a system may lack
    top = {id(node) for node in [*tree.body, *(inner for block in blocks for inner in block)]}
    package = path.relative_to(ROOT).parent.parts
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno, id(node) in top) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            found += [(f"{module}.{alias.name}", node.lineno, id(node) in top) for alias in node.names]
    return found


def package_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "webapp" and len(parts) > 1 and (WEBAPP / parts[1]).is_dir() else None


def level_of(module: str) -> int:
    """Base, that is what stands beside the packages, is below them all."""
    return next((number for number, packages in enumerate(LEVELS) if package_of(module) in packages), BASE)


def test_every_package_has_a_level() -> None:
    packages = {path.name for path in WEBAPP.iterdir() if (path / "__init__.py").exists()}
    assert packages - set().union(*LEVELS) == set()


@pytest.mark.parametrize("package", ["tictactoe", "labs", "launcher"])
def test_these_packages_need_nothing_but_python(package: str) -> None:
    for path in (WEBAPP / package).rglob("*.py"):
        for module, line, _ in imports(path):
            known = module.split(".")[0] in sys.stdlib_module_names
            own = module.startswith(("webapp.tictactoe", f"webapp.{package}"))
            assert known or own, f"{path}:{line} imports {module}"


@cache
def own_imports(name: str) -> list[tuple[str, int]]:
    """The modules of ours that a module imports; a name that it imports from one stands for that one."""
    found = []
    for imported, line, _ in imports(MODULES[name]):
        parts = imported.split(".")
        known = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
        if module := next((one for one in known if one in MODULES or f"{one}.__init__" in MODULES), None):
            found.append((module if module in MODULES else f"{module}.__init__", line))
    return found


def test_a_package_imports_only_what_is_below_it() -> None:
    for name in MODULES.keys() - {f"{one}.__init__" for one in ASSEMBLY} - ASSEMBLY:
        for module, line in own_imports(name):
            assert module.removesuffix(".__init__") not in ASSEMBLY - {"webapp"}, f"{name}:{line} imports {module}"
            if package_of(module) != package_of(name):
                is_below = level_of(module) < level_of(name) or package_of(module) is None
                assert is_below, f"{name}:{line} imports {module}"


def test_base_imports_no_package() -> None:
    for name in MODULES:
        if package_of(name) is None and name.removesuffix(".__init__") not in ASSEMBLY:
            packages = [module for module, _ in own_imports(name) if package_of(module)]
            assert not packages, f"{name} imports {packages}"


def test_no_modules_import_each_other() -> None:
    """Not even through others: each can be read before those that it imports are read."""
    edges = {name: {module for module, _ in own_imports(name)} - {name} for name in MODULES}
    while leaves := {name for name, below in edges.items() if not below & edges.keys()}:
        edges = {name: below for name, below in edges.items() if name not in leaves}
    assert not edges, f"a cycle among {sorted(edges)}"


def test_views_import_no_views_and_what_is_asked_or_done_knows_no_forms() -> None:
    for name in MODULES:
        kinds = {module.rsplit(".")[-1] for module, _ in own_imports(name) if module != name}
        if name.endswith("views"):
            assert not any(kind.endswith("views") for kind in kinds), f"{name} imports views"
        if name.endswith((".services", ".queries", ".models")):
            assert not any(kind.endswith("forms") for kind in kinds), f"{name} imports forms"


def test_services_and_queries_know_no_request() -> None:
    for name, path in MODULES.items():
        if name.endswith((".services", ".queries", ".models")):
            for module, line, _ in imports(path):
                is_web = module.startswith(("flask.", "flask_login.", "flask_wtf.", "webapp.accounts.session"))
                assert not is_web or module == "flask.current_app", f"{path}:{line} imports {module}"


# The modules of services: verbs. Their names say what they do; the other modules only read, or know no database.
WRITES = {
    "webapp.accounts.presence", "webapp.accounts.services", "webapp.accounts.session_interface",
    "webapp.accounts.sessions", "webapp.agents.class_agents", "webapp.agents.limits", "webapp.agents.services",
    "webapp.classrooms.end_of_term", "webapp.classrooms.leaderboard",
    "webapp.classrooms.lessons", "webapp.classrooms.log_in_codes", "webapp.classrooms.moving",
    "webapp.classrooms.questions",
    "webapp.competitions.agent_clock", "webapp.competitions.agent_entries", "webapp.competitions.agent_games",
    "webapp.competitions.progress", "webapp.competitions.services", "webapp.competitions.settling",
    "webapp.classrooms.services", "webapp.classrooms.set_up", "webapp.classrooms.student_accounts",
    "webapp.games.changes", "webapp.games.guest_games", "webapp.games.meeting", "webapp.games.personal",
    "webapp.games.services", "webapp.operations.daily_backup", "webapp.practice.services", "webapp.privacy.services",
    "webapp.single_sign_on.services", "webapp.throttle",
    "webapp.trials.services",
}  # fmt: skip


FILLS_ANOTHER_DATABASE = "webapp.operations.copying"  # one that no app has opened yet


def test_only_services_write() -> None:
    """Each unit that writes begins with `writing()`; no other way to write is left."""
    writers = set()
    for name, path in MODULES.items():
        calls = [node.func for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
        called = {call.id for call in calls if isinstance(call, ast.Name)}
        by_hand = {call.attr for call in calls if isinstance(call, ast.Attribute)} & {"commit", "begin"}
        assert not by_hand or name == FILLS_ANOTHER_DATABASE, name
        if "writing" in called:
            writers.add(name)
    assert writers == WRITES


def test_imports_stand_at_the_top_so_that_they_are_seen() -> None:
    for path in MODULES.values():
        for module, line, at_top in imports(path):
            if path != WEBAPP / "__init__.py" and module not in SLOW_TO_LOAD:
                assert at_top, f"{path}:{line} hides an import of {module}"


def test_every_module_says_what_it_holds() -> None:
    for path in MODULES.values():
        assert ast.get_docstring(tree_of(path)), f"{path} has no docstring"


@pytest.mark.slow
def test_a_server_does_not_load_the_migration_machinery() -> None:
    script = "import wsgi, sys; sys.exit('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
