"""One student's result: whose, which file, what the checker found; as it is kept, and told in a few words.

Knows a report as the checker writes it for machines."""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from webapp.labs.grading.handed_in import Submission
from webapp.labs.grading.scores import Points, Report, plain, total
from webapp.labs.loading.sources import sources_of


@dataclass
class Marked:
    """A row of the table: all of it can be kept as JSON."""

    student: str
    id: str = ""
    file: str = ""
    sha256: str = ""
    checker: str = ""
    checked: str = ""
    report: Report | None = None
    problems: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, ...]:
        """What must be the same for a result to be taken over from a run that was interrupted."""
        return self.student, self.id, self.file, self.sha256, self.checker

    @property
    def wrong(self) -> list[dict[str, Any]]:
        return [test for test in self.report["tests"] if not test["passed"]] if self.report else []

    @property
    def name(self) -> str:
        return f"{self.student} ({self.id})" if self.id else self.student

    def comment(self, points: Points) -> str:
        """What came, what was right and why, for the student to read."""
        if self.report is None:
            return "Nothing could be checked: " + "; ".join(self.problems) + "."
        score, tests = total(self.report, points), self.report["tests"]
        right = len(tests) - len(self.wrong)
        said = f"{plain(score.points)} of {plain(score.maximum)} points, {right} of {len(tests)} tests passed."
        return "\n".join([said, *filter(None, map(sentence, self.wrong))])


def sentence(test: dict[str, Any]) -> str:
    """One wrong test in one paragraph; those that were not asked are told by the first."""
    found = test.get("finding")
    if not found:
        return ""
    place = f" On {found['position']}" if found["position"] else ""
    words = f"{test['name']}:{place} came: {found['came']}. Right: {found['right']}. {found['why']}"
    return words + (f" {found['mistake_name']}: {found['advice']}" if found["mistake"] else "")


def marked(submission: Submission, now: str) -> Marked:
    """A row still without a report."""
    row = Marked(submission.student, submission.id, submission.name, checker=version(), checked=now)
    row.problems, row.ignored = submission.problems, submission.ignored
    if submission.file:
        row.sha256 = fingerprint(submission.file)
    return row


def fingerprint(file: Path) -> str:
    """The SHA-256 of the file; where it imports modules beside it, of all of them in turn."""
    told = hashlib.sha256(file.read_bytes())
    _, *others = sources_of(file).items()
    for name, content in others:
        told.update(name.encode() + b"\0" + content)
    return told.hexdigest()


@cache
def version() -> str:
    """Which checker it was: the same letters for the same code, from the project or from labs.pyz."""
    told = hashlib.sha256()
    for path in sorted(python_files(files("webapp.labs") / "checker"), key=lambda path: path.name):
        told.update(path.read_bytes())
    return told.hexdigest()[:12]


def python_files(folder: Traversable) -> list[Traversable]:
    return [path for path in folder.iterdir() if path.name.endswith(".py")]
