"""When the supervisor has a backup made. What the command does: tests/operations/test_daily_backup.py."""

import sys
import time
from pathlib import Path

import pytest

from tests.conftest import SetClock
from webapp.serving import daily
from webapp.serving.daily import DailyBackups

PROGRAM = "import sys; open(sys.argv[1], 'a').write('started '); sys.exit(int(sys.argv[2]))"


class Watched(DailyBackups):
    def __init__(self, folder: Path, code: int) -> None:
        super().__init__([sys.executable, "-S", "-c", PROGRAM, str(folder / "log"), str(code)])
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


def test_one_that_failed_is_tried_again_an_hour_later(
    tmp_path: Path, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = Watched(tmp_path, code=1)
    assert backups.look() == 1
    moment = time.monotonic()
    monkeypatch.setattr(daily.time, "monotonic", lambda: moment + 3700)
    assert backups.look() == 2


def test_one_under_way_ends_with_the_site(tmp_path: Path) -> None:
    backups = DailyBackups([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    backups.run_if_due()
    backups.end()
    assert backups._process is not None and backups._process.wait(30) < 0
