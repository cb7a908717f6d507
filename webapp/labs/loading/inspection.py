"""What the student's process tells about a file: the names in it, what went wrong, the nodes searched.

Standard library only."""

import os
import sys
import traceback
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from webapp.labs.loading.encoding import encode

LONGEST_TRACE = 4000
TAKES_ANY_NUMBER = 4  # CO_VARARGS: the function has *args


def signatures(module: ModuleType) -> dict[str, Any]:
    """Name what the file defines: functions and methods with their arguments, constants with their value."""
    found: dict[str, Any] = {}
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType):
            found[name] = arguments(value)
        elif isinstance(value, type) and value.__module__.partition(".")[0] not in sys.stdlib_module_names:
            found[name] = {}
            for method in dir(value):
                if isinstance(function := getattr(value, method), FunctionType):
                    found[f"{name}.{method}"] = arguments(function)
        elif name.isupper() and not callable(value):
            found[name] = {"value": encode(value)}
        elif callable(value):  # a function with a memory, for instance: what it takes cannot be told
            found[name] = {}
    return found


def arguments(function: FunctionType) -> dict[str, int]:
    """Count the arguments a function needs at least and takes at most."""
    code, defaults = function.__code__, function.__defaults__ or ()
    most = 100 if code.co_flags & TAKES_ANY_NUMBER else code.co_argcount
    return {"least": code.co_argcount - len(defaults), "most": most}


def failure(error: BaseException, path: Path, place: int = -1) -> dict[str, Any]:
    """Tell what was raised and at which line of the student's own file, the last one on the way or another."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path.name]
    folder = str(path.parent) + os.sep  # the copy's folder means nothing to anybody
    trace = as_in_terminal(error, frames).replace(folder, "")
    if isinstance(error, SyntaxError) and error.filename == path.name:
        return described(error, error.msg, error.lineno, error.text, trace)
    message = str(error).replace(folder, "")
    if not frames:
        return described(error, message, None, "", trace)
    return described(error, message, frames[place].lineno, frames[place].line, trace)


def as_in_terminal(error: BaseException, frames: list[traceback.FrameSummary]) -> str:
    """What Python prints, without the lines of ours; of a very deep recursion the end."""
    lines = traceback.format_exception_only(error)
    if frames:
        lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames), *lines]
    text = "".join(lines)
    return text if len(text) <= LONGEST_TRACE else "...\n" + text[-LONGEST_TRACE:].partition("\n")[2]


def described(error: BaseException, message: str, line: int | None, code: str | None, trace: str) -> dict[str, Any]:
    code = (code or "").strip()[:100]
    return {"type": type(error).__name__, "message": message[:500], "line": line, "code": code, "trace": trace}


class NodeCounter:
    """A profiler that counts the calls of those functions of a file, or of modules beside it, which call themselves.

    It goes by the ids of their code, since to hash code takes longer than most calls."""

    def __init__(self, file: Path) -> None:
        self.file, self.folder = file.name, str(file.parent) + os.sep
        self.seen: dict[int, CodeType] = {}  # kept, so that no id is given away again
        self.own: set[int] = set()
        self.calls: Counter[int] = Counter()
        self.running: Counter[int] = Counter()
        self.recursive: set[int] = set()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return"):  # of something written in C
            return
        code = id(frame.f_code)
        if code not in self.seen:
            self.see(frame.f_code)
        if code not in self.own:
            return
        if event == "return":
            self.running[code] -= 1
            return
        self.calls[code] += 1
        self.running[code] += 1
        if self.running[code] > 1:
            self.recursive.add(code)

    def see(self, code: CodeType) -> None:
        self.seen[id(code)] = code
        is_own = code.co_filename == self.file or code.co_filename.startswith(self.folder)
        if is_own and not code.co_name.startswith("<"):
            self.own.add(id(code))

    @property
    def nodes(self) -> int:
        return sum(self.calls[code] for code in self.recursive)
