"""A transposition table: the recursive function wrapped so that it remembers what it has worked out."""

from math import inf

from ..bitboard import Bitboard
from .search import Report, Value

UNKNOWN = (-inf, inf)


def remembering(value: Value, bits: Bitboard, report: Report, fold: bool) -> Value:
    """Keep for each position between which bounds its value lies; with `fold`, once for all its twins."""
    bounds: dict[tuple[int, int], tuple[float, float]] = {}
    images = bits.images

    def remembered(own: int, other: int, alpha: float, beta: float) -> float:
        key = min(zip(images[own], images[other], strict=True)) if fold else (own, other)
        low, high = bounds.get(key, UNKNOWN)
        if low >= beta or high <= alpha or low == high:
            report.nodes += 1
            report.table_hits += 1
            return low if low >= beta else high
        found = value(own, other, alpha, beta)
        # A value outside the window is only a bound: what was cut might have moved it further.
        bounds[key] = (found if found > alpha else low, found if found < beta else high)
        return found

    return remembered
