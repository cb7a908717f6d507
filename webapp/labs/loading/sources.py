"""What a student's file needs to run: itself, and the modules of its own that lie beside it.

Standard library only. Of a folder with many files only those are taken that are imported."""

import ast
from collections.abc import Iterator
from pathlib import Path

from webapp.labs.loading.notebook import python_source

MOST_FILES = 50
MOST_BYTES = 1_000_000


def sources_of(file: Path) -> dict[str, bytes]:
    """Return the Python of the file and of each module that it imports, by its path as seen from the file."""
    found = {file.stem + ".py": python_source(file)}
    unread = list(found.values())
    while unread:
        for path in modules_beside(file, imported(unread.pop())):
            name = path.relative_to(file.parent).as_posix()
            if name not in found and len(found) < MOST_FILES:
                found[name] = path.read_bytes()
                unread.append(found[name])
    return found


def copied(file: Path, folder: Path) -> Path:
    """Write all of that into a folder, and tell where the file itself is there."""
    for name, content in sources_of(file).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder / f"{file.stem}.py"


def imported(source: bytes) -> Iterator[str]:
    """The first part of each name that is imported anywhere."""
    try:
        tree = _parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # Python will say so when the file is loaded
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _parsed(source: bytes) -> ast.Module:
    try:
        return ast.parse(source)
    except SystemError:  # Python 3.11 miscounts its stack if objects are collected meanwhile, and not twice in a row
        return ast.parse(source)


def modules_beside(file: Path, names: Iterator[str]) -> Iterator[Path]:
    """The modules of these names in the file's folder, and all that belongs to the packages."""
    for name in names:
        for path in (file.parent / f"{name}.py", *sorted((file.parent / name).rglob("*.py"))):
            if path != file and path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES:
                yield path
