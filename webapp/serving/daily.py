"""What is done once a day while the site runs, by a process of its own, so that no player waits for it."""

import logging
import math
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import date

from webapp.clock import now
from webapp.config import ROOT

log = logging.getLogger("noughts.server")
SITE_COMMAND = [sys.executable, "-m", "flask", "--app", str(ROOT / "wsgi.py")]
AFTER_FAILURE = 3600.0  # seconds
LONGEST, TO_END = 5400.0, 60.0  # together less than the time after which another process takes over (ABANDONED)


class DailyCommand:
    """A command of the site. It looks itself whether there is work; here it is only known when it was begun last."""

    def __init__(self, name: str, done_on: date | None = None, command: list[str] | None = None) -> None:
        self._name, self._command = name, command or [*SITE_COMMAND, name]
        self._process: subprocess.Popen[bytes] | None = None
        self._day = done_on
        self._next_try = 0.0
        self._ends_at = self._kill_at = math.inf

    def run_if_due(self) -> None:
        if self._process is not None:
            self._look_after(self._process)
        elif now().date() != self._day and time.monotonic() >= self._next_try:
            self._day = now().date()
            self._start()

    def _start(self) -> None:
        try:  # Ctrl-C in the terminal is for the supervisor, which ends this one in good order.
            self._process = subprocess.Popen(self._command, cwd=ROOT, start_new_session=True)  # noqa: S603 - our own words
            self._ends_at, self._kill_at = time.monotonic() + LONGEST, math.inf
        except OSError as trouble:  # no memory for a process, or .venv is being replaced: the site goes on
            log.error("Today's %s could not be started: %s", self._name, trouble)
            self._try_later()

    def _look_after(self, process: subprocess.Popen[bytes]) -> None:
        if (code := process.poll()) is not None:
            self._process = None
            if code:
                _kill(process)  # ended while it began pg_dump, it may have left that behind
                self._try_later()
        elif time.monotonic() >= self._kill_at:
            _kill(process)
        elif time.monotonic() >= self._ends_at:
            log.error("Today's %s is not done after %d minutes, so it is ended.", self._name, LONGEST / 60)
            process.terminate()
            self._ends_at, self._kill_at = math.inf, time.monotonic() + TO_END

    def _try_later(self) -> None:
        self._day, self._next_try = None, time.monotonic() + AFTER_FAILURE

    def end(self) -> None:
        if self._process is not None:
            self._process.terminate()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """And pg_dump, which it has started and which may hang: both are in the session that began with it."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):  # none of them is left
            os.killpg(process.pid, signal.SIGKILL)
    else:  # Windows
        process.kill()
