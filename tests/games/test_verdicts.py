"""Each move is judged by the table of all positions; what a game teaches is a count of that. Boards are text."""

from collections.abc import Iterator
from itertools import zip_longest
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.games.verdicts import Accuracy, JudgedMove, Verdict, judged_moves, judged_sides, mistake_row
from webapp.tictactoe import STANDARD, Board, GameAlreadyOver, Position, replay, table_of


def judged(*cells: int) -> list[JudgedMove]:
    return judged_moves(STANDARD, cells)


def verdicts(*cells: int) -> list[str]:
    return [move.verdict.value for move in judged(*cells)]


def test_the_verdicts_on_known_games_read_as_a_player_would_say_them() -> None:
    assert verdicts(0, 1, 4, 8, 3, 5, 6) == [
        "changed nothing: every move draws",
        "turned a draw into a loss",
        "kept the win",
        "changed nothing: every move loses",
        "kept the win",
        "changed nothing: every move loses",
        "won the game",
    ]
    assert verdicts(0, 4, 8, 1, 7, 6, 2, 5, 3) == [
        "changed nothing: every move draws",
        "was the only move that keeps the draw",
        "changed nothing: every move draws",
        "kept the draw",
        "was the only move that keeps the draw",
        "was the only move that keeps the draw",
        "was the only move that keeps the draw",
        "was the only move that keeps the draw",
        "was the only move left",
    ]


def test_mistakes_are_told_by_what_was_thrown_away() -> None:
    for board, cell, verdict in (
        ("XX. OO. ...", 8, Verdict.WIN_TO_LOSS),
        ("XO. .X. ..O", 2, Verdict.GAVE_AWAY_WIN),
        ("X.. .O. ..X", 2, Verdict.DRAW_TO_LOSS),
    ):
        assert judged(*an_order_of(board), cell)[-1].verdict == verdict, board


def an_order_of(board: str) -> list[int]:
    """Moves that lead to this board, X first."""
    x, o = ([cell for cell, mark in enumerate(board.replace(" ", "")) if mark == which] for which in "XO")
    return [cell for pair in zip_longest(x, o) for cell in pair if cell is not None]


def played(random: Random, board: Board = STANDARD) -> list[int]:
    position, cells = Position.start(board), []
    while not position.is_over:
        cells.append(random.choice(position.legal_cells))
        position = position.play(cells[-1])
    return cells[: random.randrange(len(cells) + 1)]  # given up at any ply


def recount(cells: list[int], board: Board = STANDARD) -> Iterator[tuple[str, int, int, int, bool]]:
    """By the book: mark, ply, the value before and after, whether the moves differed; from replays and the table."""
    table = table_of(board)
    for ply, cell in enumerate(cells):
        before = replay(cells[:ply], board)
        values = {each: -table[before.play(each)].value for each in before.legal_cells}
        yield before.to_move, ply, max(values.values()), values[cell], len(set(values.values())) > 1


@given(st.integers(0, 10**9), st.sampled_from([STANDARD, Board(2, 3, 2), Board(1, 4, 2), Board(2, 4, 3)]))
def test_what_a_game_teaches_equals_a_recount(seed: int, board: Board) -> None:
    cells = played(Random(seed), board)
    rows = list(recount(cells, board))
    moves = judged_moves(board, cells)
    assert [(move.mark, move.ply, move.before, move.after, move.is_decision) for move in moves] == rows
    for mark, side in judged_sides(board, cells).items():
        mine = [(ply, before, after) for who, ply, before, after, differs in rows if who == mark and differs]
        assert side.decisions == len(mine)
        assert side.kept == sum(1 for _, before, after in mine if before == after)
        assert [move.ply for move in side.mistakes] == [ply for ply, before, after in mine if after < before]
        assert side.decisions == side.kept + len(side.mistakes)


@given(st.integers(0, 10**9))
def test_the_first_plies_can_be_left_out(seed: int) -> None:
    cells = played(Random(seed))
    assert judged_moves(STANDARD, cells, opening=2) == judged_moves(STANDARD, cells)[2:]


@given(st.integers(0, 10**9))
def test_mistakes_that_are_alike_by_symmetry_are_stored_alike(seed: int) -> None:
    cells = played(Random(seed))
    rows = [mistake_row(move) for side in judged_sides(STANDARD, cells).values() for move in side.mistakes]
    for symmetry in STANDARD.symmetries:
        turned = judged_sides(STANDARD, [symmetry[cell] for cell in cells])
        assert [mistake_row(move) for side in turned.values() for move in side.mistakes] == rows


@given(st.integers(0, 10**9))
def test_a_folded_mistake_is_the_same_mistake(seed: int) -> None:
    for side in judged_sides(STANDARD, played(Random(seed))).values():
        for move in side.mistakes:
            row, table = mistake_row(move), table_of(STANDARD)
            folded = Position.parse(row["position"], row["to_move"])
            assert folded in move.position.twins
            assert (table[folded].value, -table[folded.play(row["cell"])].value) == (move.before, move.after)


def test_a_board_that_is_too_large_to_solve_is_not_judged() -> None:
    large = Board(4, 4, 4)
    assert judged_moves(large, [0, 5, 10]) == []
    assert judged_sides(large, [0, 5, 10]) == {}


def test_moves_that_cannot_be_are_refused() -> None:
    with pytest.raises(GameAlreadyOver):
        judged_sides(STANDARD, [0, 3, 1, 4, 2, 5])


def test_a_slower_win_and_a_sooner_loss_are_told_and_are_no_mistakes() -> None:
    moves = [move for seed in range(1000) for move in judged(*played(Random(seed)))]
    assert {move.verdict for move in moves} == set(Verdict)
    told = (Verdict.SLOWER_WIN, Verdict.LOST_SOONER)
    assert not any(move.is_mistake for move in moves if move.verdict in told)
    slower = judged(0, 1, 3, 2, 4)[-1]  # X could win at once, and makes two threats instead
    assert slower.verdict == Verdict.SLOWER_WIN


def test_accuracy_is_100_only_without_a_mistake_and_nothing_without_a_decision() -> None:
    cases = {(4, 3): 75, (3, 2): 67, (1000, 999): 99, (5, 5): 100, (2, 0): 0, (0, 0): None}
    assert {counts: Accuracy(*counts).percent for counts in cases} == cases
    assert Accuracy.sum([Accuracy(4, 3), Accuracy(2, 2)]) == Accuracy(6, 5)


def test_what_was_better_keeps_what_there_was() -> None:
    assert judged(0, 3)[-1].better == (4,)
    assert judged(0, 4)[-1].better == ()
