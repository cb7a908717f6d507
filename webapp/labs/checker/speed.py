"""How quick a student's search is: what is only slow is called slow, with its figure, and not endless.

Knows questions and replies."""

from dataclasses import dataclass

from webapp.labs.checker.findings import Finding, Question
from webapp.labs.loading.student import TIMEOUT, Reply

LEAST_NODES = 50  # of a position whose answer tells something about the speed


@dataclass
class Speed:
    """How long the file takes for a board that plain minimax visits, on the largest positions answered so far."""

    nodes: int = 0
    seconds: float = 0.0

    def hear(self, question: Question, reply: Reply) -> Finding | None:
        """Note how long an answer took. One that did not come, where smaller ones lead to expect that, is slow."""
        if reply.trouble == TIMEOUT and self.seconds * question.nodes > self.nodes * reply.seconds / 2:
            return self.slow(question, reply)
        if not reply.trouble and question.nodes >= max(LEAST_NODES, self.nodes // 2):
            self.nodes, self.seconds = question.nodes, reply.seconds
        return None

    @property
    def figure(self) -> str:
        """Its speed in words, if it is known."""
        return f"about {1e6 * self.seconds / self.nodes:,.0f} microseconds for each board" if self.nodes else ""

    def slow(self, question: Question, reply: Reply) -> Finding:
        needed = in_words(self.seconds / self.nodes * question.nodes)
        return Finding(
            f"no answer within {reply.seconds:.0f} seconds: {self.figure} that plain minimax visits",
            "an answer in that time",
            f"Smaller boards were answered, so it is slow, not endless. At this speed this board takes {needed}. "
            "--patience 3 gives it three times as long.", "slow", is_answer=False,
        )  # fmt: skip

    def too_slow(self, done: int, total: int, seconds: float) -> Finding:
        figure = f" ({self.figure} that plain minimax visits)" * bool(self.nodes)
        return Finding(
            f"{done:,} right answers of {total:,} in {in_words(seconds)}{figure}",
            "all of them in that time",
            "All answers so far were right, but the search is too slow to be checked to the end. "
            "--patience 3 gives it three times as long.", "slow", is_answer=False,
        )  # fmt: skip


def in_words(seconds: float) -> str:
    return f"about {seconds / 60:.0f} minutes" if seconds >= 90 else f"about {max(1, seconds):.0f} seconds"
