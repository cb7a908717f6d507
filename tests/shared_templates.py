"""Templates are compiled once for all apps and servers of a test run, instead of in each of their instance folders."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.memory import disk_in_memory
from webapp.compiled_templates import FOLDER


@cache
def _shared_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="noughts-templates-", dir=disk_in_memory())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def share_compiled_templates(instance: Path) -> None:
    link = instance / FOLDER
    if not link.is_symlink():
        link.symlink_to(_shared_folder(), target_is_directory=True)
