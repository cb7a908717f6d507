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
def nodes_of(tree: ast.Module) -> list[ast.AST]:
    return list(ast.walk(tree))


@cache
def imports(path: Path) -> list[tuple[str, int, bool]]:
    """Every import of a file: the module, the line, and whether it stands at the top of the file."""
    tree = tree_of(path)
    blocks = [node.body for node in tree.body if isinstance(node, ast.Try | ast.If)]  # a module that a system may lack
    top = {id(node) for node in [*tree.body, *(inner for block in blocks for inner in block)]}
    package = path.relative_to(ROOT).parent.parts
    found = []
    for node in nodes_of(tree):
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


def is_view(name: str) -> bool:
    return name.endswith("views")


def talks_to_database(name: str) -> bool:
    """Asks or does: services, queries, models, and all others of a package that hold or run statements."""
    known = any(module.startswith(TALK) for module, _, _ in imports(MODULES[name]))
    is_named = name.rsplit(".")[-1].endswith(("services", "queries", "models"))
    return name in WRITES or (package_of(name) is not None and not is_view(name) and (known or is_named))


def knows_request(found: list[tuple[str, int, bool]]) -> list[str]:
    """Of the imports of a module those that belong to a request."""
    return [module for module, _, _ in found if module.startswith(WEB) and module != "flask.current_app"]


TALK = ("sqlalchemy.", "webapp.database.", "webapp.prepared.", "webapp.extensions.db")
WEB = ("flask.", "flask_login.", "flask_wtf.", "webapp.accounts.session")
KNOW_REQUEST = {
    "webapp.accounts.guest_offer": "what stands in the session of this browser",
    "webapp.accounts.session_interface": "Flask's session, kept in a table",
    "webapp.accounts.sessions": "begins and ends the session of this request",
    "webapp.operations.host_commands": "gives the app its commands, one of which purges sessions",
    "webapp.operations.metrics": "counts requests, and answers with what was counted",
    "webapp.single_sign_on.openid": "what Authlib needs; of the database it only gives the connection back",
}


def test_views_import_no_views_and_what_is_asked_or_done_knows_neither_views_nor_forms() -> None:
    asked_or_done = {name for name in MODULES if talks_to_database(name)}
    assert {*WRITES, "webapp.classrooms.lesson_queries", "webapp.games.lists", "webapp.games.totals"} <= asked_or_done
    for name in MODULES:
        kinds = {module.rsplit(".")[-1] for module, _ in own_imports(name) if module != name}
        if is_view(name) or name in asked_or_done:
            assert not any(kind.endswith("views") for kind in kinds), f"{name} imports views"
        if name in asked_or_done:
            assert not any(kind.endswith("forms") for kind in kinds), f"{name} imports forms"


def test_what_is_asked_or_done_knows_no_request() -> None:
    found = {name: knows_request(imports(MODULES[name])) for name in MODULES if talks_to_database(name)}
    assert {name for name, modules in found.items() if modules} == KNOW_REQUEST.keys(), found


# The modules of services: verbs. Their names say what they do; the other modules only read, or know no database.
WRITES = {
    "webapp.accounts.changing_passwords", "webapp.accounts.logging_in",
    "webapp.accounts.presence", "webapp.accounts.services", "webapp.accounts.session_interface",
    "webapp.accounts.sessions", "webapp.agents.class_agents", "webapp.agents.limits", "webapp.agents.services",
    "webapp.classrooms.end_of_term", "webapp.classrooms.leaderboard",
    "webapp.classrooms.lessons", "webapp.classrooms.log_in_codes", "webapp.classrooms.moving",
    "webapp.classrooms.questions",
    "webapp.competitions.agent_clock", "webapp.competitions.agent_entries", "webapp.competitions.agent_games",
    "webapp.competitions.progress", "webapp.competitions.services", "webapp.competitions.settling",
    "webapp.classrooms.services", "webapp.classrooms.set_up", "webapp.classrooms.student_accounts",
    "webapp.games.changes", "webapp.games.deadlines", "webapp.games.guest_games", "webapp.games.meeting",
    "webapp.games.personal",
    "webapp.games.services", "webapp.operations.daily_backup", "webapp.practice.services", "webapp.privacy.services",
    "webapp.single_sign_on.services", "webapp.throttle",
    "webapp.trials.services",
}  # fmt: skip


# Who has a connection of their own, past `reading()` and `writing()`, and why.
OPEN_CONNECTIONS = {
    "webapp.database": "gives the two",
    "webapp.launcher.addresses": "no database: a socket",
    "webapp.live.commits": "one for the watcher, which waits on it",
    "webapp.operations.copying": "fills a database that no app has opened yet",
    "webapp.operations.doctor.pooler_checks": "asks PostgreSQL past its pooler",
    "webapp.operations.invariants": "sees one moment of any database, a backup too",
    "webapp.operations.postgres_backup": "makes, fills and drops databases that no app has open",
    "webapp.operations.sqlite_backup": "copies a file, whatever app has it open",
    "webapp.schema": "before there is an app",
    "webapp.upgrade": "keeps other servers out while one migrates",
}
END_UNITS = {"webapp.operations.copying"}  # of the database that it fills
OPENING = {"raw_connection", "create_engine", "connect", "Session", "sessionmaker", "scoped_session"}


def attributes_of(tree: ast.Module) -> list[str]:
    """Each after the word that it follows, as `engine.connect`: where it is called and where it is only spoken of."""
    found = [node for node in nodes_of(tree) if isinstance(node, ast.Attribute)]
    return [f"{getattr(node.value, 'attr', getattr(node.value, 'id', ''))}.{node.attr}" for node in found]


def names_from(tree: ast.Module, *packages: str) -> dict[str, str]:
    """What is imported from these, or from anywhere: its name here, and what it is called there."""
    found = [node for node in nodes_of(tree) if isinstance(node, ast.ImportFrom)]
    wanted = [node for node in found if not packages or (node.module or "").split(".")[0] in packages]
    return {alias.asname or alias.name: alias.name for node in wanted for alias in node.names}


def is_writing(tree: ast.Module) -> bool:
    """Opens a unit: `writing()` under its own name, under another one, or as an attribute of its module."""
    return "writing" in names_from(tree).values() or any(one.endswith(".writing") for one in attributes_of(tree))


def ends_units(tree: ast.Module) -> bool:
    """Begins or commits one by hand."""
    calls = [node.func for node in nodes_of(tree) if isinstance(node, ast.Call)]
    return any(isinstance(call, ast.Attribute) and call.attr in ("begin", "commit") for call in calls)


def opens_connections(tree: ast.Module) -> bool:
    """Or uses the session of SQLAlchemy, which does."""
    endings = tuple(f".{name}" for name in OPENING)
    sessions = {"db.session", *(f"{here}.session" for here, name in names_from(tree).items() if name == "db")}
    is_imported = not OPENING.isdisjoint(names_from(tree, "sqlalchemy", "sqlite3", "psycopg").values())
    return is_imported or any(one in sessions or one.endswith(endings) for one in attributes_of(tree))


def writes_in_reading(tree: ast.Module) -> list[int]:
    """The lines on which a connection that is only to read is given something to write."""
    blocks = [node for node in nodes_of(tree) if isinstance(node, ast.With)]
    reading = [block for block in blocks if any("reading()" in ast.unparse(item) for item in block.items)]
    calls = [node.func for block in reading for node in ast.walk(block) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if is_change(call)]


def is_change(call: ast.expr) -> bool:
    """A statement that writes, or a `Prepared` that is run and not asked for rows."""
    if isinstance(call, ast.Attribute):
        return call.attr in ("run", "run_all")
    return isinstance(call, ast.Name) and call.id in ("insert", "update", "delete", "insert_or_update", "added_id")


def test_only_services_write() -> None:
    """Each unit that writes begins with `writing()`; no other way to write is left."""
    trees = {name: tree_of(path) for name, path in MODULES.items()}
    assert {name for name, tree in trees.items() if is_writing(tree)} == WRITES
    assert {name for name, tree in trees.items() if ends_units(tree)} == END_UNITS
    assert {name for name, tree in trees.items() if opens_connections(tree)} == OPEN_CONNECTIONS.keys()
    assert {name: lines for name, tree in trees.items() if (lines := writes_in_reading(tree))} == {}
    assert not [name for name in WRITES if is_view(name)]


def test_whoever_writes_is_seen_however_it_is_spelled() -> None:
    for planted in (
        "from webapp.database import writing",
        "from webapp.database import writing as unit",
        "from webapp import database\nwith database.writing() as connection: ...",
        "import webapp.database as known\nknown.writing()",
        "from webapp.games.changes import writing as unit",
    ):
        assert is_writing(ast.parse(planted)), planted
    for planted in (
        "from webapp.extensions import db\ndb.session.add(1)",
        "from webapp.extensions import db as known\nknown.session.execute(1)",
        "from webapp import extensions\nsession = extensions.db.session",
        "from webapp.extensions import db\ndb.engine.raw_connection()",
        "from webapp.extensions import db\nwith db.engine.connect() as connection: ...",
        "from sqlalchemy import create_engine as make\nmake('sqlite://')",
        "import sqlalchemy\nsqlalchemy.create_engine('sqlite://')",
        "from sqlite3 import connect as opened",
        "from sqlalchemy.orm import sessionmaker",
    ):
        assert opens_connections(ast.parse(planted)), planted
    for planted in ("connection.commit()", "with engine.begin() as connection: ..."):
        assert ends_units(ast.parse(planted)), planted
    for planted in (
        "with reading() as connection:\n    connection.execute(update(Game).values(version=1))",
        "with database.reading() as connection:\n    _COUNT.run(connection)",
    ):
        assert writes_in_reading(ast.parse(planted)), planted


def test_whoever_only_asks_is_not_taken_for_a_writer() -> None:
    asks = ast.parse(
        "from flask import session\nfrom webapp.database import reading\nsession['a'] = self.session\n"
        "with reading() as connection:\n    found = connection.execute(select(Game)).all()\n"
    )
    assert not is_writing(asks) and not opens_connections(asks) and not ends_units(asks)
    assert not writes_in_reading(asks)
    assert knows_request([("flask.session", 1, True), ("flask.current_app", 1, True)]) == ["flask.session"]


def test_imports_stand_at_the_top_so_that_they_are_seen() -> None:
    for path in MODULES.values():
        for module, line, at_top in imports(path):
            if path != WEBAPP / "__init__.py" and module not in SLOW_TO_LOAD:
                assert at_top, f"{path}:{line} hides an import of {module}"


def test_the_folders_of_the_tests_are_named_like_the_packages() -> None:
    """`journeys` drive a browser through several packages, and `soak` loads the whole site."""
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders - {"journeys", "soak"} == set().union(*LEVELS)


def test_every_module_says_what_it_holds() -> None:
    for path in MODULES.values():
        assert ast.get_docstring(tree_of(path)), f"{path} has no docstring"


@pytest.mark.slow
def test_a_server_does_not_load_the_migration_machinery() -> None:
    script = "import wsgi, sys; sys.exit('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
