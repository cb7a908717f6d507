"""What is measured: how long other people's pages take in each stretch, and how much memory the workers hold."""

import statistics
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.soak.site import Site
from tests.soak.students import Sample


class Stretch(NamedTuple):
    name: str
    did: str
    begins: float
    ends: float
    is_pause: bool
    cuts: bool
    posts: Counter[str]  # how what students sent was answered


def p99(samples: Sequence[Sample], stretch: Stretch) -> float:
    """In seconds, of the pages that were asked for in the stretch."""
    times = sorted(sample.seconds for sample in samples if stretch.begins <= sample.moment < stretch.ends)
    return times[min(len(times) - 1, int(len(times) * 0.99))] if times else float("nan")


def pages(samples: Sequence[Sample], stretch: Stretch) -> Counter[str]:
    return Counter(
        str(sample.status or "none") for sample in samples if stretch.begins <= sample.moment < stretch.ends
    )


class Memory:
    """The memory of each worker, noted every second; of workers that stay, as in the second half of a soak."""

    def __init__(self, site: Site, stopped: threading.Event) -> None:
        self.site, self.stopped = site, stopped
        self.noted: list[dict[int, int]] = []

    def watch(self) -> None:
        while not self.stopped.wait(1):
            self.noted.append({pid: _kilobytes(pid) for pid in self.site.workers()})

    def growth(self) -> float | None:
        """The last quarter of what was noted beside the second, for the worker that grew most."""
        quarter = len(self.noted) // 4
        if not quarter:
            return None
        second, last = self.noted[quarter : 2 * quarter], self.noted[-quarter:]
        stayed = set.intersection(*(set(one) for one in second + last))
        means = [
            [statistics.mean(one[pid] for one in part) for part in (second, last)] for pid in stayed
        ]  # fmt: skip
        return max((after / before for before, after in means if before), default=None)


def _kilobytes(pid: int) -> int:
    """Of the worker's own: what it shares with others by fork is not counted twice."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    private = [line for line in lines if line.startswith(("Private_Dirty", "Private_Clean"))]
    return sum(int(line.split()[1]) for line in private)
