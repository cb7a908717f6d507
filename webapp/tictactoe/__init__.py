"""The rules of tic-tac-toe and the search. Standard library only: no website, no clock, no dice."""

from .bitboard import Cells
from .board import STANDARD, Board
from .counting import can_count_tree, minimax_nodes
from .errors import (
    BadBoard,
    BadPosition,
    BoardTooLarge,
    CellOffBoard,
    CellTaken,
    GameAlreadyOver,
    IllegalMove,
    Refused,
)
from .levels import LEVELS, ChosenMove, Level, is_proven_draw
from .marks import Mark, O, X, mover, moves_by
from .move_value import MoveValue, move_value
from .openings import Opening, openings
from .position import Outcome, Position, Reason, replay
from .reasons import Reasons, reasons
from .references import ALL_LEVELS, REFERENCES
from .search import SEARCHES, Report, Search
from .search.walk import Branch, Counts, Walk, walk_of
from .search.why import Why
from .table import LARGEST_TABULATED, Entry, Table, can_tabulate, table_of

__all__ = [
    "ALL_LEVELS",
    "LARGEST_TABULATED",
    "LEVELS",
    "REFERENCES",
    "SEARCHES",
    "STANDARD",
    "BadBoard",
    "BadPosition",
    "Board",
    "BoardTooLarge",
    "Branch",
    "CellOffBoard",
    "CellTaken",
    "Cells",
    "ChosenMove",
    "Counts",
    "Entry",
    "GameAlreadyOver",
    "IllegalMove",
    "Level",
    "Mark",
    "MoveValue",
    "O",
    "Opening",
    "Outcome",
    "Position",
    "Reason",
    "Reasons",
    "Refused",
    "Report",
    "Search",
    "Table",
    "Walk",
    "Why",
    "X",
    "can_count_tree",
    "can_tabulate",
    "is_proven_draw",
    "minimax_nodes",
    "move_value",
    "mover",
    "moves_by",
    "openings",
    "reasons",
    "replay",
    "table_of",
    "walk_of",
]
