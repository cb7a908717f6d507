"""What a test finds: a question, what came back, what was right and why. Accidents are findings, too.

Knows how a student's file answers, and the names of mistakes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from webapp.labs.loading.student import DIED, TIMEOUT, Call, Reply
from webapp.tictactoe import Position

LONGEST = 160


@dataclass(frozen=True)
class Finding:
    """One wrong answer explained; or, if it is not wrong, something worth knowing."""

    came: str
    right: str
    why: str
    mistake: str = ""
    details: tuple[str, ...] = ()
    is_wrong: bool = True
    is_answer: bool = True  # of the kind that was asked for: only such wrong answers can tell which mistake it is


Judge = Callable[[Reply], Finding | None]


@dataclass(frozen=True)
class Question:
    """A call, the judge of its answer, and the position it is about, if there is one."""

    call: Call
    judge: Judge
    position: Position | None = None
    nodes: int = 0
    expects_error: bool = False
    prints: bool = False
    may_be_none: bool = False
    answers: Callable[[str], str | None] | None = None

    def judged(self, reply: Reply) -> Finding | None:
        if name := missing_name(reply, self.call):
            why = "The lab asks for it by this name."
            return Finding(f"your file has no {name}", "it has one", why, is_answer=False)
        if reply.trouble and not (self.expects_error and reply.trouble not in NO_REFUSAL):
            return self.mishap(reply)
        finding = self.judge(reply)
        if finding is None or reply.trouble or reply.value is not None or self.prints:
            return finding
        if reply.output.strip():
            return printed(reply)
        return finding if self.may_be_none else nothing(finding)

    def mishap(self, reply: Reply) -> Finding | None:
        """An accident. Who asks for more input than there is may have gone wrong before, on the screen."""
        if self.answers is None:
            return accident(reply)
        seen = self.judge(reply) if reply.trouble == "EOFError" else None
        return seen or replace(accident(reply), details=last_lines(reply.output))

    def remark(self, reply: Reply) -> Finding | None:
        """Something worth knowing about a right answer: nobody asked for what was printed with it."""
        if self.prints or self.expects_error or not reply.output.strip():
            return None
        why = "What is printed while a function works does not count here, but it costs time."
        return Finding(f"printed {shown(reply.output.strip())}", "nothing printed", why, "prints-along", is_wrong=False)

    @property
    def asked(self) -> str:
        """The call as a student would type it."""
        args = ", ".join(shown(arg) for arg in self.call.args)
        if not self.call.make:
            return f"{self.call.name}({args})"
        return f"game.build_game({shown(self.call.board)}); game.{self.call.name}({args})"


@dataclass(frozen=True)
class Questions(Sequence[Question]):
    """Each is made when it is asked: a wrong file is asked few of the thousands."""

    make: Callable[[Any], Question]
    about: Sequence[Any]

    def __len__(self) -> int:
        return len(self.about)

    @overload
    def __getitem__(self, index: int) -> Question: ...
    @overload
    def __getitem__(self, index: slice) -> "Questions": ...
    def __getitem__(self, index: int | slice) -> "Question | Questions":
        about = self.about[index]
        return Questions(self.make, about) if isinstance(index, slice) else self.make(about)


def missing_name(reply: Reply, call: Call) -> str:
    """The name that was asked for and is not there, or ""."""
    asked = [call.make, "build_game", call.name] if call.make else [call.name]
    is_about = reply.trouble == "AttributeError" and reply.line is None  # raised on our side of the call
    return next((name for name in asked if is_about and reply.message.endswith(f"'{name}'")), "")


def shown(value: Any) -> str:
    """A value as Python writes it, cut to a length one can read; sets in order."""
    in_order = isinstance(value, set) and value
    text = "{" + ", ".join(sorted(map(repr, value))) + "}" if in_order else repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def last_lines(screen: str) -> tuple[str, ...]:
    lines = screen.splitlines()[-14:]
    return ("The last lines on the screen:", *("  " + line for line in lines)) if lines else ()


def nothing(finding: Finding) -> Finding:
    """Nothing was returned where None is never an answer."""
    return replace(finding, mistake=finding.mistake or "nothing-returned", is_answer=False)


def printed(reply: Reply) -> Finding:
    """Nothing was returned where something was due, but something was printed."""
    return Finding(
        f"nothing (None); but this was printed: {shown(reply.output.strip())}",
        "a value that is returned", "The function that called yours gets only what is returned.",
        "prints-not-returns",
    )  # fmt: skip


ACCIDENTS = {
    TIMEOUT: ("never-ends", "no answer"),
    DIED: ("ends-the-program", "nothing: the whole program ended"),
    "SystemExit": ("ends-the-program", "nothing: the program was told to exit"),
    "OutputFlood": ("prints-flood", "nothing: it went on printing"),
    "MemoryError": ("eats-memory", "nothing: it ran out of memory"),
    "RecursionError": ("calls-itself-for-ever", "nothing: it called itself too deeply"),
    "NotImplementedError": ("not-written", "nothing: NotImplementedError"),
    "NotUtf8": ("not-utf-8", "nothing: Python cannot read the letters of the file"),
    "EOFError": ("", "nothing: it called input() where nothing is typed"),
}
NO_REFUSAL = ACCIDENTS.keys() - {"NotImplementedError"}  # an action may be refused by any error of its own


def accident(reply: Reply) -> Finding:
    """Put an error, an endless loop or an end of the program into words."""
    mistake, came = ACCIDENTS.get(reply.trouble, ("", f"an error, {reply.trouble}: {reply.message}"))
    if reply.trouble == TIMEOUT:
        came = f"no answer within {reply.seconds:.0f} seconds"
    if reply.line:
        came += f" (line {reply.line} of your file: {reply.code})"
    why = "A call must come back with an answer, whatever the board."
    return Finding(came, "an answer", why, mistake, is_answer=False)
