"""A board for machines: sets of cells as integers, bit k for cell k. Knows neither marks nor turns."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

Cells = tuple[int, ...]
Answer = TypeVar("Answer")


def bits_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def cell_of(move: int) -> int:
    """The cell of a move, which is a set of one."""
    return move.bit_length() - 1


class Lookup(dict[int, Answer]):
    """Answers about sets of cells, each worked out when first asked for; as quick as a dict from then on."""

    # All 512 sets of 3x3 and all 65,536 of 4x4 find room; for larger boards it starts afresh when it is full.
    MOST = 2**16

    def __init__(self, work_out: Callable[[int], Answer]) -> None:
        super().__init__()
        self.work_out = work_out

    def __missing__(self, cells: int) -> Answer:
        if len(self) == self.MOST:
            self.clear()
        answer = self[cells] = self.work_out(cells)
        return answer


class Bitboard:
    """What a search asks about a board, thousands of times a second."""

    def __init__(self, size: int, lines: tuple[Cells, ...], symmetries: tuple[Cells, ...]) -> None:
        self.full = (1 << size) - 1
        self.lines = tuple(bits_of(line) for line in lines)
        self.symmetries = symmetries
        moves = [1 << cell for cell in range(size)]
        # On 3x3: centre, corners, edges.
        central = sorted(moves, key=lambda move: -sum(1 for line in self.lines if line & move))

        self.cells_in = Lookup(lambda bits: tuple(cell for cell in range(size) if bits >> cell & 1))
        self.in_reading_order = Lookup(lambda bits: tuple(move for move in moves if bits & move))
        self.central_first = Lookup(lambda bits: tuple(move for move in central if bits & move))
        self.has_line = Lookup(lambda cells: any(cells & line == line for line in self.lines))
        self.completing = Lookup(self._completing)
        self.images = Lookup(self._images)

    def _completing(self, cells: int) -> int:
        """The cells of which any one would complete a line of these."""
        missing = {line & ~cells for line in self.lines}
        return sum(move for move in missing if move.bit_count() == 1)

    def _images(self, cells: int) -> Cells:
        """The same cells seen through every symmetry of the board."""
        inside = self.cells_in[cells]
        return tuple(bits_of(image[cell] for cell in inside) for image in self.symmetries)


@cache
def bitboard_of(size: int, lines: tuple[Cells, ...], symmetries: tuple[Cells, ...]) -> Bitboard:
    """One bitboard for all boards of a shape, so that what it has worked out is shared."""
    return Bitboard(size, lines, symmetries)
