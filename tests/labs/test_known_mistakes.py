"""Deliberately wrong files: each is a model answer with one mistake in it, and is caught and named."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Sampled
from tests.labs.sampling import check_in_one, thinned
from webapp.labs.checker.checking import Result
from webapp.labs.checker.labs import LABS, Lab
from webapp.labs.checker.mistakes import MISTAKES
from webapp.labs.starters import model_text, starter

pytestmark = pytest.mark.slow  # each starts several programs

Change = tuple[str, str]  # what is replaced, and by what


def entries_of(name: str) -> Iterator[tuple[str, str, str, list[Change]]]:
    """Read a file of changed model answers, which says at its head how it is written."""
    _, *entries = (Path(__file__).parent / name).read_text(encoding="utf-8").strip().split("\n\n")
    for entry in entries:
        head, _, body = entry.partition("\n")
        lab, test, mistake = head.split(": ")
        blocks = re.findall(r"((?:^-.*\n)*)((?:^\+.*\n)+)", body + "\n", re.MULTILINE)
        mistake = mistake.replace("unnamed", "")
        yield lab, test, mistake, [(unmarked(old), unmarked(new)) for old, new in blocks]


def unmarked(block: str) -> str:
    return "\n".join(line[2:] for line in block.splitlines())


WRONG = list(entries_of("wrong_files.txt"))


def changed(lab: str, changes: list[Change]) -> str:
    text = model_text(lab)
    for old, new in changes:
        assert old in text, f"the model answer has changed: {old}"
        text = text.replace(old, new) if old else f"{text}\n\n{new}\n"
    return text


def result_of(lab: Lab, test: str, text: str, folder: Path) -> Result:
    file = folder / f"my_{lab.name}.py"
    file.write_text(text, encoding="utf-8")
    results = check_in_one(lab, file, only=[test])
    return next(result for result in results if result.test.name == test)


@pytest.mark.parametrize(("lab", "test", "mistake", "changes"), WRONG)
def test_a_known_mistake_is_caught_and_named(
    lab: str, test: str, mistake: str, changes: list[Change], tmp_path: Path
) -> None:
    result = result_of(LABS[lab], test, changed(lab, changes), tmp_path)
    assert result.finding is not None
    assert result.finding.mistake == mistake, result.finding


def test_what_may_only_follow_from_a_mistake_above_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    crash = ("search = max_value", "search = max_worth")
    changes = [(", *diagonals]", "]"), ("def utility", "def get_utility"), crash]
    file.write_text(changed("tictactoe", changes), encoding="utf-8")
    results = check_in_one(LABS["tictactoe"], file, only=["winner", "terminal", "utility", "minimax, game over"])
    found = {result.test.name: result.finding for result in results[2:] if result.finding}
    assert {name: finding.mistake for name, finding in found.items()} == {
        "winner": "line-forgotten", "terminal": "follows", "utility": "", "minimax, game over": "",
    }  # fmt: skip
    assert found["terminal"].why.endswith("But winner is wrong, too, and is used here.")


def remarks(lab: Lab, test: str, text: str, folder: Path) -> list[str]:
    result = result_of(lab, test, text, folder)
    assert result.passed, result.finding
    return [finding.mistake for finding, _ in result.remarks]


def test_a_search_that_ignores_the_depth_passes_and_is_told_so(tmp_path: Path, sampled: Sampled) -> None:
    lab = thinned(LABS["tictactoe"], sampled)
    assert remarks(lab, "minimax", changed("tictactoe", []), tmp_path) == ["depth-ignored"]


def test_a_search_that_prunes_late_passes_and_is_told_so(tmp_path: Path, sampled: Sampled) -> None:
    late = [("best[0] >= beta", "best[0] > beta"), ("best[0] <= alpha", "best[0] < alpha")]
    assert remarks(thinned(LABS["pruning"], sampled), "pruning", changed("pruning", late), tmp_path) == ["prunes-late"]


def test_a_search_that_prunes_nothing_is_told_so_on_a_small_board(tmp_path: Path) -> None:
    nothing = [("best[0] >= beta", "False"), ("best[0] <= alpha", "False")]
    result = result_of(LABS["pruning"], "pruning", changed("pruning", nothing), tmp_path)
    assert result.finding is not None
    assert (result.asked, result.total, result.finding.came) == (1, 2, "7,332 boards visited")


@pytest.mark.parametrize("lab", LABS)
def test_the_starter_file_is_not_written_yet_in_every_test(lab: str, tmp_path: Path) -> None:
    file = tmp_path / "starter.py"
    file.write_text(starter(lab), encoding="utf-8")
    loads, names, *tests = check_in_one(LABS[lab], file)
    assert loads.passed
    assert names.passed
    found = {result.test.name: result.finding and result.finding.mistake for result in tests}
    assert found == {test.name: "not-written" for test in LABS[lab].tests}


TRIED_ELSEWHERE = {  # in test_accidents.py and test_pace.py
    "never-ends", "prints-flood", "ends-the-program", "eats-memory", "not-utf-8", "slow",
}  # fmt: skip


def test_every_named_mistake_has_a_wrong_file() -> None:
    named = {mistake for _, _, mistake, _ in WRONG if mistake}
    told = {"depth-ignored", "prunes-late", "prints-along", "follows"}
    assert named | told | TRIED_ELSEWHERE == set(MISTAKES)
