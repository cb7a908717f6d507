"""Checks that cost less: fewer questions, since to ask for a search on all 4,520 positions takes most of the time; and
one copy of the file where what matters is how it is judged, and not how copies share the work."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tests.conftest import Sampled
from webapp.labs.checker.checking import Checker, LabTest, Result, copies
from webapp.labs.checker.findings import Question
from webapp.labs.checker.labs import Lab, quiet, results

MOST_ASKED = 4_000


def check_in_one(lab: Lab, file: Path, patience: float = 1.0, only: Collection[str] = ()) -> list[Result]:
    with Checker(copies(file, 1), patience, quiet) as checker:
        return list(results(lab, checker, only))


def few(lab: Lab, most: int = 50) -> Lab:
    """With some questions of each test, spread over all."""

    def fewer(test: LabTest) -> Sequence[Question]:
        asked = test.questions()
        return [question for question in asked[:: max(1, len(asked) // most)] if question.nodes < 1000]

    return replace(lab, tests=[replace(test, questions=partial(fewer, test)) for test in lab.tests])


def thinned(lab: Lab, sampled: Sampled) -> Lab:
    """With a sample of the questions that take a search, and each fifth of others where they are thousands: each 25th
    would leave out all drawn boards. All are asked of a file where a class is graded."""

    def fewer(test: LabTest) -> Sequence[Question]:
        asked = test.questions()
        few: Sequence[Question] = sampled(asked)
        takes_search = asked[0].nodes > 0
        return few if takes_search or len(few) == len(asked) else asked[:: 5 if len(asked) > MOST_ASKED else 1]

    return replace(lab, tests=[replace(test, questions=partial(fewer, test)) for test in lab.tests])
