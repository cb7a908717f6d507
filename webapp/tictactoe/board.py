"""The board as a shape: rows, columns, how many in a row win, and what follows from them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from .bitboard import Bitboard, Cells
from .errors import BadBoard

LARGEST_SIDE = 10

# How people call the rows and columns of three by three; other boards count theirs.
ROWS = ("top", "middle", "bottom")
COLUMNS = ("left", "centre", "right")
COLUMN_LINES = ("left column", "middle column", "right column")


@dataclass(frozen=True)
class Board:
    """A shape. Cells are numbered from 0 in reading order."""

    rows: int = 3
    columns: int = 3
    in_a_row: int = 3

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= LARGEST_SIDE and 1 <= self.columns <= LARGEST_SIDE):
            raise BadBoard(f"A board has 1 to {LARGEST_SIDE} rows and columns.")
        if not 1 <= self.in_a_row <= max(self.rows, self.columns):
            raise BadBoard(f"{self.in_a_row} in a row do not fit on a board of {self.rows} x {self.columns}.")

    def __reduce__(self) -> tuple[type["Board"], tuple[int, int, int]]:
        """Only the shape is pickled; the rest follows from it."""
        return Board, (self.rows, self.columns, self.in_a_row)

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}, {self.in_a_row} in a row"

    @property
    def shape(self) -> str:
        """The shape as one short word: 3x3x3 is three rows, three columns, three in a row."""
        return f"{self.rows}x{self.columns}x{self.in_a_row}"

    @cached_property
    def size(self) -> int:
        return self.rows * self.columns

    def row_of(self, cell: int) -> int:
        return cell // self.columns

    def column_of(self, cell: int) -> int:
        return cell % self.columns

    def cell_at(self, row: int, column: int) -> int:
        return row * self.columns + column

    def has_cell(self, cell: int) -> bool:
        return 0 <= cell < self.size

    @cached_property
    def lines(self) -> tuple[Cells, ...]:
        """Every run of cells that wins: rows, then columns, then both diagonals."""
        steps = (0, 1), (1, 0), (1, 1), (1, -1)
        runs = (self._run(cell, step) for step in steps for cell in range(self.size))
        return tuple(dict.fromkeys(run for run in runs if run))

    def _run(self, start: int, step: tuple[int, int]) -> Cells:
        first_row, first_column = self.row_of(start), self.column_of(start)
        places = [(first_row + step[0] * k, first_column + step[1] * k) for k in range(self.in_a_row)]
        row, column = places[-1]
        if not (row < self.rows and 0 <= column < self.columns):
            return ()
        return tuple(self.cell_at(*place) for place in places)

    @cached_property
    def symmetries(self) -> tuple[Cells, ...]:
        """The turns and reflections that leave the shape as it is, itself first.

        Each is a tuple that says for every cell where it goes.
        """
        grid = [tuple(range(self.size))[start:][: self.columns] for start in range(0, self.size, self.columns)]
        grids = [grid, list(zip(*grid, strict=True))] if self.rows == self.columns else [grid]
        images = (
            tuple(cell for row in each[::down] for cell in row[::along])
            for each in grids
            for down in (1, -1)
            for along in (1, -1)
        )
        return tuple(dict.fromkeys(images))

    @cached_property
    def bits(self) -> Bitboard:
        """The same shape as the search sees it: cells as bits of an integer."""
        return bitboard_of(self)

    def cell_name(self, cell: int) -> str:
        """The cell in words: "top left" on a board of three by three, else "row 2, column 3"."""
        row, column = self.row_of(cell), self.column_of(cell)
        if not self._is_three_by_three:
            return f"row {row + 1}, column {column + 1}"
        return "centre" if row == column == 1 else f"{ROWS[row]} {COLUMNS[column]}"

    def line_name(self, line: Cells) -> str:
        """The line in words: "top row", "right column" or "row 2", "column 4"; diagonals by their first cell."""
        row, column = self.row_of(line[0]), self.column_of(line[0])
        if self.row_of(line[-1]) == row:
            return f"{ROWS[row]} row" if self._is_three_by_three else f"row {row + 1}"
        if self.column_of(line[-1]) == column:
            return COLUMN_LINES[column] if self._is_three_by_three else f"column {column + 1}"
        return f"diagonal from {'the ' if self._is_three_by_three else ''}{self.cell_name(line[0])}"

    @property
    def _is_three_by_three(self) -> bool:
        return self.rows == self.columns == 3


@lru_cache(8)
def bitboard_of(board: Board) -> Bitboard:
    """One bitboard for all boards of a shape, so that what it has worked out is shared; the latest few are kept."""
    return Bitboard(board.size, board.lines, board.symmetries)


STANDARD = Board()
