"""The table of a competition of either kind, ready to be drawn: headings, rows, how it was computed. Plain values."""

from dataclasses import dataclass

from webapp.competitions.records import EntryRecord


@dataclass(frozen=True)
class TableRow:
    entry: EntryRecord
    rank: int | None
    is_me: bool
    cells: tuple[str, ...]  # one for each heading


@dataclass(frozen=True)
class Table:
    headings: tuple[str, ...]
    rows: list[TableRow]
    how: tuple[str, ...]  # sentences


def points(halves: int) -> str:
    """With a half as it is written on paper."""
    whole, half = divmod(halves, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def points_in_words(halves: int) -> str:
    return f"{points(halves)} point{'' if halves in (1, 2) else 's'}"


def quarters(count: int) -> str:
    whole, part = divmod(count, 4)
    return f"{whole or '' if part else whole}{('', '¼', '½', '¾')[part]}"
