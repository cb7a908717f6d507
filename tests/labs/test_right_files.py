"""Right files in other ways than ours: each passes, with a remark at most."""

import os
from pathlib import Path

import pytest

from tests.conftest import Sampled
from tests.labs.sampling import check_in_one, few, thinned
from tests.labs.test_known_mistakes import changed, entries_of
from webapp.labs.checker.labs import LABS
from webapp.labs.loading.sources import MOST_FILES, sources_of
from webapp.labs.starters import model_text

MODEL = model_text("tictactoe")
RIGHT = list(entries_of("right_files.txt"))


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "tests", "remark", "changes"), RIGHT)
def test_what_is_no_mistake_passes(
    lab: str, tests: str, remark: str, changes: list[tuple[str, str]], tmp_path: Path, sampled: Sampled
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(changed(lab, changes), encoding="utf-8")
    results = check_in_one(thinned(LABS[lab], sampled), file, patience=3, only=tests.split("; "))
    assert [result.finding for result in results if not result.passed] == []
    assert len(results) == len(tests.split("; ")) + 2
    remarks = {finding.mistake for result in results for finding, _ in result.remarks} - {"depth-ignored"}
    assert remarks == {remark} - {"none"}


@pytest.mark.slow
@pytest.mark.parametrize("marks", [("x", "o", None), (1, -1, 0), ("X", "O", " ")])
def test_marks_of_other_values_are_told_once_and_used_for_the_rest(marks: tuple[object, ...], tmp_path: Path) -> None:
    text = MODEL
    for name, old, new in zip(("X", "O", "EMPTY"), ("X", "O", None), marks, strict=True):
        text = text.replace(f"{name} = {old!r}".replace("'", '"'), f"{name} = {new!r}")
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    results = check_in_one(few(LABS["tictactoe"]), file)
    assert {result.test.name: result.finding for result in results if not result.passed}.keys() == {"the names"}
    finding = results[1].finding
    assert finding is not None
    told = {f"{name} is {own!r}" for name, own in zip(("X", "O", "EMPTY"), marks, strict=True)}
    as_the_sheet = {"X is 'X'", "O is 'O'", "EMPTY is None"}
    assert {part.partition(",")[0] for part in finding.came.split("; ")} == told - as_the_sheet


@pytest.mark.slow
def test_modules_beside_the_file_are_taken_along(tmp_path: Path) -> None:
    own, rest = MODEL.split("def minimax")
    (tmp_path / "rules.py").write_text(own, encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "searching.py").write_text(f"import math\nfrom rules import *\n\n\ndef minimax{rest}")
    (tmp_path / "mine.py").write_text("from rules import *\nfrom parts.searching import minimax\n", encoding="utf-8")
    results = check_in_one(LABS["tictactoe"], tmp_path / "mine.py", only=["winner", "minimax, game over"])
    assert [result.finding for result in results if not result.passed] == []


@pytest.mark.slow
def test_a_fault_in_a_module_beside_the_file_is_told_without_our_folder(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("def winner(board)\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text("from rules import *\n", encoding="utf-8")
    finding = check_in_one(LABS["tictactoe"], tmp_path / "mine.py", only=["winner"])[0].finding
    assert finding is not None
    assert "rules.py, line 1" in finding.came
    assert "noughts-" not in finding.came


def test_of_the_files_beside_it_only_those_are_taken_that_are_imported(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import rules, math, mine\n", encoding="utf-8")
    (tmp_path / "rules.py").write_text("from more import *\nimport mine\n", encoding="utf-8")
    for name in ("more.py", "someone_else.py", "math.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    assert list(sources_of(tmp_path / "mine.py")) == ["mine.py", "rules.py", "more.py"]


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own on Windows")
def test_neither_links_nor_large_nor_very_many_files_are_taken_along(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "secret.py"
    (folder / "many").mkdir(parents=True)
    (folder / "mine.py").write_text("import secret, large, many\n", encoding="utf-8")
    outside.write_text("hush = 1\n", encoding="utf-8")
    (folder / "secret.py").symlink_to(outside)
    (folder / "large.py").write_text("#" * 2_000_000, encoding="utf-8")
    for number in range(200):
        (folder / "many" / f"part{number}.py").write_text("", encoding="utf-8")
    taken = sources_of(folder / "mine.py")
    assert len(taken) == MOST_FILES
    assert {name.partition("/")[0] for name in taken} == {"mine.py", "many"}
