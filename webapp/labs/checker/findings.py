"""What a test finds: a question, what came back, what was right and why. Accidents are findings, too.

Knows how a student's file answers, and the names of mistakes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
    answers: Callable[[str], str | None] | None = None

    def judged(self, reply: Reply, seconds: float) -> Finding | None:
        if name := missing_name(reply, self.call):
            return Finding(f"your file has no {name}", "it has one", "The lab asks for it by this name.")
        if reply.trouble and not (self.expects_error and reply.trouble not in ACCIDENTS):
            return accident(reply, seconds)
        finding = self.judge(reply)
        if finding and not reply.trouble and reply.value is None and reply.output.strip() and not self.prints:
            return printed(reply)
        return finding

    @property
    def asked(self) -> str:
        """The call as a student would type it."""
        args = ", ".join(shown(arg) for arg in self.call.args)
        if not self.call.make:
            return f"{self.call.name}({args})"
        return f"game.build_game({shown(self.call.board)}); game.{self.call.name}({args})"


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


def accident(reply: Reply, seconds: float) -> Finding:
    """Put an error, an endless loop or an end of the program into words."""
    mistake, came = ACCIDENTS.get(reply.trouble, ("", f"an error, {reply.trouble}: {reply.message}"))
    if reply.trouble == TIMEOUT:
        came = f"no answer within {seconds:.0f} seconds"
    if reply.line:
        came += f" (line {reply.line} of your file: {reply.code})"
    why = "A call must come back with an answer, whatever the board."
    return Finding(came, "an answer", why, mistake)
