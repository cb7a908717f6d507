"""The reference players of competitions: what they play, and that nobody is offered them as a level."""

from random import Random

from tests.tictactoe.boards import drawn, unfinished
from webapp.tictactoe import ALL_LEVELS, LEVELS, REFERENCES, STANDARD, Board, Position, X, openings, replay, table_of

TABLE = table_of(STANDARD)


def choices(name: str, position: Position) -> set[int]:
    return {ALL_LEVELS[name].choose(position, Random(seed)).cell for seed in range(60)}


def test_they_are_no_levels_that_a_person_chooses() -> None:
    assert list(REFERENCES) == ["lookahead", "minimax"]
    assert list(ALL_LEVELS) == [*LEVELS, *REFERENCES]
    assert not LEVELS.keys() & REFERENCES.keys()


def test_the_same_seed_gives_the_same_answer() -> None:
    for name, player in REFERENCES.items():
        for position in unfinished()[::700]:
            assert player.choose(position, Random(7)).cell == player.choose(position, Random(7)).cell, name


def test_minimax_plays_every_cell_that_keeps_the_value_and_no_other() -> None:
    for opening in openings():
        position = replay(opening.cells)
        assert choices("minimax", position) == {opening.only}
    quiet = drawn("""
        X . .
        . O .
        . . .""")
    assert choices("minimax", quiet) == set(quiet.legal_cells)


def test_minimax_does_not_care_how_long_a_win_takes() -> None:
    position = drawn("""
        . . .
        . X .
        O O X""", to_move=X)
    assert TABLE[position].cells == (0,)
    assert choices("minimax", position) == {0, 2, 3, 5}


def test_minimax_reports_the_nodes_that_plain_minimax_visits() -> None:
    answer = REFERENCES["minimax"].choose(replay((1, 6)), Random(1))
    assert answer.nodes == 6_900


def test_minimax_searches_as_perfect_does_where_its_own_search_would_not_end() -> None:
    for board in (Board(4, 4, 4), Board(5, 5, 4)):
        start = Position.start(board)
        mine, perfects = (ALL_LEVELS[name].choose(start, Random(1)) for name in ("minimax", "perfect"))
        assert mine.report and perfects.report
        assert (mine.cell, mine.report.search.name) == (perfects.cell, perfects.report.search.name), board


def test_lookahead_takes_a_win_and_answers_a_threat() -> None:
    assert choices("lookahead", drawn("""
        X X .
        O O .
        . . .""")) == {2}
    assert choices("lookahead", drawn("""
        O O .
        X . .
        . . .""", to_move=X)) == {2}


def test_lookahead_holds_the_balanced_openings_and_misses_the_win_in_the_unequal_ones() -> None:
    """So it tells an agent that looks two plies ahead from one that looks to the end."""
    for opening in openings():
        cell = REFERENCES["lookahead"].choose(replay(opening.cells), Random(0)).cell
        assert (cell == opening.only) == opening.is_balanced, opening


def test_lookahead_searches_little() -> None:
    answer = REFERENCES["lookahead"].choose(Position.start(), Random(0))
    assert 9 < answer.nodes <= 1 + 9 + 9 * 8
