"""A position as its page shows it: every free cell with its value, the best line, and the ways on and back."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webapp.analysis.asked import before, link_to
from webapp.analysis.comparison import as_json as searches_as_json
from webapp.analysis.words import WORDS, why
from webapp.games.boards import BoardView, board_view
from webapp.tictactoe import Board, Entry, Mark, Outcome, Position, X, table_of


@dataclass(frozen=True)
class CellValue:
    """What playing a free cell is worth to the side to move; the distance counts from before the move."""

    cell: int
    name: str
    value: int
    distance: int
    is_best: bool
    is_recommended: bool  # the first of the best in reading order
    before: Position
    trail: tuple[int, ...]

    @property
    def word(self) -> str:
        return WORDS[self.value]

    @cached_property
    def why(self) -> list[str]:
        return why(self.before, self.cell)

    @property
    def link(self) -> dict[str, Any]:
        return link_to(self.before.play(self.cell), (*self.trail, self.cell))


@dataclass(frozen=True)
class Move:
    """One move of a line."""

    number: int
    mark: Mark
    name: str
    cell: int
    position: Position  # after it
    link: dict[str, Any]


@dataclass(frozen=True)
class Analysis:
    position: Position
    trail: tuple[int, ...] = ()  # the moves that led here, as far as the page knows them

    @property
    def outcome(self) -> Outcome | None:
        return self.position.outcome

    @property
    def entry(self) -> Entry:
        return table_of(self.position.board)[self.position]

    @property
    def word(self) -> str:
        return WORDS[self.entry.value]

    @property
    def is_reachable(self) -> bool:
        """By play in which X begins, as it does in every game here. Whoever began, play can reach it."""
        return self.position.first is X

    @property
    def board(self) -> BoardView:
        return board_view(self.position, self.position.ply, self.trail[-1] if self.trail else None)

    @cached_property
    def cells(self) -> list[CellValue]:
        return [self._cell_value(cell) for cell in self.position.legal_cells]

    @property
    def value_of(self) -> dict[int, CellValue]:
        return {each.cell: each for each in self.cells}

    def _cell_value(self, cell: int) -> CellValue:
        reply, best = table_of(self.position.board)[self.position.play(cell)], self.entry.cells
        return CellValue(
            cell,
            self.position.board.cell_name(cell),
            -reply.value,
            reply.distance + 1,
            cell in best,
            cell == best[0],
            self.position,
            self.trail,
        )

    @property
    def best(self) -> list[CellValue]:
        return [cell for cell in self.cells if cell.is_best]

    @property
    def line(self) -> list[Move]:
        """Both play their best, the first of the best cells each time."""
        position, trail, moves = self.position, self.trail, []
        for number, cell in enumerate(table_of(position.board).line(position), start=1):
            mark, position, trail = position.to_move, position.play(cell), (*trail, cell)
            name = position.board.cell_name(cell)
            moves.append(Move(number, mark, name, cell, position, link_to(position, trail)))
        return moves

    def as_json(self) -> dict[str, Any]:
        """The contract of /analysis.json."""
        position, outcome, entry = self.position, self.outcome, self.entry
        return {
            "position": position.text,
            "to_move": position.to_move,
            "over": position.is_over,
            "winner": outcome.winner if outcome else None,
            "reachable": self.is_reachable,
            "value": entry.value,
            "distance": entry.distance,
            "best": list(entry.cells),
            "line": list(table_of(position.board).line(position)),
            "cells": [{"cell": each.cell, "value": each.value, "distance": each.distance} for each in self.cells],
            "searches": searches_as_json(position),
        }

    # Links to other positions

    @property
    def link(self) -> dict[str, Any]:
        """To this one, without the way that led here."""
        return link_to(self.position)

    @property
    def link_back(self) -> dict[str, Any]:
        """To this one, with it."""
        return link_to(self.position, self.trail)

    @property
    def back(self) -> dict[str, Any] | None:
        return link_to(before(self.position, self.trail[-1]), self.trail[:-1]) if self.trail else None

    @property
    def turned(self) -> dict[str, Any]:
        return self._seen_through(quarter_turn(self.position.board))

    @property
    def mirrored(self) -> dict[str, Any]:
        return self._seen_through(reflection(self.position.board))

    def _seen_through(self, symmetry: tuple[int, ...]) -> dict[str, Any]:
        return link_to(self.position.seen_through(symmetry), tuple(symmetry[cell] for cell in self.trail))


def quarter_turn(board: Board) -> tuple[int, ...]:
    """Where each cell goes when a square board is turned to the right."""
    last = board.rows - 1
    return tuple(board.cell_at(board.column_of(cell), last - board.row_of(cell)) for cell in range(board.size))


def reflection(board: Board) -> tuple[int, ...]:
    """Where each cell goes in a mirror that stands beside the board."""
    last = board.columns - 1
    return tuple(board.cell_at(board.row_of(cell), last - board.column_of(cell)) for cell in range(board.size))
