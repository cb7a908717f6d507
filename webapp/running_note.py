"""The note that a running site leaves in its instance folder: where it is. Standard library only."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from webapp.private_files import make_private_file

NOTE = "running"


@contextmanager
def note_left(folder: Path, address: str) -> Iterator[None]:
    """While the site runs. A disk that cannot be written to keeps nobody from serving."""
    note = folder / NOTE
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private_file(note)
        note.write_text(f"{os.getpid()} {address}\n")
    try:
        yield
    finally:
        if _is_ours(note):
            note.unlink(missing_ok=True)


def _is_ours(note: Path) -> bool:
    """Not where another site has been started on the same folder since."""
    try:
        return note.read_text().split()[:1] == [str(os.getpid())]
    except OSError:
        return False


def read_note(folder: Path) -> str:
    """The address of the running site; empty if none runs."""
    return _words(folder)[1]


def running_process(folder: Path) -> str:
    """Its process id; empty if none runs."""
    return _words(folder)[0]


def _words(folder: Path) -> list[str]:
    try:
        return [*(folder / NOTE).read_text().split(), "", ""][:2]
    except OSError:
        return ["", ""]
