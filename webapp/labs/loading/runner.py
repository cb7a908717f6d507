"""Runs inside the student's process: loads a copy of their file and answers calls, one JSON line each.

Standard library only. The other side is `student.py`, which starts it in isolated mode."""

import ast
import contextlib
import faulthandler
import io
import json
import os
import sys
import time
import tokenize
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from webapp.labs.loading.encoding import decode, encode
from webapp.labs.loading.fence import put_up
from webapp.labs.loading.inspection import NodeCounter, failure, signatures
from webapp.labs.loading.quick_copy import quicken_copies
from webapp.labs.loading.stand_in import stand_in

MOST_OUTPUT = 200_000  # characters of a game in the terminal, which is read to its end
STACK = "../stack.txt"  # seen from the file: where a call that takes long is noted
KEPT_OUTPUT = 10_000  # of what a function prints while it works: nobody reads more
Message = dict[str, Any]


class OutputFlood(BaseException):
    """More was printed than any lab needs. Not an Exception, so that `except Exception` lets it through."""


class NotUtf8(Exception):
    """The bytes of the file are not text as Python reads it."""


class Output(io.StringIO):
    """What the student prints: a game up to a bound; elsewhere the beginning is kept, and the rest let go."""

    def __init__(self, is_game: bool = False) -> None:
        super().__init__()
        self.is_game = is_game

    def write(self, text: str) -> int:
        if self.is_game and self.tell() + len(text) > MOST_OUTPUT:
            raise OutputFlood(f"more than {MOST_OUTPUT:,} characters were printed in one game")
        super().write(text if self.is_game else text[: max(0, KEPT_OUTPUT - self.tell())])
        return len(text)


class Keyboard(io.TextIOBase):
    """What the student reads: each line is asked for on the other side; end of file when nobody plays."""

    def __init__(self) -> None:
        self.ask: Callable[[], str | None] | None = None

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = self.ask() if self.ask else None
        return "" if line is None else line + "\n"


def load(path: Path, how: str, module: ModuleType) -> Message:
    """Run the file as a module that is not `__main__`; what it has defined stays, even if it then fails."""
    tree = ast.parse(source_of(path), path.name)
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    if how == "whole":
        exec(compile(tree, path.name, "exec"), vars(module))  # noqa: S102  (the process is the fence) # nosec B102
    else:
        load_definitions(tree, path, module)
    return {}


def source_of(path: Path) -> str:
    try:
        with tokenize.open(path) as file:
            source = file.read()
    except (SyntaxError, UnicodeDecodeError):  # Python calls an encoding that it cannot read a syntax error
        raise NotUtf8 from None
    if "\0" in source:  # what UTF-16 without its first two bytes looks like
        raise NotUtf8
    return source


def load_definitions(tree: ast.Module, path: Path, module: ModuleType) -> None:
    """Run only what defines something, each piece for itself: what a file says, without what it does at once."""
    kept = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
    for node in tree.body:
        if isinstance(node, kept):
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([node], []), path.name, "exec"), vars(module))  # noqa: S102 # nosec B102


def perform(module: ModuleType, call: Message) -> Message:
    """Call what is asked for, on a new object with the board set up if it is a method."""
    args, owner = decode(call["args"]), module
    if call["make"]:
        owner = getattr(module, call["make"])()
        owner.build_game(decode(call["board"]))
    function = getattr(owner, call["name"])
    counter = NodeCounter(Path(str(module.__file__))) if call["count"] else None
    scribbled = function(*args) if call["scribble"] else None
    if scribbled:  # to see whether another answer is new
        scribbled[0][0] = "?"
    sys.setprofile(counter)
    try:
        value = function(*args)
    finally:
        sys.setprofile(None)
    after = getattr(owner, "current_state", None) if call["make"] else scribbled or (args and args[0])
    return {"value": encode(value), "after": encode(after), "nodes": counter.nodes if counter else 0}


class Session:
    """The conversation: each request is a list of calls, and each call is answered by one line."""

    def __init__(self, path: Path, requests: Iterable[str], answers: IO[str]) -> None:
        self.path, self.requests, self.answers = path, iter(requests), answers
        self.module, self.output, self.keyboard = ModuleType("student_file"), Output(), Keyboard()
        self.stack: IO[str] | None = None

    def serve(self, how: str) -> None:
        self.attempt(lambda: load(self.path, how, self.module), place=0)
        for line in self.requests:
            for call in json.loads(line):
                self.keyboard.ask = self.ask if call["talks"] else None
                if call["watch"] and self.stack:
                    faulthandler.dump_traceback_later(call["watch"], repeat=True, file=self.stack)
                self.attempt(lambda: perform(self.module, call))  # noqa: B023  (called at once)
                faulthandler.cancel_dump_traceback_later()

    def attempt(self, work: Callable[[], Message], place: int = -1) -> None:
        """Do it, and answer with what came of it: sys.exit and Ctrl-C are answers, too."""
        self.output = Output(is_game=self.keyboard.ask is not None)
        sys.stdin, sys.stdout, sys.stderr = self.keyboard, self.output, Output()
        began = time.perf_counter()
        try:
            answer = work()
        except BaseException as error:
            answer = {"error": failure(error, self.path, place)}
        if "value" not in answer:
            answer["names"] = signatures(self.module)
        self.send(answer | {"output": self.output.getvalue(), "seconds": time.perf_counter() - began})

    def ask(self) -> str | None:
        self.send({"ask": self.output.getvalue()})
        line = self.type()
        if line is not None:
            self.output.write(line + "\n")  # as a terminal shows what is typed
        return line

    def type(self) -> str | None:
        line: str | None = json.loads(next(self.requests, "null"))
        return line

    def send(self, message: Message) -> None:
        self.answers.write(json.dumps(message) + "\n")
        self.answers.flush()


def make_importable(path: Path) -> None:
    """Let a file import the modules beside it, and a stand-in for what only draws. Its own name may be one of Python's:
    then Python's comes first."""
    sys.path.insert(len(sys.path) if path.stem in sys.stdlib_module_names else 0, str(path.parent))
    stand_in()


def serve(file: str, how: str, quick: str = "") -> None:
    """Keep the pipes for the conversation, point the student's own at nothing, put the fence up, serve."""
    path = Path(file).resolve()
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for name in [name for name in sys.modules if name.partition(".")[0] == "webapp"]:
        del sys.modules[name]  # a student's file cannot lean on ours
    make_importable(path)
    if quick:
        quicken_copies()
    session = Session(path, requests, answers)
    with (path.parent / STACK).open("w") as session.stack:  # outside what the file may write, so opened now
        put_up(path.parent)
        session.serve(how)
