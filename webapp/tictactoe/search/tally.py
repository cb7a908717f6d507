"""What a search counts, and the shape of the recursive function that does the work."""

from collections.abc import Callable
from dataclasses import dataclass

Value = Callable[[int, int, float, float], float]  # own cells, other cells, alpha, beta -> value
Wrap = Callable[[Value], Value]


@dataclass(slots=True)
class Tally:
    """What a search has done so far. A position is a node each time it is arrived at, the root included."""

    nodes: int = 0
    leaves: int = 0  # positions valued without looking further
    cutoffs: int = 0
    table_hits: int = 0
