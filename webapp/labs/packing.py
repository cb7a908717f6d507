"""The checker as one file to take home: a zip that any Python runs, with starter files in place of our answers.

Standard library only."""

import io
import zipfile
from functools import cache
from pathlib import Path

from webapp.labs.desk.look import SHARED
from webapp.labs.starters import LABS, starter

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("webapp/labs", "webapp/tictactoe")
START = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("The checker needs Python 3.11 or newer. This is Python %d.%d." % sys.version_info[:2])

from webapp.labs.__main__ import run

sys.exit(run())
"""
ANY_DAY = (2025, 1, 1, 0, 0, 0)  # so that the same code gives the same bytes


def client_text() -> bytes:
    """The bytes of noughts_client.py, which needs nothing else of ours."""
    return (ROOT / "webapp/labs/noughts_client.py").read_bytes()


@cache
def packed() -> bytes:
    """The bytes of labs.pyz: `python3 labs.pyz check agent my_file.py`."""
    content = {"__main__.py": START, "webapp/__init__.py": (ROOT / "webapp/__init__.py").read_text("utf-8")}
    for folder in FOLDERS:
        for path in sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".html", ".js")):
            content[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8")
    content |= {name: (ROOT / name).read_text("utf-8") for name in SHARED}
    content |= {f"webapp/labs/{lab}.py": starter(lab) for lab in LABS}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            archive.writestr(zipfile.ZipInfo(name, ANY_DAY), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()
