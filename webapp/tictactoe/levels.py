"""How strong the computer plays. Randomness is handed in; nothing is remembered between moves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from .board import Board
from .errors import GameAlreadyOver
from .position import Position
from .search import SEARCHES, Report, Search
from .table import can_tabulate, table_of

LARGEST_SEARCHED = 16  # cells; to the end of a larger board no search comes in time


class ChosenMove(NamedTuple):
    """The cell a level plays, and the search that led to it if there was one."""

    cell: int
    report: Report | None = None

    @property
    def nodes(self) -> int:
        return self.report.nodes if self.report else 0


@dataclass(frozen=True)
class Level:
    name: str
    title: str
    description: str
    rule: Callable[[Position, Random], ChosenMove]
    elsewhere: str = ""  # what is said on boards where the description promises too much

    def description_on(self, board: Board) -> str:
        return self.description if not self.elsewhere or is_proven_draw(board) else self.elsewhere

    def choose(self, position: Position, random: Random) -> ChosenMove:
        if position.is_over:
            raise GameAlreadyOver(f"There is nothing to play: {position.outcome}.")
        return self.rule(position, random)


def any_legal_cell(position: Position, random: Random) -> ChosenMove:
    return ChosenMove(random.choice(position.legal_cells))


def win_block_or_any(position: Position, random: Random) -> ChosenMove:
    cells = position.wins or position.threats or position.free
    return ChosenMove(random.choice(position.board.bits.cells_in[cells]))


def best_cell(position: Position, random: Random) -> ChosenMove:
    report = strongest_search(position.board).run(position)
    return ChosenMove(report.cell, report)


def is_proven_draw(board: Board) -> bool:
    """Whether either side can hold the draw from the start, so that who plays perfectly never loses."""
    return can_tabulate(board) and table_of(board)[Position.start(board)].value == 0


def strongest_search(board: Board) -> Search:
    """To the end on boards up to 4x4, where it has to remember beyond 3x3; on larger ones as far as it gets."""
    if can_tabulate(board):
        return SEARCHES["forced"]
    return SEARCHES["forced-table" if board.size <= LARGEST_SEARCHED else "deepening"]


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        level.name: level
        for level in (
            Level("beginner", "Beginner", "Plays at random.", any_legal_cell),
            Level("casual", "Casual", "Wins or blocks when it can. Otherwise plays at random.", win_block_or_any),
            Level(
                "perfect",
                "Perfect",
                "Searches to the end and never loses.",
                best_cell,
                elsewhere="Plays the best move that its search finds.",
            ),
        )
    }
)
