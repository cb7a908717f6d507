"""The words about the project are true: settings, commands, folders."""

import re

import webapp.operations.host_commands as host_commands
from webapp.config import ROOT, VARIABLES
from webapp.launcher.words import OWN

DOCS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
COMMAND = re.compile(r"\b(?:python3?|py) run\.py ([a-z][a-z-]*)")


def test_hosting_lists_every_setting_and_no_other() -> None:
    listed = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "hosting.md").read_text(), re.M)
    assert listed == list(VARIABLES)


def test_ci_calls_the_command_that_the_readme_gives_for_the_tests() -> None:
    assert "python3 run.py test\n" in (ROOT / "README.md").read_text()
    assert "python3 run.py test\n" in (ROOT / ".ci" / "run").read_text()


def test_the_map_shows_what_is_in_webapp_and_nothing_else() -> None:
    lines = (ROOT / "docs" / "map.md").read_text().partition("    webapp/ ")[2].partition("    migrations/ ")[0]
    shown = [name for names in re.findall(r"(?m)^ {6}(\S+(?: \S+)*)", lines) for name in names.split()]
    there = {f"{path.name}/" if path.is_dir() else path.stem for path in (ROOT / "webapp").iterdir()}
    assert sorted(shown) == sorted(there - {"__pycache__/"})


def test_links_between_documents_lead_somewhere() -> None:
    links = [(path, target) for path in DOCS for target in re.findall(r"\]\(([^)#]+)", path.read_text())]
    own = [(path, target) for path, target in links if not target.startswith("http")]
    assert own, "none was found"
    for path, target in own:
        assert (path.parent / target).exists(), f"{path} links to {target}"


def test_commands_in_the_documents_exist() -> None:
    known = {command.name for command in vars(host_commands).values() if hasattr(command, "callback")}
    known |= {*OWN, "help"}
    named = [(path, word) for path in DOCS for word in COMMAND.findall(path.read_text())]
    assert {"test", "bench", "help", "backup"} <= {word for _, word in named}
    for path, word in named:
        assert word in known, f"{path.name} names the command {word}"


def test_each_decision_has_a_number_of_its_own() -> None:
    numbers = sorted(path.name[:3] for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert numbers == [f"{number:03}" for number in range(1, len(numbers) + 1)]
