"""Project 1: its games move for move, its counts of nodes, and all positions of the rules."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Sampled
from webapp.labs.checker.positions import best_cells, cell_at, positions, rows, unfinished, value_for
from webapp.labs.pruning import Choice, Game
from webapp.tictactoe import SEARCHES, O, Position, X, minimax_nodes

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = [[".", ".", "O"], ["X", "O", "O"], [".", ".", "X"]]


def game_on(board: list[list[str]]) -> Game:
    game = Game()
    game.build_game(board)
    return game


def read_screen(screen: str) -> str:
    """The screen without what the clock and the counter say, and without the prompts."""
    lines = re.sub(r"Row: Column: ", "", screen).splitlines()
    return "\n".join(line for line in lines if not line.startswith(("Evaluation time", "Nodes visited")))


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Type the numbers of a text, one at each prompt."""

    def type_all(numbers: str) -> None:
        waiting = iter(numbers.split())

        def answer(prompt: str) -> str:
            print(prompt, end="")
            return next(waiting)

        monkeypatch.setattr("builtins.input", answer)

    return type_all


SAMPLE_GAME = """\
. . O
X O O
. . X

Recommended move: Row = 2, Column = 0
. . O
X O O
X . X

O . O
X O O
X . X

Recommended move: Row = 2, Column = 1
O . O
X O O
X X X

The winner is X!"""


@pytest.mark.parametrize("play", [Game.Play, Game.PlayAlphaBeta])
def test_the_project_s_own_board_is_won_as_shown(
    play: Callable[[Game], None], types: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    types("2 0 2 1")
    play(game_on(SAMPLE))
    assert read_screen(capsys.readouterr().out) == SAMPLE_GAME


RECOMMENDED_GAME = """\
. . .
. . .
. . .

Recommended move: Row = 0, Column = 0
X . .
. . .
. . .

X . .
. O .
. . .

Recommended move: Row = 0, Column = 1
X X .
. O .
. . .

X X O
. O .
. . .

Recommended move: Row = 2, Column = 0
X X O
. O .
X . .

X X O
O O .
X . .

Recommended move: Row = 1, Column = 2
X X O
O O X
X . .

X X O
O O X
X O .

Recommended move: Row = 2, Column = 2
X X O
O O X
X O X

"""


def test_alpha_beta_plays_the_whole_game_as_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "webapp.labs.pruning"], input="0 0 0 1 2 0 1 2 2 2".replace(" ", "\n") + "\n",
        capture_output=True, text=True, timeout=60, cwd=ROOT,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert read_screen(done.stdout) == "Tic Tac Toe!\n\n" + RECOMMENDED_GAME + "It's a tie!"


@pytest.mark.slow
def test_plain_minimax_plays_the_same_game_and_says_evaluation_time_and_nodes(
    types: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    types("0 0 0 1 2 0 1 2 2 2")
    Game().Play()
    screen = capsys.readouterr().out
    assert read_screen(screen) == RECOMMENDED_GAME + "It is a tie!"
    assert len(re.findall(r"^Evaluation time: \d+\.\d{7}s$", screen, re.MULTILINE)) == 5
    assert re.findall(r"^Nodes visited: (\d+)$", screen, re.MULTILINE) == ["549946", "7332", "198", "14", "2"]


@pytest.mark.parametrize(
    ("first", "final"),
    [("1 0", "O X O / X O X / X O X"), ("1 1", "O X X / X X O / O O X"), ("2 2", "X O X / X O O / O X X")],
)
def test_the_three_other_starts_tie_on_the_boards_shown(
    first: str, final: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = first.split()

    def follow_the_advice(prompt: str) -> str:
        if not waiting:
            waiting.extend(re.findall(r"Row = (\d), Column = (\d)", capsys.readouterr().out)[-1])
        return waiting.pop(0)

    monkeypatch.setattr("builtins.input", follow_the_advice)
    game = Game()
    game.PlayAlphaBeta()
    assert capsys.readouterr().out.endswith("It's a tie!\n")
    assert " / ".join(" ".join(row) for row in game.current_state) == final


def test_a_taken_cell_and_words_are_asked_for_again(
    types: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    types("0 2 up 9 9 2 0 2 1")
    game_on(SAMPLE).PlayAlphaBeta()
    screen = capsys.readouterr().out
    assert screen.count("That is not a free cell.") == 3
    assert screen.endswith("The winner is X!\n")


def test_build_game_leaves_the_given_board_alone() -> None:
    board = [list(row) for row in SAMPLE]
    game = game_on(board)
    game.current_state[0][0] = "O"
    assert board == SAMPLE


def test_it_agrees_with_the_rules_on_all_positions() -> None:
    for position in positions():
        game, outcome = game_on(rows(position, ".")), position.outcome
        assert game.is_end() == (outcome and (outcome.winner or "."))
        if outcome:
            value = value_for(O, position)
            assert game.Max() == game.Min() == game.MaxAlphaBeta(-2, 2) == game.MinAlphaBeta(-2, 2) == (value, 0, 0)


def searches(position: Position) -> tuple[Choice, Choice]:
    game = game_on(rows(position, "."))
    if position.to_move is O:
        return game.Max(), game.MaxAlphaBeta(-2, 2)
    return game.Min(), game.MinAlphaBeta(-2, 2)


def test_both_searches_find_the_same_best_move(sampled: Sampled) -> None:
    for position in sampled(unfinished()):
        plain, pruned = searches(position)
        assert plain == pruned, position.text
        assert plain[0] == value_for(O, position)
        assert cell_at(plain[1:]) == best_cells(position)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "plain", "pruned"), [("........./X", 549_946, 18_297), ("..OXOO..X/X", 45, 31)])
def test_the_visited_nodes_are_those_of_the_reference(board: str, plain: int, pruned: int) -> None:
    position = Position.parse(board.partition("/")[0], X)
    game = game_on(rows(position, "."))
    assert game.MinAlphaBeta(-2, 2)[0] == game.Min()[0]
    assert game.nodes == plain + pruned
    assert (minimax_nodes(position), SEARCHES["alpha-beta"].run(position).nodes) == (plain, pruned)
