"""Who handed in what: finds each student's one file in the folders, zips and names that schools' systems make.

Knows the names that a lab asks for, and runs nothing."""

import ast
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from webapp.labs.checker.labs import Lab
from webapp.labs.grading.archives import MOST_BYTES_A_FILE, MOST_DEPTH, Budget, CannotOpen, unpack
from webapp.labs.loading.notebook import python_source

SUFFIXES = {".py", ".ipynb"}
PACKED = {".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"}
LEFT_BEHIND = {"__MACOSX", "__pycache__", "venv", "env", "site-packages", "node_modules"}
STARTERS = {"runner.py", "helpers.py"}  # what the sheets hand out beside the file to write
LARGEST = 1_000_000

# The names that learning platforms give to a student's folder, or to a file that lies among all the others.
PLATFORMS = (
    re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_*(?P<file>.*)"),  # Moodle
    re.compile(r".+?_(?P<name>[^_]+)_attempt_(?P<attempt>\d{4}(?:-\d\d){5})_*(?P<file>.*)"),  # Blackboard
    re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)"),  # Canvas
    re.compile(r"(?P<id>\d+-\d+) - (?P<name>.+?) - .+"),  # Brightspace
)
DRAFT = re.compile(r"[ _-]*(?:\(\d+\)|copy|old|draft|backup)$", re.IGNORECASE)


@dataclass
class Submission:
    """One student: the file to check, if there is one, what else lay there, and what kept it from being read."""

    student: str
    id: str = ""
    file: Path | None = None
    name: str = ""
    ignored: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    found: dict[str, Path] = field(default_factory=dict)
    attempt: str = ""
    folder: Path | None = None

    @property
    def label(self) -> str:
        return f"{self.student} ({self.id})" if self.id else self.student


class Owner(NamedTuple):
    """What a platform's name says: whose it is, and what the file was called before."""

    student: str
    id: str = ""
    attempt: str = ""
    file: str = ""


@dataclass(frozen=True)
class Item:
    """A file as the instructor sees it: its path in what was handed in, and where it lies."""

    path: str
    file: Path


class HandedIn:
    """What lies in a folder or a zip of a class. Zips are opened into a folder of ours, which is gone at the end."""

    def __init__(self, source: Path, lab: Lab, not_handed_in: Iterable[Path] = ()) -> None:
        self.source, self.lab = source, lab
        self.not_handed_in = {path.resolve() for path in not_handed_in}  # what we write there ourselves
        self.unpacked = tempfile.TemporaryDirectory(prefix="noughts-class-", ignore_cleanup_errors=True)
        self.students: dict[tuple[str, str], Submission] = {}
        self.ignored: list[str] = []

    def __enter__(self) -> "HandedIn":
        return self

    def __exit__(self, *_: object) -> None:
        self.unpacked.cleanup()

    def submissions(self) -> list[Submission]:
        """One for each student, in the order of their names."""
        for item in self.top():
            self.place(item)
        for submission in self.students.values():
            choose(submission, self.lab)
        return sorted(self.students.values(), key=lambda found: (found.student.lower(), found.id))

    def top(self) -> Iterator[Path]:
        """What lies at the top, below a folder that only wraps the class."""
        top = self.source if self.source.is_dir() else self.opened(self.source)
        inner = seen_in(top)
        others = [] if self.source.is_dir() else [path for path in inner if is_nobodys(path)]
        inner = [path for path in inner if path not in others]
        if len(inner) == 1 and inner[0].is_dir() and sum(map(holds_one_student, seen_in(inner[0]))) > 1:
            top = inner[0]
            self.ignored += map(readable, others)
        yield from (path for path in seen_in(top) if path.resolve() not in self.not_handed_in)

    def opened(self, archive: Path) -> Path:
        """A zip of the whole class, unpacked; if that fails there is nothing to check."""
        folder = self.new_folder()
        budget = Budget()
        unpack(archive, folder, budget)
        self.ignored += budget.refused
        return folder

    def new_folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.unpacked.name))

    def place(self, path: Path) -> None:
        """Give what lies at the top to its student."""
        is_other = path.is_file() and path.suffix.lower() not in SUFFIXES | PACKED | {".zip"}
        if path.is_symlink() or (is_other and not named_owner(path)) or (path.is_file() and path.name in STARTERS):
            self.ignored.append(readable(path))
            return
        owner, budget = owner_of(path), Budget()
        submission = self.students.setdefault((owner.student, owner.id), Submission(owner.student, owner.id))
        if owner.attempt > submission.attempt:  # they come in the order of their dates: only the last one counts
            submission.ignored += submission.found
            submission.found, submission.attempt = {}, owner.attempt
        if is_other:
            submission.ignored.append(readable(path))
            return
        for item in items_of(self.renamed(path, owner, submission), readable(path), submission):
            self.take(item, submission, budget, MOST_DEPTH)

    def renamed(self, path: Path, owner: Owner, submission: Submission) -> Path:
        """A file under the name that its student gave it, beside their other files: one may import another."""
        if not owner.file or path.is_dir():
            return path
        submission.folder = submission.folder or self.new_folder()
        return Path(shutil.copyfile(path, submission.folder / owner.file))

    def take(self, item: Item, submission: Submission, budget: Budget, depth: int) -> None:
        """Keep a file, or what is in it if it is a zip."""
        suffix = item.file.suffix.lower()
        if reason := unreadable(item.file):
            submission.problems.append(f"{item.path} {reason}")
        elif suffix in SUFFIXES:
            submission.found[item.path] = item.file
        elif suffix != ".zip":
            submission.problems += [f"{item.path} cannot be opened here: ask for a .zip"] * (suffix in PACKED)
            submission.ignored.append(item.path)
        elif depth == 0:
            submission.problems.append(f"{item.path} holds zips in zips too deep")
        else:
            self.open_zip(item, submission, budget, depth)

    def open_zip(self, item: Item, submission: Submission, budget: Budget, depth: int) -> None:
        folder = self.new_folder()
        try:
            unpack(item.file, folder, budget)
        except CannotOpen as reason:
            submission.problems.append(str(reason))
        submission.ignored += [f"{item.path}/{name}" for name in budget.refused]
        budget.refused.clear()
        for inner in items_of(folder, item.path, submission):
            self.take(inner, submission, budget, depth - 1)


def named_owner(path: Path) -> Owner | None:
    """A student's name and number out of what a platform made of it."""
    for pattern in PLATFORMS:
        if found := pattern.fullmatch(readable(path)):
            parts = found.groupdict("")
            return Owner(parts["name"].strip(), *(parts.get(key, "") for key in ("id", "attempt", "file")))
    return None


def owner_of(path: Path) -> Owner:
    """Where no platform made the name, it is the student's as it is."""
    if owner := named_owner(path):
        return owner
    name = readable(path)
    whole = name if path.is_dir() else name.removesuffix(path.suffix)
    return Owner(DRAFT.sub("", whole) or whole)


def readable(path: Path) -> str:
    """A file's name as text: one that is not UTF-8 comes from Windows, most likely."""
    try:
        return path.name.encode("utf-8").decode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(path.name).decode("cp1252", errors="replace")


def seen_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not is_left_behind(path.name))


def is_left_behind(name: str) -> bool:
    """What editors, systems and installers leave behind: nobody wrote it."""
    return name.startswith((".", "~$")) or name in LEFT_BEHIND


def is_nobodys(path: Path) -> bool:
    return not holds_one_student(path) and not named_owner(path)


def holds_one_student(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() in SUFFIXES | {".zip"}


def items_of(path: Path, name: str, submission: Submission) -> Iterator[Item]:
    """The files in a folder, or the file itself; links are not followed."""
    if not path.is_dir():
        yield Item(name, path)
        return
    for inner in sorted(path.iterdir()):
        if is_left_behind(inner.name) or inner.is_symlink():
            submission.ignored.append(f"{name}/{readable(inner)}")
        else:
            yield from items_of(inner, f"{name}/{readable(inner)}", submission)


def unreadable(file: Path) -> str:
    """Why a file is not even looked at, or ""."""
    try:
        if not file.is_file():
            return "is not a file"
        with file.open("rb"):
            return "is too large" if file.stat().st_size > MOST_BYTES_A_FILE else ""
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def choose(submission: Submission, lab: Lab) -> None:
    """Take the file that has most of the lab's names; of equal ones that of the lab's name, nearest to the top."""
    found = submission.found
    ranked = sorted(found, key=lambda path: rank(path, found[path], lab))
    if ranked:
        submission.name, submission.file = ranked[0], found[ranked[0]]
        submission.ignored += [*ranked[1:], *submission.problems]
        submission.problems = []
        return
    if not submission.problems:
        submission.problems.append("no .py, .ipynb or .zip file" + " among the files" * bool(submission.ignored))


def rank(path: str, file: Path, lab: Lab) -> tuple[int, bool, int, str]:
    """Smaller is better."""
    name = path.rpartition("/")[2]
    return -names_in(file, lab), not name.startswith(lab.name), path.count("/"), path


def names_in(file: Path, lab: Lab) -> int:
    """How many of the lab's names a file defines, also if Python cannot read it."""
    if file.stat().st_size > LARGEST:
        return 0
    source = python_source(file)
    wanted = {name.rpartition(".")[2] for name in lab.names}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = source.decode("utf-16" if source[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1", errors="replace")
        return len(wanted.intersection(re.findall(r"\b(?:def|class)\s+(\w+)", text)))
    defined = (ast.FunctionDef, ast.ClassDef)
    return len(wanted & {node.name for node in ast.walk(tree) if isinstance(node, defined)})
