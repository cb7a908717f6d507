"""The real client as a process of its own, as a student starts it, and what it says in the terminal."""

import fcntl
import os
import pty
import queue
import re
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from webapp.config import ROOT

PATIENCE = 90  # seconds until a silent client counts as dead; nothing waits this long while all is well


class RunningClient:
    """In a terminal of its own. The token is given by the environment, or typed when it is asked for."""

    def __init__(self, token: str, *words: str, folder: Path = ROOT, is_typed: bool = False) -> None:
        self.said, self.token = "", token
        self.chunks: queue.Queue[str] = queue.Queue()
        self.terminal, end = pty.openpty()
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": str(folder / "settings")}
        environment.pop("NOUGHTS_TOKEN", None)
        self.process = subprocess.Popen(
            [sys.executable, *words],
            cwd=folder, env=environment | ({} if is_typed else {"NOUGHTS_TOKEN": token}),
            stdin=end, stdout=end, stderr=end, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(end)
        Thread(target=self._collect, daemon=True).start()
        if is_typed:
            self.wait_for("stays invisible: ")
            self.type(f"{token}\n")

    @classmethod
    def on_lab(cls, token: str, site: str, lab: str, file: Path) -> "RunningClient":
        return cls(token, "-m", "webapp.labs", "connect", site, lab, str(file))

    def __enter__(self) -> "RunningClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        assert self.token not in self.said

    def _collect(self) -> None:
        with suppress(OSError):  # as a terminal says that nobody writes any more
            while content := os.read(self.terminal, 65_536):
                self.chunks.put(content.decode().replace("\r\n", "\n"))
        self.chunks.put("")
        os.close(self.terminal)

    def type(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def wait_for(self, pattern: str, count: int = 1) -> str:
        """Until it has said this so often; gives all that it has said."""
        while len(re.findall(pattern, self.said)) < count:
            assert self._read(), f"It ended without {pattern}:\n{self.said}"
        return self.said

    def wait_for_end(self) -> tuple[int, str]:
        while self._read():
            pass
        return self.process.wait(PATIENCE), self.said

    def _read(self) -> bool:
        try:
            chunk = self.chunks.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"It says no more than this:\n{self.said}") from None
        self.said += chunk
        return bool(chunk)

    def press_ctrl_c(self) -> tuple[int, str]:
        self.type("\x03")
        return self.wait_for_end()


def results(said: str) -> list[Any]:
    """The games that ended, as (result, opponent, board), sorted."""
    return sorted(re.findall(r"Game \d+: (won|drawn|lost) against (\w+)[^.]*\.  (\S+)", said))
