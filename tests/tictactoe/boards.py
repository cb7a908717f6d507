"""Boards drawn as text, all positions by playing, and an oracle that shares nothing with the searches."""

from functools import cache

from webapp.tictactoe import STANDARD, Board, Mark, Position, Search


def drawn(picture: str, to_move: Mark | None = None, board: Board = STANDARD) -> Position:
    """A position from a picture, a row a line; blanks do not count."""
    rows = ("".join(row.split()) for row in picture.strip().splitlines())
    return Position.parse("/".join(rows), to_move, board)


@cache
def every_position() -> tuple[Position, ...]:
    """Every position of 3x3 that play can reach when X begins."""
    found = {Position.start()}
    front = found
    while front:
        front = {position.play(cell) for position in front for cell in position.legal_cells}
        found |= front
    return tuple(sorted(found, key=lambda position: (position.ply, position.text)))


@cache
def unfinished() -> tuple[Position, ...]:
    return tuple(position for position in every_position() if not position.outcome)


def begun_by_o(position: Position) -> Position:
    """The same play with the marks exchanged."""
    swapped = position.text.translate(str.maketrans("XO", "OX"))
    return Position.parse(swapped, position.to_move.other, position.board)


def cell_values(search: Search, position: Position) -> dict[int, float]:
    """What each legal cell is worth to who plays it, as the search finds it."""
    return {cell: -_value(search, position.play(cell)) for cell in position.legal_cells}


def _value(search: Search, position: Position) -> float:
    if outcome := position.outcome:
        return {position.to_move: 1, None: 0}.get(outcome.winner, -1)
    return search.run(position).value


LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


@cache
def oracle(text: str, to_move: str) -> tuple[int, int]:
    """Value for the side to move, and plies to the end when wins are hurried and losses put off."""
    other = "O" if to_move == "X" else "X"
    if any(all(text[int(cell)] == other for cell in line) for line in LINES):
        return -1, 0
    if "." not in text:
        return 0, 0
    replies = [oracle(text[:k] + to_move + text[k + 1 :], other) for k in range(9) if text[k] == "."]
    value = -min(value for value, _ in replies)
    plies = [plies + 1 for reply, plies in replies if reply == -value]
    return value, min(plies) if value > 0 else max(plies)
