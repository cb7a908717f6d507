"""The note of where a site runs: there while it does, and only its own."""

import os
from pathlib import Path

from webapp.running_note import NOTE, note_left, read_note, running_process


def test_the_note_of_a_running_site_goes_with_it_and_leaves_that_of_another(tmp_path: Path) -> None:
    assert read_note(tmp_path) == ""
    with note_left(tmp_path / "new", "http://127.0.0.1:8000"):
        assert read_note(tmp_path / "new") == "http://127.0.0.1:8000"
        assert (tmp_path / "new" / "running").stat().st_mode & 0o077 == 0
    assert read_note(tmp_path / "new") == ""
    with note_left(tmp_path, "http://127.0.0.1:8000"):
        (tmp_path / "running").write_text("1 http://127.0.0.1:8001\n")
    assert read_note(tmp_path) == "http://127.0.0.1:8001"


def test_it_tells_the_process_which_is_nobody_afterwards(tmp_path: Path) -> None:
    with note_left(tmp_path, "http://127.0.0.1:8000"):
        assert running_process(tmp_path) == str(os.getpid())
    assert running_process(tmp_path) == ""


def test_one_that_is_empty_or_cut_off_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / NOTE).touch()
    assert (running_process(tmp_path), read_note(tmp_path)) == ("", "")
    (tmp_path / NOTE).write_text("17")
    assert (running_process(tmp_path), read_note(tmp_path)) == ("17", "")


def test_where_none_can_be_left_the_site_runs_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with note_left(tmp_path / "file" / "folder", "http://127.0.0.1:8000"):
        assert read_note(tmp_path / "file" / "folder") == ""
