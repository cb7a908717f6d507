"""A board for machines: sets of cells as integers, bit k for cell k. Knows neither marks nor turns."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

Cells = tuple[int, ...]
Moves = tuple[int, ...]  # each a set of one cell
Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)


def bits_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def cell_of(move: int) -> int:
    return move.bit_length() - 1


class Lookup(Protocol[Value_co]):
    """Answers about sets of cells that are not worked out twice: `has_line[cells]`."""

    def __getitem__(self, cells: int, /) -> Value_co: ...


class Growing(dict[int, Value]):
    """A look-up that works out each answer when it is first asked for."""

    # All 65,536 sets of 4x4 find room; for larger boards it starts afresh when it is full.
    MOST = 2**16

    def __init__(self, work_out: Callable[[int], Value]) -> None:
        super().__init__()
        self.work_out = work_out

    def __missing__(self, cells: int) -> Value:
        if len(self) == self.MOST:
            self.clear()
        answer = self[cells] = self.work_out(cells)
        return answer


class Bitboard:
    """What a search asks about a board, thousands of times a second."""

    def __init__(self, size: int, lines: tuple[Cells, ...], symmetries: tuple[Cells, ...]) -> None:
        self.size = size
        self.full = (1 << size) - 1
        self.lines = tuple(bits_of(line) for line in lines)
        self.symmetries = symmetries
        moves = [1 << cell for cell in range(size)]
        # On 3x3: centre, corners, edges.
        central = sorted(moves, key=lambda move: -sum(1 for line in self.lines if line & move))

        self.cells_in = self._lookup(lambda cells: tuple(cell for cell in range(size) if cells >> cell & 1))
        self.in_reading_order = self._lookup(lambda cells: tuple(move for move in moves if cells & move))
        self.central_first = self._lookup(lambda cells: tuple(move for move in central if cells & move))
        self.has_line = self._lookup(lambda cells: any(cells & line == line for line in self.lines))
        self.bars_every_line = self._lookup(lambda cells: all(cells & line for line in self.lines))
        self.completing = self._lookup(self._completing)
        self.images: Lookup[tuple[int, ...]] = Growing(self._images)  # for one search only, so not all at once

    def _lookup(self, work_out: Callable[[int], Value]) -> Lookup[Value]:
        """A list of all answers is the quickest, where it is short: there are 512 sets of nine cells."""
        return [work_out(cells) for cells in range(2**self.size)] if self.size <= 9 else Growing(work_out)

    def _completing(self, cells: int) -> int:
        """The cells of which any one would complete a line of these."""
        found = 0
        for line in self.lines:
            missing = line & ~cells
            if missing & (missing - 1) == 0:  # one cell at most
                found |= missing
        return found

    def _images(self, cells: int) -> tuple[int, ...]:
        """The same cells seen through every symmetry of the board."""
        inside = self.cells_in[cells]
        return tuple(bits_of(image[cell] for cell in inside) for image in self.symmetries)
