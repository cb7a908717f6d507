"""Where temporary files cost least: in memory, where this machine has a disk for that with room enough.

A database waits for the disk at every commit, and the tests commit a hundred thousand times. Standard library only.
"""

import os
import shutil
from pathlib import Path

MEMORY, ENOUGH = Path("/dev/shm"), 2**29


def disk_in_memory() -> Path | None:
    """Its folder; None where the usual one must do."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH
    return MEMORY if has_room else None
