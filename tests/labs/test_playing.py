"""A game against a student's file: its moves, what it did, and what is said when it gives none."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from webapp.labs.desk.series import score, series
from webapp.labs.loading.here import StudentHere
from webapp.labs.playing import WAYS, Turn, answered, ask, in_words, load
from webapp.labs.starters import model_text
from webapp.tictactoe import Mark, O, Position, X

HERE = Position.parse("X..O.OX..")  # X to move


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before, path, finders = Path.cwd(), sys.path[:], sys.meta_path[:]
    yield tmp_path
    os.chdir(before)
    sys.path[:], sys.meta_path[:] = path, finders


def student(folder: Path, text: str) -> StudentHere:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return StudentHere(file, folder / "own")


def turn(folder: Path, text: str, position: Position = HERE) -> Turn:
    asked = student(folder, text)
    return load("tictactoe", asked) or ask(WAYS["tictactoe"], asked, position, perf_counter)


@pytest.mark.parametrize("lab", WAYS)
def test_the_model_answer_of_each_lab_plays_either_mark(lab: str, folder: Path) -> None:
    asked = student(folder, model_text(lab))
    assert load(lab, asked) is None
    for text, mark, won in [("XX.OO....", O, 2), ("OO.XX.X..", X, 2)]:
        position = Position.parse(text)
        game = answered(lab, asked, position, mark, "mine.py", lambda: 0.0)  # quick enough to be counted
        assert (game["last"], game["headline"], game["next"]) == (won, "mine.py wins", None), (text, game)
        assert position.to_move is not mark and game["board"] == position.play(won).text
        assert game["sentence"].startswith(f"mine.py played {position.board.cell_name(won)}, ")
        assert "It looked at " in game["sentence"]


def test_a_person_who_moves_first_is_not_answered_before(folder: Path) -> None:
    game = answered("tictactoe", student(folder, "oops"), Position.start(), X, "mine.py", perf_counter)
    assert (game["board"], game["next"], game["headline"]) == (".........", "X", "Your turn")


def test_the_end_is_told_from_the_persons_side(folder: Path) -> None:
    asked = student(folder, model_text("tictactoe"))
    for text, mark, words in [("XXXOO....", X, "You win"), ("XXXOO....", O, "mine.py wins"), ("XOXXOOOXX", X, "Drawn")]:
        game = answered("tictactoe", asked, Position.parse(text), Mark(mark), "mine.py", perf_counter)
        assert game["headline"] == words, text


TROUBLE = {
    "def minimax(board): return board[3][0]": ("An error, IndexError: list index out of range", "IndexError: list"),
    "def minimax(board): return (0, 0)": ("It answered (0, 0), but there is an X in (0, 0) already.", ""),
    "def minimax(board): return (-1, 0)": ("It answered (-1, 0). That is not a cell", ""),
    "def minimax(board): return None": ("It answered None. That is not a cell", ""),
    "def minimax(board): raise SystemExit": ("Nothing: the program was told to exit", ""),
    "def minimax(board): return minimax(board)": ("Nothing: it called itself too deeply", "RecursionError"),
    "def minimax(board): raise NotImplementedError": ("Nothing: NotImplementedError", "NotImplementedError"),
    "def other(board): return (0, 1)": ("Your file has no minimax.", ""),
    "def minimax(board: return": ("An error, SyntaxError", "SyntaxError: "),
    "import a_friend": ("An error, ModuleNotFoundError: No module named 'a_friend'", "ModuleNotFoundError"),
}  # fmt: skip


def test_what_goes_wrong_is_said_and_shown_as_python_prints_it(folder: Path) -> None:
    for text, (sentence, trace) in TROUBLE.items():
        found = turn(folder, text)
        assert found.cell is None and found.sentence.startswith(sentence), (text, found)
        assert (trace in found.trace) if trace else not found.trace, (text, found.trace)
        assert "webapp" not in found.trace and str(folder) not in found.trace + found.sentence, text


def test_what_a_file_prints_is_shown_and_a_list_is_taken_for_a_move(folder: Path) -> None:
    found = turn(folder, "def minimax(board):\n    print('thinking')\n    return [1, 1]")
    assert (found.cell, found.printed) == (4, "thinking\n")


def test_a_file_that_plays_at_once_is_still_asked(folder: Path) -> None:
    assert turn(folder, "def minimax(board): return (1, 1)\ninput('Your name?')").cell == 4


def test_times_are_written_for_people() -> None:
    assert [in_words(seconds) for seconds in (0.00042, 0.0996, 0.99999, 61)] == [
        "0.4 ms", "99.6 ms", "1.00 seconds", "61.00 seconds",
    ]  # fmt: skip


def test_a_series_is_played_with_both_marks_and_counted(folder: Path) -> None:
    first = "def minimax(board): return next((i, j) for i in range(3) for j in range(3) if not board[i][j])"
    asked = student(folder, first)
    games = list(series("tictactoe", asked, "perfect", 6, Random(1), perf_counter))
    assert [game.mark for game in games] == [X, O] * 3
    assert {game.result for game in games} <= {"lost", "drawn"} and "lost" in {game.result for game in games}
    asked = student(folder, "def minimax(board): return 7")
    broken = list(series("tictactoe", asked, "casual", 2, Random(1), perf_counter))
    assert score(broken) == "0 won, 0 drawn, 0 lost, 2 cut off" and broken[0].trouble


def test_in_a_series_no_position_is_searched_twice_to_count_nodes(folder: Path) -> None:
    lines = ["asked = []", "def minimax(board):", "    assert len(asked) == len(set(asked))"]
    lines.append("    asked.append(str(board))")
    lines += ["    return next((i, j) for i in range(3) for j in range(3) if not board[i][j])"]
    asked = student(folder, "\n".join(lines))
    assert not any(game.trouble for game in series("tictactoe", asked, "perfect", 2, Random(1), lambda: 0.0))
