"""What the analysis says of a position is true: for every position, whichever side began."""

from collections.abc import Iterator

import pytest

from tests.conftest import Sampled
from tests.tictactoe.boards import begun_by_o, drawn, every_position, oracle
from webapp.analysis.position_analysis import Analysis, quarter_turn, reflection
from webapp.analysis.words import why
from webapp.tictactoe import STANDARD, Position, X, replay


def both_ways(position: Position) -> tuple[Position, Position]:
    return position, begun_by_o(position)


def oracle_after(position: Position, cell: int) -> tuple[int, int]:
    after = position.play(cell)
    value, plies = oracle(after.text, after.to_move)
    return -value, plies + 1


@pytest.mark.parametrize("part", range(4))
def test_values_distances_and_best_cells_are_right_in_every_position(part: int, sampled_if_quick: Sampled) -> None:
    for position in (side for each in sampled_if_quick(every_position()[part::4]) for side in both_ways(each)):
        analysis, truth = Analysis(position), oracle(position.text, position.to_move)
        assert (analysis.entry.value, analysis.entry.distance) == truth
        cells = {each.cell: (each.value, each.distance) for each in analysis.cells}
        assert cells == {cell: oracle_after(position, cell) for cell in position.legal_cells}
        best = [cell for cell, worth in cells.items() if worth == truth]
        assert [each.cell for each in analysis.best] == best
        assert [each.cell for each in analysis.cells if each.is_recommended] == best[:1]


def test_the_line_keeps_the_value_to_the_end() -> None:
    for position in every_position()[::23]:
        analysis = Analysis(position)
        for move in analysis.line:
            position = position.play(move.cell)
            assert (move.position, move.link["position"]) == (position, position.text)
        assert position.is_over
        assert len(analysis.line) == analysis.entry.distance


def test_a_position_is_reachable_when_x_can_have_begun() -> None:
    assert all(Analysis(position).is_reachable for position in every_position())
    assert not any(Analysis(begun_by_o(position)).is_reachable for position in every_position())


def phrases(picture: str, cell: int) -> list[str]:
    return why(drawn(picture, X), cell)


def test_the_reasons_are_told_in_words() -> None:
    document = """
        . . O
        X O O
        . . X"""
    assert phrases(document, 6) == [
        "blocks O in the diagonal from the top right",
        "makes two threats at once, in the top left and the bottom centre",
    ]
    assert phrases(document, 0) == ["leaves a threat open: O takes the bottom left and wins"]
    assert phrases("""
        X X .
        O O .
        . . .""", 2) == ["completes the top row"]
    assert why(Position.parse("X...O...X"), 2) == ["lets X make two threats at once with the bottom left"]
    assert why(Position.start(), 0) == []


def every_phrase() -> Iterator[str]:
    for position in every_position()[::3]:
        for cell in position.legal_cells:
            yield from why(position, cell)


def test_no_phrase_fails_or_is_empty() -> None:
    assert all(phrase == phrase.strip() and len(phrase) > 10 for phrase in every_phrase())


def test_turning_and_mirroring_are_symmetries_of_the_board() -> None:
    assert quarter_turn(STANDARD) == (2, 5, 8, 1, 4, 7, 0, 3, 6)
    assert {quarter_turn(STANDARD), reflection(STANDARD)} <= set(STANDARD.symmetries)


def test_turned_and_mirrored_positions_keep_their_value_and_their_way_back() -> None:
    analysis = Analysis(replay([0, 4, 1]), (0, 4, 1))
    assert analysis.turned == {"position": "..X.OX...", "to_move": "O", "back": "2-4-5"}
    assert analysis.mirrored == {"position": ".XX.O....", "to_move": "O", "back": "2-4-1"}
    assert analysis.back == {"position": "X...O....", "to_move": "X", "back": "0-4"}
