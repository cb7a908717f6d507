"""Has a backup made each day while the site runs: by a process of its own, so that no player waits for it."""

import subprocess
import sys
import time
from datetime import date

from webapp.clock import now
from webapp.config import ROOT

COMMAND = [sys.executable, "-m", "flask", "--app", str(ROOT / "wsgi.py"), "daily-backup"]
AFTER_FAILURE = 3600.0  # seconds


class DailyBackups:
    """The command asks the database whether there is work; here it is only known when it was asked last."""

    def __init__(self, command: list[str] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._day: date | None = None
        self._next_try = 0.0

    def run_if_due(self) -> None:
        if self._process is not None:
            self._look_after(self._process)
        elif now().date() != self._day and time.monotonic() >= self._next_try:
            self._day = now().date()
            # Ctrl-C in the terminal is for the supervisor, which ends this one in good order.
            self._process = subprocess.Popen(self._command, cwd=ROOT, start_new_session=True)  # noqa: S603 - our own words

    def _look_after(self, process: subprocess.Popen[bytes]) -> None:
        if (code := process.poll()) is not None:
            self._process = None
            if code:
                self._day, self._next_try = None, time.monotonic() + AFTER_FAILURE

    def end(self) -> None:
        if self._process is not None:
            self._process.terminate()
