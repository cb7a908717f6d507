"""Where the workers keep what they count, so that each can tell of all: a folder for each start. Standard library.

prometheus-client reads its name from the environment; each worker writes files there that end with its number.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@contextmanager
def metrics_folder(is_wanted: bool) -> Iterator[None]:
    if not is_wanted:
        os.environ.pop(VARIABLE, None)  # that of another program
        yield
        return
    os.environ[VARIABLE] = folder = tempfile.mkdtemp(prefix="noughts-metrics-")
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        del os.environ[VARIABLE]


def forget_gauges(number: int) -> None:
    """Of a worker that has ended: it has no page open any more. What it counted stays counted."""
    if VARIABLE in os.environ:
        for file in Path(os.environ[VARIABLE]).glob(f"gauge_live*_{number}.db"):
            file.unlink(missing_ok=True)
