"""In which order several workers take the tests: none is to be left alone with a long one at the end."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

Test = TypeVar("Test")


def longest_first(tests: Sequence[Test], workers: int, is_long: Callable[[Test], bool]) -> list[Test]:
    """xdist deals out equal stretches of the list, later from the ends of the longer ones; so each begins with its
    share of the long tests. The others stay in their order, because neighbours share what they have set up.
    """
    long, others = [test for test in tests if is_long(test)], iter([test for test in tests if not is_long(test)])
    ordered: list[Test] = []
    for worker, size in enumerate(_stretches(len(tests), workers)):
        first = long[worker::workers]
        ordered += [*first, *islice(others, max(0, size - len(first)))]
    return [*ordered, *others]


def _stretches(count: int, workers: int) -> Iterator[int]:
    for left in range(workers, 0, -1):
        yield count // left
        count -= count // left
