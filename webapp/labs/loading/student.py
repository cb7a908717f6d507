"""A student's file as something to ask: a copy of it, loaded in a process of its own, with limits.

Knows the standard library only, and nothing of what is asked: checking is done elsewhere. This is the one place that
differs between the terminal and a browser: whatever has `load`, `ask`, `ask_all` and `close` of `Student`, takes calls
and gives replies, can stand in its place. What is called, and how it is judged, is the same on both sides."""

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webapp.labs.loading.encoding import decode, encode
from webapp.labs.loading.pace import PACE
from webapp.labs.loading.runner import STACK
from webapp.labs.loading.sources import copied

ROOT = Path(__file__).resolve().parents[3]
START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from webapp.labs.loading.runner import serve; "
    "sys.path.pop(0); serve(*sys.argv[2:])"
)
LOAD_SECONDS = 10.0
MOST_EXTENSIONS = 3
LONGEST_LINE = 4_000_000
KEPT_VARIABLES = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

Answers = Callable[[str], str | None]


@dataclass(frozen=True)
class Call:
    """One question to a student's file: a function, or a method of an object set up with a board."""

    name: str
    args: tuple[Any, ...] = ()
    make: str = ""
    board: list[list[str]] | None = None
    count: bool = False
    scribble: bool = False
    talks: bool = False
    watch: float = 0.0  # seconds after which the place where it is gets noted, again and again

    def encoded(self) -> dict[str, Any]:
        return vars(self) | {"args": [encode(arg) for arg in self.args]}


@dataclass(frozen=True)
class Reply:
    """What came back: a value, or why there is none (`trouble` names the exception or the accident)."""

    value: Any = None
    after: Any = None
    output: str = ""
    nodes: int = 0
    seconds: float = 0.0
    trouble: str = ""
    message: str = ""
    line: int | None = None
    code: str = ""
    trace: str = ""
    names: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, answer: dict[str, Any]) -> "Reply":
        seen = {"output": answer["output"], "names": answer.get("names", {}), "seconds": answer["seconds"]}
        if error := answer.get("error"):
            seen |= {key: error[key] for key in ("message", "line", "code", "trace")}
            return cls(trouble=error["type"], **seen)
        value, after = decode(answer.get("value")), decode(answer.get("after"))
        return cls(value, after, nodes=answer.get("nodes", 0), **seen)


TIMEOUT = "took too long"
DIED = "ended the process"


class Student:
    """The running copy. After an accident (too slow, process gone) the next question starts a new one.

    `is_quick` lets deep copies of boards take less time than they do by themselves: for checks, not where times are
    shown. No call takes longer than `most` seconds, however slow the machine."""

    def __init__(self, file: Path, how: str = "whole", is_quick: bool = False) -> None:
        self.file, self.how, self.is_quick, self.most = file, how, is_quick, float("inf")
        self.copy = file  # until it is started
        self.process: subprocess.Popen[str] | None = None
        self.answers: queue.SimpleQueue[str] = queue.SimpleQueue()

    def __enter__(self) -> "Student":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, patience: float = 1.0) -> Reply:
        """Start anew and tell how loading went."""
        self.close()
        self.start()
        return self.wait(patience * LOAD_SECONDS, None)

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="noughts-", ignore_cleanup_errors=True)
        inner = Path(self.folder.name).resolve() / "check" / "own"  # so that ".." is ours as well
        inner.mkdir(parents=True)
        copy = self.copy = copied(self.file, inner)
        homes = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP"), str(inner))
        self.process = subprocess.Popen(  # noqa: S603  (running the student's file is the purpose)
            [sys.executable, "-I", "-B", "-c", START, str(ROOT), copy.name, self.how, *["quick"] * self.is_quick],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8", cwd=inner,
            env=homes | {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ},
            start_new_session=True,
        )  # fmt: skip
        self.answers = queue.SimpleQueue()
        threading.Thread(target=collect, args=(self.process, self.answers), daemon=True).start()

    def ask(self, call: Call, seconds: float, answers: Answers | None = None) -> Reply:
        """Ask one question; `answers` plays the person at the keyboard."""
        return next(self.ask_all([(call, seconds)], answers))

    def ask_all(self, calls: Iterable[tuple[Call, float]], answers: Answers | None = None) -> Iterator[Reply]:
        """Ask several questions in one go, each with its own limit; the answers come one by one."""
        calls = list(calls)
        if self.process is None:
            loading = self.load()
            if self.process is None:
                yield loading
                return
        self.send([call.encoded() for call, _ in calls])
        for _, seconds in calls:
            reply = self.wait(seconds, answers)
            yield reply
            if self.process is None:
                return

    def wait(self, seconds: float, answers: Answers | None) -> Reply:
        """Wait for one answer, typing what is asked for meanwhile; stop the process if it takes too long."""
        began = time.monotonic()
        try:
            while "ask" in (answer := json.loads(self.next_line(seconds))):
                self.send(answers(answer["ask"]) if answers else None)
            return Reply.read(answer)
        except queue.Empty:
            place, trouble = self.place(), TIMEOUT
        except (ValueError, KeyError, TypeError):  # not one of our lines, or the end of them
            place, trouble = {}, DIED
        self.close()
        return Reply(trouble=trouble, seconds=time.monotonic() - began, **place)

    def place(self) -> dict[str, Any]:
        """The line of the file at which a call that was watched is, as far as it was noted."""
        with contextlib.suppress(OSError, IndexError):
            stack = (self.copy.parent / STACK).read_text("utf-8", "replace").rpartition("most recent call first")[2]
            if found := re.search(rf'File "{re.escape(self.copy.name)}", line (\d+)', stack):
                lines = self.copy.read_text("utf-8", "replace").splitlines()
                return {"line": int(found[1]), "code": lines[int(found[1]) - 1].strip()[:100]}
        return {}

    def next_line(self, seconds: float) -> str:
        """Wait so long for a line as the limit means on this machine: longer, if it has become busier since."""
        slowness, waited = PACE.slowness(), 0.0
        for _ in range(MOST_EXTENSIONS):
            until = min(self.most, slowness * seconds)
            try:
                return self.answers.get(timeout=until - waited)
            except queue.Empty:
                waited, slowness = until, max(slowness, PACE.measure())
        return self.answers.get(timeout=min(self.most, slowness * seconds) - waited)

    def send(self, message: Any) -> None:
        pipe = self.process.stdin if self.process else None
        with contextlib.suppress(OSError):  # where the process is gone, the missing answer will tell
            if pipe:
                pipe.write(json.dumps(message) + "\n")
                pipe.flush()

    def close(self) -> None:
        """End the process and all it may have started, and remove the copy."""
        process, self.process = self.process, None
        if process is None:
            return
        stop(process)
        self.folder.cleanup()


def collect(process: subprocess.Popen[str], answers: queue.SimpleQueue[str]) -> None:
    """Pass the lines on as they come, and an empty one at the end."""
    with contextlib.suppress(OSError, ValueError):  # closed under our hands, or not text
        while process.stdout and (line := process.stdout.readline(LONGEST_LINE)):
            answers.put(line)
    answers.put("")


def stop(process: subprocess.Popen[str]) -> None:
    """Kill the whole group where there is one, and close the pipes."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe:
                pipe.close()
