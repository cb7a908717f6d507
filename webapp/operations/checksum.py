"""The last line of a backup: the SHA-256 of all before it, so that a single flipped bit is noticed. Standard library.

It stands in the file itself, because one file is what people copy. SQLite and pg_restore do not look behind their data,
so the file can be used without Noughts as well, and `head -c -103 FILE | sha256sum` gives what the last line tells.
"""

import hashlib
import os
from pathlib import Path

WORDS = b"\nSHA-256 of the Noughts backup above: "
LENGTH = len(WORDS) + 64 + 1


def add_checksum(file: Path) -> None:
    line = _line_for(file, file.stat().st_size)
    with file.open("ab") as backup:
        backup.write(line)
        backup.flush()
        os.fsync(backup.fileno())


def is_as_written(file: Path) -> bool | None:
    """None for a file without a checksum: a version before this one made it."""
    size = max(file.stat().st_size - LENGTH, 0)
    with file.open("rb") as backup:
        backup.seek(size)
        line = backup.read()
    alike = sum(one == other for one, other in zip(line, WORDS, strict=False))
    if alike < len(WORDS) / 2:  # all of them, unless a bit flipped in this very line
        return None
    return line == _line_for(file, size)


def _line_for(file: Path, size: int) -> bytes:
    """The line that tells the checksum of the first `size` bytes."""
    digest = hashlib.sha256()
    with file.open("rb") as backup:
        while size and (piece := backup.read(min(size, 2**20))):
            digest.update(piece)
            size -= len(piece)
    return WORDS + digest.hexdigest().encode() + b"\n"
