"""Labs with fewer questions: to ask for a search on all 4,520 positions takes most of the time of a check."""

from dataclasses import replace

from tests.conftest import Sampled
from webapp.labs.checker.checking import LabTest
from webapp.labs.checker.labs import Lab


def few(lab: Lab, most: int = 50) -> Lab:
    """With some questions of each test, spread over all."""

    def fewer(test: LabTest) -> LabTest:
        asked = [question for question in test.questions() if question.nodes < 1000]
        return replace(test, questions=lambda: asked[:: max(1, len(asked) // most)])

    return replace(lab, tests=[fewer(test) for test in lab.tests])


def thinned(lab: Lab, sampled: Sampled) -> Lab:
    """With all its questions but those that take a search, and of these a sample."""

    def fewer(test: LabTest) -> LabTest:
        asked = test.questions()
        few = [question for question in asked if not question.nodes]
        few += sampled([question for question in asked if question.nodes])
        return replace(test, questions=lambda: few)

    return replace(lab, tests=[fewer(test) for test in lab.tests])
