"""Positions as text: XO....... in reading order, with or without / between rows. Refuses what cannot be."""

from functools import reduce
from operator import and_

from .bitboard import bits_of
from .board import Board
from .errors import BadPosition
from .marks import Mark, O, X

FREE = "."


def written(board: Board, x: int, o: int) -> str:
    return "".join(X if x >> cell & 1 else O if o >> cell & 1 else FREE for cell in range(board.size))


def read(text: str, board: Board) -> tuple[int, int]:
    """The cells of X and of O in a text."""
    rows = text.split("/")
    if len(rows) > 1 and [len(row) for row in rows] != [board.columns] * board.rows:
        raise BadPosition(f"There must be {board.rows} rows of {board.columns} cells between the strokes.")
    letters = "".join(rows)
    if len(letters) != board.size:
        raise BadPosition(f"This board has {board.size} cells, and the text has {len(letters)}.")
    if strange := set(letters) - {X, O, FREE}:
        raise BadPosition(f"Cells are written as X, O or . for a free one, not as {min(strange)!r}.")
    x, o = (bits_of(cell for cell, letter in enumerate(letters) if letter == mark) for mark in (X, O))
    return x, o


def side_to_move(board: Board, x: int, o: int, wanted: Mark | None) -> Mark:
    """Who is to move, from the counts and the lines; with equal counts `wanted`, else X."""
    check_reachable(board, x, o)
    to_move = Mark(wanted) if wanted else likely_side(board, x, o)
    own, other = (x, o) if to_move is X else (o, x)
    if board.bits.has_line[own]:
        raise BadPosition(f"{to_move} has won already, so it cannot be to move: the game is over.")
    if own.bit_count() > other.bit_count():
        raise BadPosition(f"{to_move} has a mark more than {to_move.other}, so it is {to_move.other}'s turn.")
    return to_move


def likely_side(board: Board, x: int, o: int) -> Mark:
    if x.bit_count() == o.bit_count():
        return O if board.bits.has_line[x] else X
    return O if x.bit_count() > o.bit_count() else X


def check_reachable(board: Board, x: int, o: int) -> None:
    """Refuse counts and lines that no order of moves can bring about."""
    if abs(x.bit_count() - o.bit_count()) > 1:
        raise BadPosition(
            f"X and O move in turn, so their counts differ by one at most; here X has {x.bit_count()} "
            f"and O has {o.bit_count()}."
        )
    if board.bits.has_line[x] and board.bits.has_line[o]:
        raise BadPosition("Both have won, and the game would have ended with the first line.")
    for mark, cells in ((X, x), (O, o)):
        lines = [line for line in board.bits.lines if cells & line == line]
        if lines and not reduce(and_, lines):
            raise BadPosition(f"{mark} has lines that no single move completes: nobody moves after the end.")
