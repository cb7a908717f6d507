"""A guess at the value of an unfinished position, for searches that cannot see the end."""

from collections.abc import Callable

from ..bitboard import Bitboard


def evaluation(bits: Bitboard) -> Callable[[int, int], float]:
    """Lines still open to us less lines open to them, each weighing the square of its marks.

    The guess stays between -1 and 1, so that no guess outweighs a proven win, and a full board gives 0.
    """
    lines = bits.lines
    scale = 1 + sum(line.bit_count() ** 2 for line in lines)

    def guess(own: int, other: int) -> float:
        ours = sum((line & own).bit_count() ** 2 for line in lines if not line & other)
        theirs = sum((line & other).bit_count() ** 2 for line in lines if not line & own)
        return (ours - theirs) / scale

    return guess


def drawn(own: int, other: int) -> float:
    """For searches that see the end: nothing is left but a full board."""
    return 0
