"""The words about the project are true: settings, commands, folders."""

import re
from pathlib import Path

import pytest

import webapp.operations.host_commands as host_commands
from webapp.config import ROOT, VARIABLES

DOCS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_hosting_lists_every_setting_and_no_other() -> None:
    listed = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "hosting.md").read_text(), re.M)
    assert listed == list(VARIABLES)


def test_ci_calls_the_command_that_the_readme_gives_for_the_tests() -> None:
    assert "python3 run.py test\n" in (ROOT / "README.md").read_text()
    assert "python3 run.py test\n" in (ROOT / ".ci" / "run").read_text()


def test_the_map_shows_every_room() -> None:
    on_the_map = (ROOT / "docs" / "map.md").read_text()
    for path in (ROOT / "webapp").iterdir():
        if path.name != "__pycache__" and not path.name.startswith("__"):
            name = f"{path.name}/" if path.is_dir() else path.stem
            assert re.search(rf"(?m)^      .*\b{re.escape(name)}", on_the_map), f"{name} is not on the map"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", path.read_text()):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), f"{path} links to {target}"


def test_commands_in_the_documents_exist() -> None:
    known = {command.name for command in vars(host_commands).values() if hasattr(command, "callback")}
    known |= {"test", "bench", "screenshots", "help"}
    for path in DOCS:
        for word in re.findall(r"python3 run\.py ([a-z][a-z-]*)", path.read_text()):
            assert word in known, f"{path.name} names the command {word}"

