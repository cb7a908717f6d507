"""A student's file loaded in this very interpreter: for a browser, which starts no processes and has no threads.

Standard library only. Nothing here stops an endless loop: whoever watches ends the whole interpreter, and starts a new
one that is told which call it was."""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from webapp.labs.loading.pace import PACE
from webapp.labs.loading.runner import Message, Session, load, make_importable, perform
from webapp.labs.loading.sources import copied
from webapp.labs.loading.student import LOAD_SECONDS, Answers, Call, Reply, Student

Watch = Callable[[float], str]


class Aside(Session):
    """The conversation without pipes: the last message is kept, and who types is asked at once."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, (), sys.stdout)
        self.said: Message = {}
        self.typist: Answers | None = None

    def send(self, message: Message) -> None:
        self.said = message

    def type(self) -> str | None:
        return self.typist(self.said["ask"]) if self.typist else None


class StudentHere(Student):
    """Asked like any other. `watch` is told the seconds that a call may take; what it gives back is an accident that
    this call is known to end in: then it is not made again. `own` is an empty folder for the copy."""

    def __init__(self, file: Path, own: Path, watch: Watch = lambda seconds: "") -> None:
        super().__init__(file)
        self.own, self.watch = own.resolve(), watch
        self.session: Aside | None = None
        make_importable(self.own / f"{file.stem}.py")

    def load(self, patience: float = 1.0) -> Reply:
        self.close()
        path = copied(self.file, self.own)
        importlib.invalidate_caches()
        os.chdir(self.own)  # where tracebacks find the lines, and where the file finds its own files
        self.session = session = Aside(path)
        return self.attempt(session, patience * LOAD_SECONDS, lambda: load(path, self.how, session.module), 0)

    def ask_all(self, calls: Iterable[tuple[Call, float]], answers: Answers | None = None) -> Iterator[Reply]:
        loading = Reply() if self.session else self.load()
        for call, seconds in calls:
            if self.session is None:  # an accident, now or while it was loaded
                yield loading
                return
            yield self.answer(self.session, call, seconds, answers)
            if self.session is None:
                return

    def answer(self, session: Aside, call: Call, seconds: float, answers: Answers | None) -> Reply:
        session.typist, encoded = answers, call.encoded()
        session.keyboard.ask = session.ask if call.talks else None
        return self.attempt(session, seconds, lambda: perform(session.module, encoded))

    def attempt(self, session: Aside, seconds: float, work: Callable[[], Message], place: int = -1) -> Reply:
        limit = seconds * PACE.slowness()
        if accident := self.watch(limit):
            self.close()
            return Reply(trouble=accident, seconds=limit)
        streams = sys.stdin, sys.stdout, sys.stderr
        try:
            session.attempt(work, place)
        finally:
            sys.stdin, sys.stdout, sys.stderr = streams
        return Reply.read(session.said)

    def close(self) -> None:
        """Forget the file and the modules beside it, so that they are read anew."""
        self.session = None
        for name, module in list(sys.modules.items()):
            if name == "student_file" or str(getattr(module, "__file__", None) or "").startswith(str(self.own)):
                del sys.modules[name]
