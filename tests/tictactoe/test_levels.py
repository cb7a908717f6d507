"""The levels: what each plays, and that Perfect never loses."""

from random import Random

import pytest

from tests.tictactoe.boards import begun_by_o, drawn, unfinished
from webapp.tictactoe import LEVELS, STANDARD, Board, GameAlreadyOver, Mark, O, Position, X, table_of

BEGINNER, CASUAL, PERFECT = LEVELS.values()


def choices(name: str, position: Position) -> set[int]:
    return {LEVELS[name].choose(position, Random(seed)).cell for seed in range(60)}


def test_the_levels_are_three_from_weak_to_strong() -> None:
    assert [(level.name, level.title) for level in LEVELS.values()] == [
        ("beginner", "Beginner"),
        ("casual", "Casual"),
        ("perfect", "Perfect"),
    ]
    assert all(level.description.endswith(".") for level in LEVELS.values())


def test_perfect_promises_never_to_lose_only_where_that_is_proven() -> None:
    assert PERFECT.description_on(STANDARD) == PERFECT.description
    for shape in (Board(3, 3, 2), Board(3, 4, 3), Board(5, 5, 4)):
        assert "never loses" not in PERFECT.description_on(shape)
    assert BEGINNER.description_on(Board(5, 5, 4)) == BEGINNER.description


def test_beginner_plays_any_legal_cell_even_past_a_win() -> None:
    position = drawn("""
        X X .
        O O .
        . . .""")
    assert choices("beginner", position) == set(position.legal_cells)


def test_casual_takes_a_win_before_it_blocks() -> None:
    assert choices("casual", drawn("""
        X X .
        O O .
        . . .""")) == {2}


def test_casual_blocks_a_threat() -> None:
    assert choices("casual", drawn("""
        O O .
        X . .
        . . .""", to_move=X)) == {2}


def test_casual_plays_any_cell_where_nothing_presses() -> None:
    quiet = drawn("""
        X . .
        . O .
        . . .""")
    assert choices("casual", quiet) == set(quiet.legal_cells)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_luck_gives_the_same_answer(level: str) -> None:
    for position in unfinished()[::400]:
        assert LEVELS[level].choose(position, Random(7)).cell == LEVELS[level].choose(position, Random(7)).cell


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_plays_on_after_the_end(level: str) -> None:
    won = drawn("""
        X X X
        O O .
        . . .""")
    with pytest.raises(GameAlreadyOver, match=r"^There is nothing to play: X has won\.$"):
        LEVELS[level].choose(won, Random(1))


def test_levels_that_do_not_search_report_no_nodes() -> None:
    for level in (BEGINNER, CASUAL):
        answer = level.choose(Position.start(), Random(1))
        assert (answer.nodes, answer.report) == (0, None)


def test_perfect_reports_its_search() -> None:
    answer = PERFECT.choose(Position.start(), Random(1))
    assert answer.report
    assert answer.nodes == answer.report.nodes < 1_000
    assert (answer.report.value, answer.report.distance) == (0, 9)


def test_perfect_plays_the_first_of_the_best_cells_everywhere() -> None:
    table = table_of(STANDARD)
    for position in unfinished():
        for seen in (position, begun_by_o(position)):
            assert PERFECT.choose(seen, Random(0)).cell == table[position].cells[0]


@pytest.mark.parametrize("perfect", [X, O])
@pytest.mark.parametrize("first", [X, O])
def test_perfect_never_loses_whatever_is_played_against_it(perfect: Mark, first: Mark) -> None:
    games = list(every_game(Position.start(to_move=first), perfect))
    assert len(games) > 30
    assert perfect.other not in games


def every_game(position: Position, perfect: Mark) -> list[Mark | None]:
    """The winner of every game that can be played against Perfect from here."""
    if position.outcome:
        return [position.outcome.winner]
    if position.to_move is perfect:
        return every_game(position.play(PERFECT.choose(position, Random(0)).cell), perfect)
    return [winner for cell in position.legal_cells for winner in every_game(position.play(cell), perfect)]


def test_perfect_takes_the_quickest_win() -> None:
    assert PERFECT.choose(drawn("""
        O . .
        X X .
        O . ."""), Random(0)).cell == 5


def test_perfect_puts_off_a_loss() -> None:
    lost = drawn("""
        . . .
        O X .
        . X .""")
    answer = PERFECT.choose(lost, Random(0))
    assert answer.report
    assert (answer.cell, answer.report.value, answer.report.distance) == (1, -1, 4)


def test_perfect_plays_on_four_by_four() -> None:
    board = Board(4, 4, 4)
    position = drawn("""
        X X X .
        O O . .
        O . . .
        . . . .""", board=board)
    assert PERFECT.choose(position, Random(0)).cell == 3
    assert PERFECT.choose(Position.start(board), Random(0)).cell == 0
