"""When the supervisor has a daily command run, as that which makes a backup (tests/operations/test_daily_backup.py)."""

import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import SetClock
from tests.live_server import is_running, until
from webapp.clock import now
from webapp.operations.daily_backup import ABANDONED
from webapp.serving import daily
from webapp.serving.daily import DailyCommand

PROGRAM = "import sys; open(sys.argv[1], 'a').write('started '); sys.exit(int(sys.argv[2]))"


class Watched(DailyCommand):
    def __init__(self, folder: Path, code: int) -> None:
        super().__init__("daily-backup", command=[sys.executable, "-S", "-c", PROGRAM, str(folder / "log"), str(code)])
        self.log = folder / "log"

    def look(self, times: int = 5) -> int:
        """As the supervisor does, again and again; how often a process has been started."""
        for _ in range(times):
            self.run_if_due()
            if self._process is not None:
                self._process.wait(30)
        return self.log.read_text().count("started") if self.log.exists() else 0


def test_a_day_that_has_its_backup_is_not_asked_about_again(tmp_path: Path, set_clock: SetClock) -> None:
    backups = Watched(tmp_path, code=0)
    assert backups.look() == 1
    set_clock.pass_time(hours=12)
    assert backups.look() == 1
    set_clock.pass_time(hours=12)
    assert backups.look() == 2


def test_what_was_done_at_the_start_is_done_again_the_next_day(tmp_path: Path, set_clock: SetClock) -> None:
    command = Watched(tmp_path, code=0)
    command._day = now().date()
    assert command.look() == 0
    set_clock.pass_time(hours=24)
    assert command.look() == 1


def test_one_that_failed_is_tried_again_an_hour_later(
    tmp_path: Path, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = Watched(tmp_path, code=1)
    assert backups.look() == 1
    moment = time.monotonic()
    monkeypatch.setattr(daily.time, "monotonic", lambda: moment + 3700)
    assert backups.look() == 2


def test_one_that_cannot_even_be_started_is_tried_again_an_hour_later(
    tmp_path: Path, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while .venv is replaced. Whoever calls it serves the site."""
    backups = Watched(tmp_path, code=0)
    program = tmp_path / "python"
    backups._command[0] = str(program)
    assert backups.look() == 0
    program.symlink_to(sys.executable)
    assert backups.look() == 0
    moment = time.monotonic()
    monkeypatch.setattr(daily.time, "monotonic", lambda: moment + 3700)
    assert backups.look() == 1


HANGS = """
import pathlib, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
other = subprocess.Popen(["sleep", "3600"])
pathlib.Path(sys.argv[1]).write_text(f"started {other.pid}")
other.wait()
"""


class SetMonotonic:
    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_one_that_hangs_is_ended_then_killed_with_what_it_started_and_tried_again_an_hour_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert timedelta(seconds=daily.LONGEST + daily.TO_END) < ABANDONED
    clock = SetMonotonic()
    monkeypatch.setattr(daily.time, "monotonic", clock)
    log = tmp_path / "log"
    backups = DailyCommand("daily-backup", command=[sys.executable, "-S", "-c", HANGS, str(log)])
    backups.run_if_due()
    process = backups._process
    assert process
    until(lambda: log.exists() and log.read_text().startswith("started "), log)
    clock.seconds += daily.LONGEST - 1
    backups.run_if_due()
    assert not caplog.messages
    clock.seconds += 2
    backups.run_if_due()
    backups.run_if_due()
    assert caplog.messages == ["Today's daily-backup is not done after 90 minutes, so it is ended."]
    assert process.poll() is None
    clock.seconds += daily.TO_END
    backups.run_if_due()
    assert process.wait(30) == -signal.SIGKILL
    until(lambda: not is_running(int(log.read_text().split()[1])), log)
    backups.run_if_due()
    assert (backups._process, backups._next_try) == (None, clock.seconds + daily.AFTER_FAILURE)


def test_one_under_way_ends_with_the_site(tmp_path: Path) -> None:
    backups = DailyCommand("daily-backup", command=[sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    backups.run_if_due()
    backups.end()
    assert backups._process is not None and backups._process.wait(30) < 0
