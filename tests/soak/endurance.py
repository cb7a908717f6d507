"""One soak: a class begins to play, each fault comes and goes and is checked for, then play goes on undisturbed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.factories import make_classroom
from tests.operations.answer_checks import check_beside
from tests.operations.players import Log
from tests.soak.faults import FAULTS, Fault, calm
from tests.soak.measures import Memory, Stretch, pages
from tests.soak.site import Site, running_site
from tests.soak.students import NO_ANSWER, Instructor, Program, Reader, Sample, Student
from webapp.accounts.queries import account_named
from webapp.agents.services import make_agent
from webapp.classrooms.models import Classroom
from webapp.database import reading
from webapp.operations.broken import Broken

ALLOWED = {200, 204, 303, 404, 409, 429, 503, None}  # what a page or post may answer while something is broken
READERS, AGENTS = 3, 3
WHAT_IS_ON_ITS_WAY = 10  # seconds


@dataclass
class Outcome:
    kind: str
    stretches: list[Stretch] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    log: Log = field(default_factory=list)
    broken: list[tuple[str, Broken]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)  # faults that met an answer which must not be
    left_out: list[str] = field(default_factory=list)
    growth: float | None = None
    traceback: str = ""  # the first one in the server's log, where there is to be none

    @property
    def moves(self) -> int:
        return sum(entry["did"] == "move" and entry["status"] == 303 for entry in self.log)

    @property
    def bad_statuses(self) -> set[int | None]:
        told = {entry["status"] for entry in self.log if "status" in entry} | {one.status for one in self.samples}
        return told - ALLOWED

    @property
    def unanswered(self) -> list[str]:
        """In which stretches somebody got no answer although no process was killed."""
        whole = [stretch for stretch in self.stretches if not stretch.cuts]
        return [one.name for one in whole if (one.posts + pages(self.samples, one))["none"]]


def patiently(step: Callable[[], None]) -> None:
    """Again while the site says that it is busy, as two hundred who come at once may hear."""
    for _ in range(20):
        try:
            return step()
        except (AssertionError, *NO_ANSWER):
            time.sleep(1)
    return step()


class Soak:
    def __init__(self, site: Site, outcome: Outcome, students: int, think: float, say: Callable[[str], None]) -> None:
        self.site, self.outcome, self.say = site, outcome, say
        self.stopped = threading.Event()
        self.students = [Student(site.server, number, outcome.log, self.stopped, think) for number in range(students)]
        self.threads: list[threading.Thread] = []

    def begin(self, target: Callable[..., None], *given: Any) -> None:
        self.threads.append(threading.Thread(target=target, args=given, daemon=True))
        self.threads[-1].start()

    @contextmanager
    def at_play(self) -> Iterator[None]:
        classroom, code, tokens = self._make_class()
        for student in self.students:
            patiently(lambda student=student: student.join_class(code))  # type: ignore[misc]
            self.begin(student.live)
        for number, token in enumerate(tokens):
            self.begin(Program(self.site.server, 10_000 + number, token, self.outcome.log).live, self.stopped)
        instructor = Instructor(self.site.server)
        patiently(lambda: instructor.enter("teacher7"))
        self.begin(instructor.watch, classroom, self.stopped, self.outcome.log)
        for number in range(READERS):
            reader = Reader(self.site.server)
            patiently(lambda reader=reader, name=f"reader{number}": reader.settle(name))  # type: ignore[misc]
            self.begin(reader.read, self.stopped, self.outcome.samples)
        try:
            yield
        finally:
            self.stopped.set()
            for thread in self.threads:
                thread.join(60)

    def _make_class(self) -> tuple[str, str, list[str]]:
        with self.site.app() as app, app.app_context():
            classroom = make_classroom(app, "teacher7", seat_limit=len(self.students))
            owner = account_named("teacher7")
            tokens = [make_agent(owner, f"program{number}").token for number in range(AGENTS)]
            with reading() as connection:
                row = connection.execute(Classroom.__table__.select()).one()
        return classroom, str(row.join_code), tokens

    def endure(self, fault: Fault, seconds: float) -> None:
        begins, first = time.monotonic(), len(self.outcome.log)
        did = self._run(fault, seconds)
        posts = Counter(str(entry["status"] or "none") for entry in self.outcome.log[first:] if "status" in entry)
        ends = time.monotonic()
        self.outcome.stretches.append(Stretch(fault.name, did, begins, ends, fault.is_pause, fault.cuts, posts))
        time.sleep(min(3, seconds))  # what was under way ends
        broken = self._broken()
        self.outcome.broken += [(fault.name, one) for one in broken]
        self.say(f"{self.outcome.kind}: {fault.name}: {did or 'nothing'}; {len(broken)} promises broken")

    def _broken(self) -> list[Broken]:
        """Looked at twice, because people play on: what was refused, sent again and stored seems to be a trace of the
        refusal as long as the second answer is on its way. What is really broken stays so.
        """
        found = self._check()
        if found:
            time.sleep(WHAT_IS_ON_ITS_WAY)
            later = self._check()
            found = [one for one in found if one in later]
        return found

    def _check(self) -> list[Broken]:
        return check_beside(self.site.server.database, list(self.outcome.log), [self.site.server.log])

    def _run(self, fault: Fault, seconds: float) -> str:
        """A fault that gets an answer which it must not get is told with the figures, and does not cost them."""
        try:
            return fault.run(self.site, seconds)
        except Exception as trouble:
            self.outcome.failed.append(f"{fault.name}: {trouble!r}")
            return "FAILED"

    def rest(self, seconds: float) -> None:
        """Play without faults, long enough to see whether the workers grow."""
        memory = Memory(self.site, self.stopped)
        self.begin(memory.watch)
        self.endure(Fault("undisturbed", calm), seconds)
        self.outcome.growth = memory.growth()


def soak(
    kind: str, seconds: float, students: int, think: float, say: Callable[[str], None] = print,
    rest: float | None = None,
) -> Outcome:  # fmt: skip
    """Half of the time for faults, in an order of chance; then undisturbed play, as long unless `rest` is given."""
    outcome = Outcome(kind)
    with running_site(kind) as site:
        meant = [fault for fault in FAULTS if kind in fault.kinds]
        possible = [fault for fault in meant if fault.needs(site)]
        outcome.left_out = [fault.name for fault in meant if fault not in possible]
        Random(seconds).shuffle(possible)
        each = seconds / 2 / (len(possible) + 1)
        one = Soak(site, outcome, students, think, say)
        with one.at_play():
            one.endure(Fault("calm", calm), each)
            for fault in possible:
                one.endure(fault, each)
            one.rest(seconds / 2 if rest is None else rest)
        for student in one.students:
            student.tell_secrets()
        site.server.kill()
        found = check_beside(site.server.database, outcome.log, [site.server.log])
        outcome.broken += [("end", broken) for broken in found]
        before, trouble, after = site.server.log.read_text().partition("Traceback")
        outcome.traceback = trouble and before[-500:] + trouble + after[:5000]
    return outcome
