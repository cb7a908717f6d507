"""Opens the zip files of a class, within bounds: no entry leaves its folder, and none of them fills the disk.

Standard library only. Nothing that a zip says about itself is believed: what is read is counted."""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

WANTED = {".py", ".ipynb", ".zip"}
MOST_ENTRIES = 20_000
MOST_BYTES = 100_000_000
MOST_BYTES_A_FILE = 20_000_000
MOST_DEPTH = 3  # zips in zips
LONGEST_NAME = 120
NAME_IS_UTF_8 = 0x800


class CannotOpen(Exception):
    """Why a zip gives nothing, in words for the instructor."""


@dataclass
class Budget:
    """What all zips of one run may still give: entries and bytes."""

    entries: int = MOST_ENTRIES
    bytes: int = MOST_BYTES
    refused: list[str] = field(default_factory=list)


def unpack(archive: Path, folder: Path, budget: Budget) -> None:
    """Write the Python files, notebooks and zips of an archive into a folder; note in the budget what was refused.

    Of anything else only the name is written: it tells whose it is, and is listed as ignored.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            for entry in allowed(opened, archive.name, budget):
                write(opened, entry, folder, budget)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError, NotImplementedError) as error:
        raise CannotOpen(f"{archive.name} is damaged or not a zip file ({error})") from None
    except RuntimeError:  # how zipfile says that a password is needed
        raise CannotOpen(f"{archive.name} needs a password") from None


def allowed(opened: zipfile.ZipFile, archive: str, budget: Budget) -> Iterator[zipfile.ZipInfo]:
    """The files that may be written; why others are refused is noted."""
    budget.entries -= len(opened.infolist())
    if budget.entries < 0:
        raise CannotOpen(f"{archive} holds more than {MOST_ENTRIES:,} files")
    for entry in opened.infolist():
        if entry.is_dir():
            continue
        if reason := refusal(entry):
            budget.refused.append(f"{entry.filename[:LONGEST_NAME]} ({reason})")
        else:
            yield entry


def refusal(entry: zipfile.ZipInfo) -> str:
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "it is a link"
    path = PurePosixPath(name_of(entry))
    if path.is_absolute() or ".." in path.parts or ":" in str(path):
        return "its path leads out of the zip"
    return "its name is too long" if any(len(part) > LONGEST_NAME for part in path.parts) else ""


def name_of(entry: zipfile.ZipInfo) -> str:
    """The entry's path, with slashes. Many programs write UTF-8 without saying so."""
    name = entry.filename
    if not entry.flag_bits & NAME_IS_UTF_8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = entry.filename
    return "".join(letter if letter.isprintable() else "_" for letter in name.replace("\\", "/"))


def write(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, budget: Budget) -> None:
    """Read no more than is allowed, whatever size the zip gives."""
    target = folder / name_of(entry)
    if target.suffix.lower() not in WANTED:
        write_name(target)
        return
    with opened.open(entry) as source:
        content = source.read(MOST_BYTES_A_FILE + 1)
    budget.bytes -= len(content)
    if len(content) > MOST_BYTES_A_FILE or budget.bytes < 0:
        raise CannotOpen(f"{name_of(entry)} is too large when unpacked")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def write_name(target: Path) -> None:
    """Of a file that is not read: a name that this system cannot have keeps nobody from the files beside it."""
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
