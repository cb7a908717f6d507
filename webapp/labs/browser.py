"""What the worker on /labs/try calls, in the student's own browser: a move, a check, a comparison.

Knows the checker and how a file is asked; the page hears of everything by messages. It ends the worker when a call
takes longer than it was told, and asks a new one the same, with the accident that the call ended in."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from webapp.labs.checker import lab_pruning
from webapp.labs.checker.checking import Checker, LabTest
from webapp.labs.checker.labs import LABS, LOADS, NAMED, Lab, results
from webapp.labs.checker.report import entry
from webapp.labs.loading.here import StudentHere
from webapp.labs.playing import WAYS, Way, answered, ask, load, stopped
from webapp.tictactoe import SEARCHES, Mark, Position, Refused

Message = dict[str, Any]
Tell = Callable[[Message], None]
TELL_EVERY = 0.1  # seconds
OWN = Path("/home/own")


class Watch:
    """Tells that a call begins and how long it may take, by its number within a test; knows which ended in an accident
    before."""

    def __init__(self, tell: Tell) -> None:
        self.tell, self.test, self.number = tell, "", 0
        self.accidents: dict[str, dict[str, str]] = {}

    def turn_to(self, test: str) -> None:
        self.test, self.number = test, 0

    def __call__(self, seconds: float) -> str:
        known = self.accidents.get(self.test, {}).get(str(self.number), "")
        if not known:
            self.tell({"kind": "call", "test": self.test, "number": self.number, "seconds": seconds})
        self.number += 1
        return known


class Bench:
    """The student's file in this interpreter, and what can be done with it."""

    def __init__(self, tell: Tell) -> None:
        self.tell, self.watch = tell, Watch(tell)
        self.student: StudentHere | None = None

    def do(self, wanted: Message) -> Message:
        self.watch.accidents = wanted["accidents"]
        tasks = {"move": self.move, "check": self.check, "compare": self.compare}
        return tasks[wanted["task"]](wanted)

    def opened(self, wanted: Message) -> StudentHere:
        """The file as it is now. Its own folder is another one each time the file is another."""
        file = Path(wanted["file"])
        if self.student is None or self.student.file != file:
            self.student = StudentHere(file, OWN / file.parent.name, self.watch)
        return self.student

    def move(self, wanted: Message) -> Message:
        student, position, lab = self.opened(wanted), Position.parse(wanted["board"]), wanted["lab"]
        name = Path(wanted["file"]).name
        if wanted["new"] or student.session is None:
            self.watch.turn_to("load")
            if trouble := load(lab, student):
                return stopped(position, trouble, name)
        self.watch.turn_to("move")
        return answered(lab, student, position, Mark(wanted["mark"]), name, time.perf_counter)

    def check(self, wanted: Message) -> Message:
        lab, only = with_kept_questions(LABS[wanted["lab"]]), wanted["only"]
        names = [LOADS.name, NAMED.name, *(test.name for test in lab.tests if not only or test.name in only)]
        self.tell({"kind": "tests", "names": [test.name for test in lab.tests]})
        student = self.opened(wanted)
        student.how = "whole"
        with Checker([student], 1.0, Shares(lab, self.tell)) as checker:
            found = results(lab, checker, only)
            for name in names:
                self.watch.turn_to(name)
                result = next(found)
                self.tell({"kind": "result", "is_skipped": result.is_skipped, **entry(result, None)})
        return {}

    def compare(self, wanted: Message) -> Message:
        """The student's search first, then ours, all on one position: a row as soon as it is known."""
        try:
            position = Position.parse(wanted["board"], Mark(wanted["to_move"]) if wanted["to_move"] else None)
        except Refused as refusal:
            return {"sentence": str(refusal)}
        if position.is_over:
            return {"sentence": "The game is over on this board. Choose one with a move to make."}
        student, lab = self.opened(wanted), wanted["lab"]
        self.watch.turn_to("load")
        if trouble := load(lab, student):
            return {"sentence": trouble.sentence, "trace": trouble.trace}
        for row in (*self.own_rows(lab, student, position), *our_rows(position)):
            self.tell({"kind": "row", **row})
        return {}

    def own_rows(self, lab: str, student: StudentHere, position: Position) -> Iterator[Message]:
        for name, way in own_ways(lab):
            self.watch.turn_to(name)
            turn = ask(way, student, position, time.perf_counter, counted_within=float("inf"))
            yield {"name": name, "is_own": True, "cell": turn.cell, "nodes": turn.nodes, "seconds": turn.seconds,
                   "sentence": turn.sentence}  # fmt: skip


def own_ways(lab: str) -> list[tuple[str, Way]]:
    """The searches that a lab asks for: the project has two."""
    if lab == "pruning":
        plain = replace(WAYS[lab], call=lab_pruning.plain)
        return [("your Max and Min", plain), ("your MaxAlphaBeta and MinAlphaBeta", WAYS[lab])]
    return [(f"your {WAYS[lab].name}", WAYS[lab])]


def our_rows(position: Position) -> Iterator[Message]:
    for search in SEARCHES.values():
        began = time.perf_counter()
        report = search.run(position)
        yield {"name": search.title, "is_own": False, "cell": report.cell, "nodes": report.nodes,
               "seconds": time.perf_counter() - began, "sentence": ""}  # fmt: skip


def with_kept_questions(lab: Lab) -> Lab:
    """To make tens of thousands of them twice, once to weigh them, would be a tenth of the time."""

    def kept(test: LabTest) -> LabTest:
        return replace(test, questions=cache(lambda: list(test.questions())))

    return replace(lab, tests=list(map(kept, lab.tests)))


class Shares:
    """Tells now and then how far a test is: by the boards that plain minimax visits, which is what takes the time."""

    def __init__(self, lab: Lab, tell: Tell) -> None:
        self.tests = {test.name: test for test in lab.tests}
        self.tell, self.name, self.told_at = tell, "", 0.0
        self.sums: list[int] = [1]

    def __call__(self, name: str, done: int, total: int) -> None:
        if name != self.name:
            self.name = name
            asked = self.tests[name].questions() if name in self.tests else ()
            self.sums = list(accumulate(question.nodes + 10 for question in asked)) or [1]
        if time.monotonic() - self.told_at >= TELL_EVERY:
            self.told_at = time.monotonic()
            share = self.sums[min(done, len(self.sums)) - 1] / self.sums[-1] if done else 0
            self.tell({"kind": "progress", "test": name, "done": done, "total": total, "share": share})


def start(post: Callable[[str], None]) -> Callable[[str], str]:
    """For the worker: gives what takes requests as JSON. From here on a student's file cannot lean on our modules."""
    bench = Bench(lambda message: post(json.dumps(message)))
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.partition(".")[0] == "webapp"]:
        del sys.modules[name]
    return partial(handle, bench)


def handle(bench: Bench, text: str) -> str:
    return json.dumps(bench.do(json.loads(text)))
