"""Runs the tests of a lab over several copies of a student's file; each stops at its first wrong answer.

Knows how to ask a student's file, and nothing of what the labs want."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from pathlib import Path

from webapp.labs.checker.credit import credit_for, kind_of, sample
from webapp.labs.checker.findings import Finding, Question
from webapp.labs.checker.speed import Speed
from webapp.labs.loading.pace import PACE
from webapp.labs.loading.student import DIED, Call, Reply, Student

SECONDS_A_CALL = 3.0
SECONDS_A_NODE = 200e-6  # ten times what lists and deep copies cost on a slow laptop
SECONDS_A_TEST = 300.0
NODES_A_CHUNK = 2_000
CALLS_A_CHUNK = 250

Ask = Callable[[Call], Reply]
Progress = Callable[[str, int, int], None]
Chunk = tuple[int, list[Question]]  # the number of the first, and some that are asked in one go


@dataclass(frozen=True)
class LabTest:
    """Questions about one function, and how to find the name of a mistake by asking further."""

    name: str
    title: str
    questions: Callable[[], Sequence[Question]]
    diagnose: Callable[[Ask], str] | None = None
    note: Callable[[Ask], str] | None = None
    needs: tuple[str, ...] = ()  # tests of the functions that this one usually calls


@dataclass(frozen=True)
class Result:
    """How one test went: the first wrong answer, if there is one, and what else is worth knowing."""

    test: LabTest
    total: int
    asked: int = 0
    finding: Finding | None = None
    question: Question | None = None
    remarks: tuple[tuple[Finding, Question], ...] = ()
    note: str = ""
    seconds: float = 0.0
    is_skipped: bool = False
    partial: float = 0.0  # the credit for a wrong test, where marks are given

    @property
    def credit(self) -> float:
        return 1.0 if self.passed else self.partial

    @property
    def passed(self) -> bool:
        return self.finding is None and not self.is_skipped


@dataclass
class Round:
    """The questions of one test on their way through the copies."""

    questions: Sequence[Question]
    patience: float
    tell: Callable[[int], None]
    done: int = 0
    wrong: dict[int, Finding] = field(default_factory=dict)
    remarks: dict[str, tuple[Finding, Question]] = field(default_factory=dict)
    speed: Speed = field(default_factory=Speed)
    lock: threading.Lock = field(default_factory=threading.Lock)
    at_work: int = 0  # copies that are being asked
    has_stopped: bool = False

    def __post_init__(self) -> None:
        self.chunks = chunks(self.questions)
        self.began = time.monotonic()

    def take(self) -> Chunk | None:
        """The next chunk, unless an earlier question has already failed or time is up."""
        with self.lock:
            if self.has_stopped or self.wrong or not (chunk := next(self.chunks, None)):
                return None
            seconds = time.monotonic() - self.began
            if seconds > self.patience * SECONDS_A_TEST * PACE.slowness():
                self.wrong[chunk[0]] = self.speed.too_slow(self.done, len(self.questions), seconds)
                return None
            return chunk

    def limit(self, question: Question) -> float:
        return self.patience * (SECONDS_A_CALL + question.nodes * SECONDS_A_NODE)

    def work(self, student: Student) -> None:
        """Ask one chunk after another, until none is left or an answer is wrong."""
        with self.lock:
            self.at_work += 1
        try:
            self._work(student)
        finally:
            with self.lock:
                self.at_work -= 1

    def _work(self, student: Student) -> None:
        while chunk := self.take():
            start, questions = chunk
            calls = [(question.call, self.limit(question)) for question in questions]
            replies = student.ask_all(calls, questions[0].answers)
            for index, (question, reply) in enumerate(zip(questions, replies, strict=False), start):
                if self.hear(index, question, reply):
                    student.close()  # it is still busy with the rest of the chunk
                    break

    def hear(self, index: int, question: Question, reply: Reply) -> bool:
        """Judge one answer; tell whether it is wrong."""
        finding = question.judged(reply)
        with self.lock:
            finding = self.speed.hear(question, reply) or finding
            self.done += 1
            self.tell(self.done)
            if finding and finding.is_wrong:
                self.wrong[index] = finding
            else:
                for remark in filter(None, (finding, question.remark(reply))):
                    self.remarks.setdefault(remark.mistake, (remark, question))
        return bool(finding and finding.is_wrong)


def chunks(questions: Iterable[Question]) -> Iterator[Chunk]:
    """Cut the questions into pieces of about equal work; a conversation is a piece of its own."""
    start, nodes, chunk = 0, 0, list[Question]()
    for question in questions:
        if question.answers and chunk:
            yield start, chunk
            start, nodes, chunk = start + len(chunk), 0, []
        chunk.append(question)
        nodes += question.nodes
        if question.answers or nodes >= NODES_A_CHUNK or len(chunk) > CALLS_A_CHUNK:
            yield start, chunk
            start, nodes, chunk = start + len(chunk), 0, []
    if chunk:
        yield start, chunk


def copies(file: Path, count: int | None = None) -> list[Student]:
    """As many as can work at once, each in a process of its own."""
    return [Student(file, is_quick=True) for _ in range(count or min(4, os.cpu_count() or 1))]


class Checker:
    """Copies of one student's file, and the tests run over them."""

    def __init__(
        self, students: Sequence[Student], patience: float, progress: Progress, gives_credit: bool = False
    ) -> None:
        self.students, self.patience, self.progress = students, patience, progress
        self.gives_credit = gives_credit

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for student in self.students:
            student.close()

    def load(self) -> Reply:
        """Load the first; if that goes wrong, see what can still be asked without what the file does at once."""
        reply = self.students[0].load(self.patience)
        if not reply.trouble:
            return reply
        for student in self.students:
            student.how = "definitions"
        return replace(reply, names=self.students[0].load(self.patience).names)

    def ask(self, call: Call) -> Reply:
        slowed = 10 if call.count else 1  # counting slows a search down
        return self.students[0].ask(call, self.patience * SECONDS_A_CALL * slowed)

    def run(self, test: LabTest) -> Result:
        start, questions = time.monotonic(), test.questions()
        work = Round(questions, self.patience, lambda done: self.progress(test.name, done, len(questions)))
        if len(self.students) == 1:  # in a browser there are no threads
            work.work(self.students[0])
        else:
            self.work_through(work)
        result = Result(test, len(questions), len(questions), remarks=tuple(work.remarks.values()))
        if work.wrong:
            first = min(work.wrong)
            finding = self.named(test, work.wrong[first])
            result = replace(result, asked=first + 1, finding=finding, question=questions[first])
            result = replace(result, partial=self.credit(questions) if self.gives_credit else 0.0)
        elif test.note:
            result = replace(result, note=test.note(self.ask))
        return replace(result, seconds=time.monotonic() - start)

    def credit(self, questions: Sequence[Question]) -> float:
        """Ask a sample of the questions, the quick ones, in one go; after an accident the rest count as wrong."""
        if questions[0].answers:  # a conversation
            return 0.0
        right: dict[str, list[bool]] = {}
        asked = list(sample(questions))
        replies = self.students[0].ask_all([(question.call, self.patience * SECONDS_A_CALL) for question in asked])
        for question, reply in zip(asked, chain(replies, repeat(Reply(trouble=DIED))), strict=False):
            finding = question.judged(reply)
            right.setdefault(kind_of(question), []).append(finding is None or not finding.is_wrong)
        return credit_for(right)

    def work_through(self, work: Round) -> None:
        """Let all copies work. After Ctrl-C end them, or the pool would wait for answers that take minutes: one too
        whose thread had just been started, and of which neither the pool nor we have got to know.
        """
        with ThreadPoolExecutor(len(self.students)) as pool:
            futures: list[Future[None]] = []
            try:
                futures.extend(pool.submit(work.work, student) for student in self.students)
                while wait(futures, timeout=0.5).not_done:
                    continue  # a wait without an end can miss Ctrl-C
            finally:
                work.has_stopped = True
                while work.at_work or wait(futures, timeout=0).not_done:
                    self.close()
                    time.sleep(0.02)
            for future in futures:
                future.result()

    def named(self, test: LabTest, finding: Finding) -> Finding:
        """Add the name of the mistake, where it takes more questions to find it."""
        if finding.mistake or not finding.is_answer or test.diagnose is None:
            return finding
        return replace(finding, mistake=test.diagnose(self.ask))
