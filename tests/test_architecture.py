"""The doors of the house: who may import whom, and where commits may stand. See docs/map.md."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.config import ROOT

WEBAPP = ROOT / "webapp"
MODULES = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path for path in WEBAPP.rglob("*.py")}
# A room may look into those to its right. Rooms that stand together in one set do not know each other.
LEVELS: list[set[str]] = [
    {"accounts"},
    {"games"},
    {"analysis"},
    {"classrooms"},
    {"history", "lobby", "live", "api", "privacy"},
    {"pages"},
]


def imports(path: Path) -> list[tuple[str, int, bool]]:
    """Every import of a file: the module, the line, and whether it stands at the top of the file."""
    tree = ast.parse(path.read_text())
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


def room_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "webapp" and len(parts) > 1 and (WEBAPP / parts[1]).is_dir() else None


def level_of(room: str | None) -> int | None:
    return next((number for number, rooms in enumerate(LEVELS) if room in rooms), None)


@pytest.mark.parametrize("package", ["tictactoe", "labs"])
def test_the_rules_and_the_labs_need_nothing_but_python(package: str) -> None:
    for path in (WEBAPP / package).rglob("*.py"):
        for module, line, _ in imports(path):
            known = module.split(".")[0] in sys.stdlib_module_names
            own = module.startswith(("webapp.tictactoe", f"webapp.{package}"))
            assert known or own, f"{path}:{line} imports {module}"


def test_rooms_look_only_into_rooms_below() -> None:
    for name, path in MODULES.items():
        here = level_of(room_of(name))
        for module, line, _ in imports(path):
            there = level_of(room_of(module))
            if here is not None and there is not None and room_of(module) != room_of(name):
                assert there < here, f"{path}:{line}: {room_of(name)} imports {module}"


def test_services_and_queries_know_no_request() -> None:
    for name, path in MODULES.items():
        if name.endswith((".services", ".queries", ".models")):
            for module, line, _ in imports(path):
                is_web = module.startswith(("flask.", "flask_login.", "flask_wtf.", "webapp.accounts.session"))
                assert not is_web or module == "flask.current_app", f"{path}:{line} imports {module}"


def test_only_services_commit() -> None:
    allowed = ("services.py", "sessions.py", "throttle.py", "cli.py", "meeting.py", "prepared.py")
    for path in MODULES.values():
        if ".commit(" in path.read_text():
            assert path.name in allowed, f"{path} commits"


def test_imports_stand_at_the_top_so_that_they_are_seen() -> None:
    for path in MODULES.values():
        for module, line, at_top in imports(path):
            if path != WEBAPP / "__init__.py":
                assert at_top, f"{path}:{line} hides an import of {module}"


def test_every_module_says_what_it_holds() -> None:
    for path in MODULES.values():
        assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"


def test_a_server_does_not_load_the_migration_machinery() -> None:
    script = "import wsgi, sys; sys.exit('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
