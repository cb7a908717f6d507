"""A student's lab file as an agent on the site: `connect`. Knows how a file is asked; the rest is the client's."""

import argparse
import sys
import time

from webapp.labs.checker.positions import SIDE
from webapp.labs.loading.sources import sources_of
from webapp.labs.loading.student import Student
from webapp.labs.noughts_client import Job, Move, NoMove, play, say
from webapp.labs.playing import WAYS, Turn, ask, load
from webapp.tictactoe import Mark, Position

COUNTED_WITHIN = 0.03  # seconds: the boards of a quick search are counted by running it again, ten times as slowly
LONGEST = 60.0  # seconds for a move where no clock runs: somebody waits for it
ON_THE_WAY = 1.0  # second of the time for a move that is left for the network
AT_LEAST = 0.2  # seconds, where the site says that no time is left


class LabAgent:
    """Asks the file for moves. What it raises is told by the client, and costs that game."""

    def __init__(self, lab: str, student: Student) -> None:
        self.lab, self.student = lab, student
        self.games: set[str] = set()
        self.sources = sources_of(student.file)

    def __call__(self, job: Job) -> Move:
        began = time.perf_counter()
        if (job.rows, job.columns, job.in_a_row) != (SIDE, SIDE, SIDE):
            raise NoMove(f"{self.name} plays on {SIDE} x {SIDE} boards only.")
        if job.game not in self.games:
            self.games.add(job.game)
            self.read_again()
        limit = None if job.seconds is None else within(job.seconds - (time.perf_counter() - began))
        self.student.most = limit or LONGEST
        position = Position.parse(job.position, Mark(job.mark))
        turn = ask(WAYS[self.lab], self.student, position, time.perf_counter, COUNTED_WITHIN, limit)
        if turn.cell is None:
            raise self.no_move(turn)
        return Move(turn.cell, turn.nodes or None, max(1, round(1e6 * turn.seconds)))

    @property
    def name(self) -> str:
        return self.student.file.name

    def read_again(self) -> None:
        """A new game is played by the file as it is now."""
        try:
            sources = sources_of(self.student.file)
        except OSError:  # an editor is at it
            return
        if sources != self.sources:
            self.sources = sources
            say(f"{self.name} has changed and was read again.")
            if trouble := load(self.lab, self.student):
                raise self.no_move(trouble)

    def no_move(self, turn: Turn) -> NoMove:
        sentence = turn.sentence.replace("your file", self.name).replace("Your file", self.name)
        return NoMove(sentence, turn.trace, turn.taken)


def within(seconds: float) -> float:
    """How long a file is asked where the clock of a competition stops it after so many seconds."""
    return max(AT_LEAST, seconds - min(ON_THE_WAY, seconds / 10))


def connect(args: argparse.Namespace) -> int:
    with Student(args.file) as student:
        if trouble := load(args.lab, student):
            print(trouble.trace, trouble.sentence, sep="", file=sys.stderr)  # noqa: T201
            return 1
        if (name := WAYS[args.lab].name) not in student.load().names:  # it would lose each game by that
            why = f"{args.file.name} has no {name}, which the lab {args.lab} asks for."
            print(why, "Is it the file of another lab?", file=sys.stderr)  # noqa: T201
            return 1
        return play(args.site, LabAgent(args.lab, student), agent=args.agent)
