"""Reads boards off a screen, however they are drawn: where a person sees the cells, so should this.

Knows nothing of games. Bars or spaces between the cells, at the ends too; row and column numbers; frames; colours;
any usual sign for a free cell."""

import re
from itertools import pairwise
from typing import NamedTuple

from webapp.labs.checker.positions import SIDE

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
BARS = str.maketrans("│┃║¦", "||||")
FREE = {"", ".", "-", "_", "·", "*", "#"}
DRAWN = {"-", "_"}  # these draw lines, too
NUMBER = re.compile(r"^\s*\d[.:)]?\s+(?=\S)")
QUOTED = re.compile(r"(['\"])(.?)\1")
COMPACT = re.compile(r"[XO.]{3}", re.IGNORECASE)
WORD = re.compile(r"[^\W_]")
HEADS = ("012", "123")


class Row(NamedTuple):
    """Three cells of a printed row: letters, or digits where all three are numbers; and how they were drawn."""

    line: int
    letters: str
    kind: str
    signs: frozenset[str] = frozenset()
    is_numbered: bool = False

    @property
    def has_mark(self) -> bool:
        return "X" in self.letters or "O" in self.letters

    @property
    def is_doubtful(self) -> bool:
        """Free cells, or a line between rows?"""
        return not self.has_mark and bool(self.signs) and (self.kind == "compact" or self.signs <= DRAWN)


def read_row(line: str, number: int = 0) -> Row | None:
    """Read one line of the screen, or None if it holds no three cells."""
    line = COLOURS.sub("", line).translate(BARS)
    kind, cells = pieces_of(line)
    cells = [cell.strip().upper() for cell in cells]
    marks = [cell.strip("_") for cell in cells]
    if len(cells) != SIDE or not all(mark in FREE or mark in ("X", "O") or mark.isdigit() for mark in marks):
        return None
    digits = [mark.isdigit() for mark in marks]
    letters = "".join(mark[0] if all(digits) else mark if mark in ("X", "O") else "." for mark in marks)
    signs = frozenset(sign for cell in cells for sign in cell if sign in FREE)
    blank = signs | {""} if "" in cells else signs
    return Row(number, letters, kind, frozenset(blank), any(digits[1:]))


def pieces_of(line: str) -> tuple[str, list[str]]:
    """Cut a line at its bars, its quotes or its spaces, without what stands around the cells."""
    if "|" in line:
        return "bars", within(line.split("|"))
    if len(quoted := QUOTED.findall(line)) == SIDE:
        return "quotes", [sign for _, sign in quoted]
    words = line.split()
    if len(words) > 1 and words[0].rstrip(".:)").isdigit() and len(words) in (2, SIDE + 1):
        words = words[1:]
    if len(words) == 1 and COMPACT.fullmatch(words[0]):
        return "compact", list(words[0])
    return "spaces", words


def within(pieces: list[str]) -> list[str]:
    """What stands between the bars, without a frame, a row's number, and the nothing beyond a last bar."""
    if len(pieces) > SIDE + 1 and not pieces[0].strip() and not pieces[-1].strip():
        pieces = pieces[1:-1]
    if len(pieces) > SIDE and pieces[0].strip().isdigit():
        pieces = pieces[1:]
    if len(pieces) == SIDE + 1:
        blank = [end for end in (-1, 0) if not pieces[end].strip()]
        if blank:
            pieces.pop(min(blank, key=lambda end: len(pieces[end])))
    return [NUMBER.sub("", pieces[0]), *pieces[1:]]


def rows_on(screen: str) -> list[Row]:
    """Every row on the screen; a line of dashes is one only if dashes stand for free cells elsewhere."""
    read = (read_row(line, number) for number, line in enumerate(screen.splitlines()))
    rows = [row for row in read if row]
    sure = [row for row in rows if not row.is_doubtful]
    cells = {(row.kind, sign) for row in sure if row.has_mark for sign in row.signs}
    if not sure or (len(sure) % SIDE and not len(rows) % SIDE):
        return rows
    return [row for row in rows if not row.is_doubtful or any((row.kind, sign) in cells for sign in row.signs)]


def runs_on(screen: str) -> list[list[Row]]:
    """The rows in runs: no words stand between the rows of a run."""
    lines, runs = screen.splitlines(), [list[Row]()]
    before = 0
    for row in rows_on(screen):
        if any(WORD.search(COLOURS.sub("", line)) for line in lines[before : row.line]):
            runs.append([])
        runs[-1].append(row)
        before = row.line + 1
    return runs


def drawings_on(screen: str) -> list[list[Row]]:
    """Every board on the screen as its rows, in the order they were printed."""
    boards = []
    for run in runs_on(screen):
        while len(run) >= SIDE:
            is_head = run[0].letters in HEADS and len(run) > SIDE and not any(r.is_numbered for r in run[1 : SIDE + 1])
            board, run = run[is_head : SIDE + is_head], run[SIDE + is_head :]
            if not all(row.letters.isdigit() for row in board):  # a picture of the cells' numbers
                boards.append(board)
    return boards


def read_boards(screen: str) -> list[str]:
    """Every board on the screen, as nine letters each."""
    return ["".join("." if letter.isdigit() else letter for row in board for letter in row.letters)
            for board in drawings_on(screen)]  # fmt: skip


def is_ruled(screen: str) -> bool:
    """Tell whether every board has bars between its cells and lines between its rows."""
    lines = screen.splitlines()
    return all(
        all(row.kind == "bars" for row in board)
        and all("_" in upper.signs or any(map(str.strip, lines[upper.line + 1 : lower.line]))
                for upper, lower in pairwise(board))
        for board in drawings_on(screen)
    )  # fmt: skip
