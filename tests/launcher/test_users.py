"""Root becomes an ordinary user before it serves, for good. In processes of their own: there is no way back."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from webapp.launcher import words
from webapp.launcher.processes import ROOT
from webapp.launcher.users import ADVICE, is_root

needs_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become somebody else")
SCRIPT = """
import os, sys
from webapp.launcher.users import become_user
become_user(sys.argv[1])
try:
    os.setuid(0)
except PermissionError:
    print(os.getuid(), os.getgid(), 0 in os.getgroups(), os.environ["HOME"])
"""
Become = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def become(tmp_path: Path) -> Become:
    def run(name: str) -> subprocess.CompletedProcess[str]:
        surroundings = {**os.environ, "NOUGHTS_INSTANCE": str(tmp_path / "new")}
        words = [sys.executable, "-c", SCRIPT, name]
        return subprocess.run(words, cwd=ROOT, env=surroundings, capture_output=True, text=True)

    return run


@needs_root
def test_root_becomes_the_user_and_makes_the_folder_theirs(become: Become, tmp_path: Path) -> None:
    done = become("nobody")
    number, group, has_roots_group, home = done.stdout.split()
    assert (int(number), has_roots_group) == (65534, "False"), done.stderr
    assert int(group) and home
    folder = tmp_path / "new"
    assert (folder.stat().st_uid, folder.stat().st_mode & 0o777) == (65534, 0o700)
    assert become("nobody").returncode == 0  # it is there now


@needs_root
def test_a_folder_of_somebody_else_is_not_given_away(become: Become, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    done = become("nobody")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"chown -R nobody {tmp_path / 'new'}" in done.stderr


@needs_root
def test_a_user_who_is_root_or_not_there_is_refused(become: Become) -> None:
    assert "which is what --user is there to avoid" in become("root").stderr
    assert "has no user no-such-user" in become("no-such-user").stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no root")
def test_only_root_is_told_that_an_ordinary_user_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "as an ordinary user" in ADVICE
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert is_root()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert not is_root()


def test_a_command_says_that_its_user_cannot_reach_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("prepare", "become_user", "bring_database_up_to_date"):
        monkeypatch.setattr(words, name, lambda *_: None)
    monkeypatch.setenv("NOUGHTS_USER", "noughts")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SystemExit, match="noughts may not use"):
        words.site_command(["doctor"])
