"""Lab Session #4: every sample of the document, its game move for move, and all positions of the rules."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Sampled
from webapp.labs import agent
from webapp.labs.checker.positions import best_cells, cell_at, positions, rows, unfinished, value_for
from webapp.tictactoe import O

ROOT = Path(__file__).resolve().parents[2]
FULL = [["X", "O", "X"], ["O", "X", "O"], ["X", "O", "X"]]
PARTLY = [["X", " ", "O"], ["O", "X", " "], [" ", "O", "X"]]
O_HAS_WON = [["X", "O", " "], ["X", "O", " "], [" ", "O", "X"]]


def cells(screen: str) -> list[list[str]]:
    """The rows of every board on a screen: the cells, whatever the white space."""
    lines = [line.split(": ")[-1] for line in screen.splitlines()]
    return [[cell.strip() for cell in line.split("|")] for line in lines if line.count("|") == 2]


def test_print_board_prints_the_sample(capsys: pytest.CaptureFixture[str]) -> None:
    agent.print_board(FULL)
    printed = " ".join(capsys.readouterr().out.split())
    assert printed == "X | O | X ----- O | X | O ----- X | O | X"


def test_check_winner_gives_x_for_the_sample() -> None:
    assert agent.check_winner(FULL) == "X"


def test_available_moves_gives_the_empty_cells_of_the_sample_in_reading_order() -> None:
    assert agent.available_moves(PARTLY) == [(0, 1), (1, 2), (2, 0)]


def test_the_sample_that_contradicts_the_rules_is_a_win_for_o_with_no_move_left() -> None:
    assert agent.check_winner(O_HAS_WON) == "O"
    assert agent.minimax(O_HAS_WON, 1, False) == 1
    assert agent.best_move(O_HAS_WON) is None


def test_it_agrees_with_the_rules_on_all_positions() -> None:
    for position in positions():
        board = rows(position, " ")
        outcome = position.outcome
        assert agent.check_winner(board) == (outcome and (outcome.winner or "Draw"))
        free = [divmod(cell, 3) for cell, letter in enumerate(position.text) if letter == "."]
        assert agent.available_moves(board) == free
        assert board == rows(position, " ")


def test_minimax_gives_the_value_for_o_and_leaves_the_board_alone(sampled: Sampled) -> None:
    for position in sampled(positions()):
        board = rows(position, " ")
        assert agent.minimax(board, 0, position.to_move is O) == value_for(O, position), position.text
        assert board == rows(position, " ")


def test_best_move_is_the_first_of_the_best_where_o_is_to_move(sampled: Sampled) -> None:
    for position in sampled([position for position in unfinished() if position.to_move is O]):
        assert cell_at(agent.best_move(rows(position, " "))) == best_cells(position)[0], position.text


def test_best_move_is_none_on_every_finished_board() -> None:
    assert {agent.best_move(rows(position, " ")) for position in positions() if position.is_over} == {None}


def play(lines: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Play in a terminal of a bare Python: isolated, with no installed package in sight."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "webapp.labs.agent"], input=lines, capture_output=True, text=True,
        timeout=60, cwd=ROOT, env={"PATH": os.environ["PATH"], **environment},
    )  # fmt: skip


def test_the_game_of_the_document_comes_out_move_for_move_on_a_bare_python() -> None:
    done = play("0 0\n1 1\n1 2\n2 0\n")
    assert (done.returncode, done.stderr) == (0, "")
    boards = [
        [["", "", ""], ["", "", ""], ["", "", ""]],
        [["X", "", ""], ["", "", ""], ["", "", ""]],
        [["X", "", ""], ["", "O", ""], ["", "", ""]],
        [["X", "", ""], ["", "O", "X"], ["", "", ""]],
        [["X", "O", ""], ["", "O", "X"], ["", "", ""]],
        [["X", "O", ""], ["", "O", "X"], ["X", "", ""]],
        [["X", "O", ""], ["", "O", "X"], ["X", "O", ""]],
    ]
    assert cells(done.stdout) == [row for board in boards for row in board]
    words = [line for line in re.split(r"\n|: (?=[XI])", done.stdout) if re.search("[a-z]", line)]
    prompt = "Enter your move (row and col: 0-2 0-2)"
    refusal = "Invalid input. Use two numbers between 0 and 2 separated by a space."
    assert words == [
        "Welcome to Tic-Tac-Toe!", "You are X, AI is O", prompt, "AI is thinking...", prompt, refusal,
        prompt, "AI is thinking...", prompt, "AI is thinking...", "O wins!",
    ]  # fmt: skip


def test_what_is_no_free_cell_is_refused_and_asked_again() -> None:
    lines = ["x y", "1", "1 1 1", "", "3 0", "0 -1", "1,1", "0 0"]
    _, *answers = play("\n".join(["0 0", *lines, ""])).stdout.split("Enter your move")[1:]
    taken = [line for line, answer in zip(lines, answers[:-1], strict=True) if "Invalid input." not in answer]
    assert taken == []


def test_a_drawn_game_says_so() -> None:
    screen = play("1 1\n0 1\n2 0\n1 2\n2 2\n0 0\n0 2\n1 0\n2 1\n").stdout
    assert screen.endswith("It's a draw!\n")


def test_the_end_of_the_input_ends_the_game_quietly() -> None:
    done = play("0 0\n")
    assert (done.returncode, done.stderr) == (0, "")
