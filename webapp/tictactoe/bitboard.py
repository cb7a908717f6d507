"""A board for machines: sets of cells as integers, bit k for cell k. Knows neither marks nor turns."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache

Cells = tuple[int, ...]

# Answers kept for one board: all 512 sets of cells of 3x3, all 65,536 of 4x4, the latest of larger boards.
KEPT = 2**16


def bits_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def cell_of(bit: int) -> int:
    """The number of the lowest cell in a set."""
    return (bit & -bit).bit_length() - 1


class Bitboard:
    """What a search asks about a board, thousands of times a second: so every answer is kept."""

    def __init__(self, size: int, lines: tuple[Cells, ...], symmetries: tuple[Cells, ...]) -> None:
        self.full = (1 << size) - 1
        self.lines = tuple(bits_of(line) for line in lines)
        reading = tuple(1 << cell for cell in range(size))
        central = sorted(reading, key=lambda bit: -sum(1 for line in self.lines if line & bit))

        self.in_reading_order = picker(reading)
        self.central_first = picker(central)  # on 3x3: centre, corners, edges

        @lru_cache(KEPT)
        def cells_in(bits: int) -> Cells:
            return tuple(cell for cell in range(size) if bits >> cell & 1)

        @lru_cache(KEPT)
        def has_line(cells: int) -> bool:
            return any(cells & line == line for line in self.lines)

        @lru_cache(KEPT)
        def completing(cells: int) -> int:
            """The cells of which any one would complete a line of these."""
            missing = {line & ~cells for line in self.lines}
            return sum(bit for bit in missing if bit.bit_count() == 1)

        @lru_cache(KEPT)
        def images(cells: int) -> Cells:
            """The same cells seen through every symmetry of the board."""
            return tuple(bits_of(image[cell] for cell in cells_in(cells)) for image in symmetries)

        self.cells_in: Callable[[int], Cells] = cells_in
        self.has_line: Callable[[int], bool] = has_line
        self.completing: Callable[[int], int] = completing
        self.images: Callable[[int], Cells] = images


def picker(order: Iterable[int]) -> Callable[[int], Cells]:
    """A function from a set of cells to its single bits, in this order."""

    @lru_cache(KEPT)
    def pick(cells: int) -> Cells:
        return tuple(bit for bit in order if cells & bit)

    return pick


@cache
def bitboard_of(size: int, lines: tuple[Cells, ...], symmetries: tuple[Cells, ...]) -> Bitboard:
    """One bitboard for all boards of a shape, so that what it has worked out is shared."""
    return Bitboard(size, lines, symmetries)
