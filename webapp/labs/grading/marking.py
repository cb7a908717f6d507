"""Checks the files of a class on all cores, equal files once, and goes on where an earlier run was interrupted.

Knows who handed in what and how one file is checked; one bad file never stops the rest."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from webapp.labs.checker.labs import Lab
from webapp.labs.grading.handed_in import Submission
from webapp.labs.grading.marked import Marked, marked
from webapp.labs.grading.worker import CannotCheck, Worker

Tell = Callable[["Standing"], None]


@dataclass(frozen=True)
class Job:
    """What is asked of every file."""

    lab: Lab
    patience: float = 1.0
    site: str | None = None


@dataclass
class Standing:
    """How far it is: files that are equal count once."""

    total: int
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float | None:
        """As long as so many files took until now; unknown before the first."""
        return (time.monotonic() - self.began) / self.done * (self.total - self.done) if self.done else None

    @property
    def words(self) -> str:
        left = self.seconds_left
        if left is None or self.done == self.total:
            return f"{self.done} of {self.total} files checked"
        time_left = f"{left / 60:.0f} minutes" if left >= 90 else f"{left:.0f} seconds"
        return f"{self.done} of {self.total} files checked, about {time_left} left"


class Kept:
    """What is known from a run that did not come to its end, and grows with this one; gone when all is done."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows = {row.key: row for row in self.read()}

    def read(self) -> Iterator[Marked]:
        if self.path is None or not self.path.exists():
            return
        for line in self.path.read_text("utf-8").splitlines():
            try:
                yield Marked(**json.loads(line))
            except (ValueError, TypeError):  # the last line, cut in the middle
                continue

    def add(self, row: Marked) -> None:
        if self.path is None:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")

    def drop(self) -> None:
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def mark_class(submissions: list[Submission], job: Job, kept: Kept, now: str, tell: Tell) -> Iterator[Marked]:
    """One row a student, each as soon as it is known."""
    waiting: dict[str, list[tuple[Marked, Submission]]] = {}
    for submission in submissions:
        row = marked(submission, now)
        if row.key in kept.rows:
            yield kept.rows[row.key]
        elif submission.file is None:
            yield row
        else:
            waiting.setdefault(row.sha256, []).append((row, submission))
    for rows in checked(list(waiting.values()), job, tell):
        for row in rows:
            kept.add(row)
            yield row


def checked(groups: list[list[tuple[Marked, Submission]]], job: Job, tell: Tell) -> Iterator[list[Marked]]:
    """Check the first of each group of equal files; all of a group get its report."""
    standing, workers = Standing(len(groups)), Workers()
    tell(standing)
    with ThreadPoolExecutor(workers.count) as pool:
        try:
            futures = {pool.submit(workers.report, group[0][1], job): group for group in groups}
            for future in finished(set(futures)):
                standing.done += 1
                tell(standing)
                yield [with_report(row, future) for row, _ in futures[future]]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            workers.stop()


def finished(futures: "set[Future[Any]]") -> "Iterator[Future[Any]]":
    """Each as it ends; a wait without an end can miss Ctrl-C."""
    while futures:
        done, futures = wait(futures, timeout=0.5, return_when=FIRST_COMPLETED)
        yield from done


def with_report(row: Marked, future: "Future[dict[str, Any]]") -> Marked:
    try:
        row.report = future.result()
    except (CannotCheck, OSError) as error:
        row.problems = [*row.problems, str(error)]
    return row


class Workers:
    """One process for each core, each used by one thread."""

    def __init__(self) -> None:
        self.count = os.cpu_count() or 1
        self.own, self.all = threading.local(), list[Worker]()
        self.has_stopped = False

    def report(self, submission: Submission, job: Job) -> dict[str, Any]:
        if not hasattr(self.own, "worker"):
            self.own.worker = Worker()
            self.all.append(self.own.worker)
        if submission.file is None or self.has_stopped:
            raise CannotCheck("it was not checked")
        return self.own.worker.report(job.lab.name, submission.file, job.patience, job.site)  # type: ignore[no-any-return]

    def stop(self) -> None:
        self.has_stopped = True
        for worker in self.all:
            worker.stop()
