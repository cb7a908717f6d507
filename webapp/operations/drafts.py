"""A backup is written beside its place, and gets its name when it is whole. Standard library only."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webapp.database_file import BESIDE
from webapp.operations.checksum import add_checksum

# What lets somebody in is in no backup: what was used or revoked after one would work again when it is restored.
NOT_KEPT = ("session", "log_in_code", "set_up_token")


@contextmanager
def draft_beside(target: Path) -> Iterator[Path]:
    """A new file that only its owner may read (it will hold password hashes); gone afterwards unless it was kept.

    Nobody can guess its name, so that nobody can lay a link there which leads to another file.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{secrets.token_hex(8)}.part")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
    finally:
        for ending in BESIDE:
            draft.with_name(draft.name + ending).unlink(missing_ok=True)


def keep_as_backup(draft: Path, target: Path) -> None:
    add_checksum(draft)
    draft.replace(target)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk. Windows cannot, and need not."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
