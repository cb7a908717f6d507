"""What the worker of /labs/try calls, without a browser: the messages of a check, and calls that are not made again."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import webapp.labs.browser as browser
from webapp.labs.browser import Bench
from webapp.labs.loading.student import TIMEOUT
from webapp.labs.starters import model_text

Messages = list[dict[str, Any]]
ONE = "def player(board): return 'X'\ndef minimax(board): return (0, 0)\n"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Bench, Messages]]:
    before, path, finders = Path.cwd(), sys.path[:], sys.meta_path[:]
    monkeypatch.setattr(browser, "OWN", tmp_path / "own")
    messages: Messages = []
    yield Bench(messages.append), messages
    os.chdir(before)
    sys.path[:], sys.meta_path[:] = path, finders


def wanted(tmp_path: Path, text: str, **more: Any) -> dict[str, Any]:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    return {"lab": "tictactoe", "file": str(file), "accidents": {}, "only": ["player"], **more}


def of_kind(messages: Messages, kind: str) -> Messages:
    return [message for message in messages if message["kind"] == kind]


def test_each_call_is_told_before_it_is_made_and_each_result_when_it_is_known(
    bench: tuple[Bench, Messages], tmp_path: Path
) -> None:
    bench[0].do(wanted(tmp_path, ONE, task="check"))
    results = of_kind(bench[1], "result")
    assert [(one["name"], one["passed"]) for one in results] == [
        ("the file", True), ("the names", False), ("player", False),
    ]  # fmt: skip
    assert results[-1]["finding"]["mistake"] == "turn-ignored"
    calls = of_kind(bench[1], "call")
    assert (calls[0]["test"], calls[0]["number"]) == ("the file", 0)
    asked = [call["number"] for call in calls if call["test"] == "player"]
    assert asked == list(range(len(asked))) and all(call["seconds"] >= 3 for call in calls)
    assert of_kind(bench[1], "tests")[0]["names"][:2] == ["initial_state", "player"]


def test_a_call_that_ended_the_worker_is_an_answer_for_the_next_one(
    bench: tuple[Bench, Messages], tmp_path: Path
) -> None:
    bench[0].do(wanted(tmp_path, ONE, task="check", accidents={"player": {"3": TIMEOUT}}))
    player = of_kind(bench[1], "result")[-1]
    assert (player["asked"], player["finding"]["mistake"]) == (4, "never-ends")
    assert 3 not in [call["number"] for call in of_kind(bench[1], "call") if call["test"] == "player"]


def test_a_file_that_never_loads_is_still_asked_for_its_names(bench: tuple[Bench, Messages], tmp_path: Path) -> None:
    bench[0].do(wanted(tmp_path, ONE, task="check", accidents={"the file": {"0": TIMEOUT}}))
    first, _, player = of_kind(bench[1], "result")
    assert not first["passed"] and player["finding"]["mistake"] == "turn-ignored"


def test_a_move_that_took_too_long_is_told_as_in_the_terminal(bench: tuple[Bench, Messages], tmp_path: Path) -> None:
    asked = wanted(tmp_path, ONE, task="move", board=".........", mark="O", new=True)
    assert bench[0].do(asked)["last"] == 0
    shown = bench[0].do(asked | {"new": False, "accidents": {"move": {"0": TIMEOUT}}})
    assert shown["headline"] == "mine.py gave no move" and shown["sentence"].startswith("No answer within ")
    shown = bench[0].do(asked | {"accidents": {"load": {"0": TIMEOUT, "1": TIMEOUT}}})
    assert shown["sentence"].startswith("No answer within ")


def test_both_searches_of_the_project_are_compared_with_ours(bench: tuple[Bench, Messages], tmp_path: Path) -> None:
    asked = wanted(tmp_path, model_text("pruning"), task="compare", board="XO.XO....", to_move="") | {"lab": "pruning"}
    assert bench[0].do(asked) == {}
    rows = {row["name"]: (row["nodes"], row["cell"]) for row in of_kind(bench[1], "row")}
    assert rows["your Max and Min"] == rows["Minimax"]
    assert rows["your MaxAlphaBeta and MinAlphaBeta"] == rows["Alpha-beta"]
    assert bench[0].do(asked | {"board": "XO...."})["sentence"]
    assert "over" in bench[0].do(asked | {"board": "XXXOO...."})["sentence"]
    assert "SyntaxError" in bench[0].do(asked | wanted(tmp_path, "def f(", lab="pruning"))["sentence"]
