"""A process that checks one file after another for a class: one for each core.

Knows how one file is checked. Requests and reports are JSON, one line each."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

from webapp.labs.checker.labs import LABS, grade
from webapp.labs.checker.report import as_json
from webapp.labs.loading.student import ROOT

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from webapp.labs.grading.worker import serve; "
    "sys.path.pop(0); serve()"
)


class CannotCheck(Exception):
    """The process that checked a file is gone."""


class Worker:
    """The process, seen from outside; after an accident the next file gets a new one."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def report(self, lab: str, file: Path, patience: float, site: str | None) -> dict[str, Any]:
        process = self.process = self.process or self.started()
        request = json.dumps({"lab": lab, "file": str(file), "patience": patience, "site": site})
        with contextlib.suppress(OSError):  # the missing answer will tell
            print(request, file=process.stdin, flush=True)
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            self.stop()
            raise CannotCheck("the process that checked it ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def started(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(  # noqa: S603  (our own program)
            [sys.executable, "-I", "-B", "-c", START, str(ROOT)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip

    def stop(self) -> None:
        """Let it go if it waits; interrupt it if it works, so that it ends the student's programs first."""
        process, self.process = self.process, None
        if process is None:
            return
        close(process.stdin)
        try:
            process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.terminate() if sys.platform == "win32" else process.send_signal(signal.SIGINT)
            process.wait()
        close(process.stdout)


def close(pipe: IO[str] | None) -> None:
    with contextlib.suppress(OSError):
        if pipe:
            pipe.close()


def serve() -> None:
    """Answer one request after the other, until nobody asks."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            request = json.loads(line)
            results = grade(LABS[request["lab"]], Path(request["file"]), request["patience"])
            report = as_json(request["lab"], Path(request["file"]).name, results, request["site"])
            print(json.dumps(report), file=answers, flush=True)
