"""A file whose marks have other values than the sheet's: it is told once, and then asked with its own.

Knows how calls and replies look, and nothing of the labs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from webapp.labs.checker.checking import Ask, LabTest
from webapp.labs.checker.findings import Question, Questions
from webapp.labs.loading.encoding import decode
from webapp.labs.loading.student import Call, Reply

Found = dict[str, Any]


@dataclass(frozen=True)
class Marks:
    """The sheet's marks and the file's, in the same order, and the functions that answer with marks."""

    sheet: tuple[Any, ...]
    own: tuple[Any, ...]
    answering: tuple[str, ...]

    def to_own(self, value: Any) -> Any:
        return swapped(value, self.sheet, self.own)

    def to_sheet(self, value: Any) -> Any:
        return swapped(value, self.own, self.sheet)

    def asked(self, call: Call) -> Call:
        return replace(call, args=tuple(self.to_own(arg) if isinstance(arg, list) else arg for arg in call.args))

    def answered(self, call: Call, reply: Reply) -> Reply:
        value = self.to_sheet(reply.value) if call.name in self.answering else reply.value
        return replace(reply, value=value, after=self.to_sheet(reply.after))

    def question(self, question: Question) -> Question:
        judge, call = question.judge, question.call
        return replace(question, call=self.asked(call), judge=lambda reply: judge(self.answered(call, reply)))

    def heard(self, ask: Ask) -> Ask:
        return lambda call: self.answered(call, ask(self.asked(call)))

    def test(self, test: LabTest) -> LabTest:
        """The same test, with the file's own marks in every question and in every answer."""

        def hears(listen: Callable[[Ask], str] | None) -> Callable[[Ask], str] | None:
            return listen and (lambda ask: listen(self.heard(ask)))

        questions = test.questions
        return replace(
            test, questions=lambda: Questions(self.question, questions()),
            diagnose=hears(test.diagnose), note=hears(test.note),
        )  # fmt: skip


def swapped(value: Any, old: tuple[Any, ...], new: tuple[Any, ...]) -> Any:
    """Put new marks in place of old ones, in a board or alone; what is no mark stays."""
    if isinstance(value, list):
        return [swapped(item, old, new) for item in value]
    is_mark = [type(value) is type(mark) and value == mark for mark in old]
    return new[is_mark.index(True)] if any(is_mark) else value


def own_marks(constants: dict[str, Any], found: Found, answering: tuple[str, ...]) -> Marks | None:
    """The marks of a file, if they are others than the sheet's, can be told apart, and can be handed over."""
    own = tuple(decode(found[name].get("value")) if name in found else value for name, value in constants.items())
    if own == tuple(constants.values()) or not all(isinstance(mark, str | int | float | None) for mark in own):
        return None
    return Marks(tuple(constants.values()), own, answering) if len(set(own)) == len(own) else None
