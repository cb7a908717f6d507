"""Whatever is played on whatever board: text, symmetries and replay hold."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from webapp.tictactoe import SEARCHES, BadPosition, Board, Mark, Position, replay

sides = st.integers(1, 6)
boards = st.tuples(sides, sides).flatmap(
    lambda shape: st.builds(Board, st.just(shape[0]), st.just(shape[1]), st.integers(1, max(shape)))
)
marks = st.sampled_from(Mark)


@st.composite
def games(draw: st.DrawFn, any_board: st.SearchStrategy[Board] = boards) -> tuple[Board, Mark, list[int]]:
    """A board, who begins, and legal moves from the start, perhaps to the end."""
    board, first = draw(any_board), draw(marks)
    moves: list[int] = []
    for cell in draw(st.permutations(range(board.size)))[: draw(st.integers(0, board.size))]:
        if replay(moves, board, first).outcome:
            break
        moves.append(cell)
    return board, first, moves


@given(games())
def test_text_and_position_are_the_same_thing(game: tuple[Board, Mark, list[int]]) -> None:
    board, first, moves = game
    position = replay(moves, board, first)
    assert Position.parse(position.text, position.to_move, board) == position
    rows = [position.text[row * board.columns :][: board.columns] for row in range(board.rows)]
    assert Position.parse("/".join(rows), position.to_move, board) == position


@given(games())
def test_a_position_can_be_pickled(game: tuple[Board, Mark, list[int]]) -> None:
    board, first, moves = game
    position = replay(moves, board, first)
    assert pickle.loads(pickle.dumps(position)) == position


@given(games())
def test_replay_is_playing_one_move_after_another(game: tuple[Board, Mark, list[int]]) -> None:
    board, first, moves = game
    position = Position.start(board, first)
    for ply, cell in enumerate(moves):
        assert (position.ply, position.to_move) == (ply, first if ply % 2 == 0 else first.other)
        assert cell in position.legal_cells
        position = position.play(cell)
        assert position.mark_at(cell) is position.to_move.other
    assert position == replay(moves, board, first)
    assert hash(position) == hash(replay(moves, board, first))


@given(games())
def test_a_game_turned_or_reflected_is_the_same_game(game: tuple[Board, Mark, list[int]]) -> None:
    board, first, moves = game
    position = replay(moves, board, first)
    for symmetry, twin in zip(board.symmetries, position.twins, strict=True):
        assert twin == replay([symmetry[cell] for cell in moves], board, first)
        assert sorted(symmetry[cell] for cell in position.legal_cells) == list(twin.legal_cells)
        assert (twin.outcome and twin.outcome.winner) == (position.outcome and position.outcome.winner)


@given(games(st.just(Board(3, 4, 3))))
def test_twins_have_the_same_value_and_distance(game: tuple[Board, Mark, list[int]]) -> None:
    position = replay(game[2], game[0], game[1])
    if position.ply > 5 and not position.outcome:
        reports = [SEARCHES["forced-table"].run(twin) for twin in position.twins]
        assert len({(report.value, report.distance) for report in reports}) == 1


@given(st.text(alphabet="XO./x \n", max_size=13))
def test_a_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        assert Position.parse(text).text == text.replace("/", "")
    except BadPosition as refusal:
        assert str(refusal).endswith(".")
