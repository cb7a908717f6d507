"""A school's file as text, and text as a table: encodings and separators. Standard library only."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from webapp.errors import Refusal

SEPARATORS = "\t;,"
ENCODINGS_BY_MARK = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# What a file begins with that is no list in plain text: Excel or a zip, PDF, Excel before 2007, a screenshot or a photo
# of a list, RTF as TextEdit saves it, and the web page that some systems write when they are asked for Excel.
NO_LIST = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"{\\rtf", b"<")


class NoTextFile(Refusal):
    def __init__(self) -> None:
        super().__init__(
            "This is not a list in plain text. Open it in a spreadsheet program, save it as CSV, and choose that file."
        )


class UnreadableLine(Refusal):
    def __init__(self, number: int) -> None:
        super().__init__(
            f'Line {number} cannot be read: its quotation marks (") do not match. Correct it and try again.'
        )


class Line(NamedTuple):
    """The fields of one row, and the line of the file on which it begins."""

    number: int
    fields: list[str]


def text_of_file(content: bytes) -> str:
    """UTF-8 and UTF-16 with or without their mark; everything else is the Latin-1 of Windows."""
    if content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(NO_LIST):
        raise NoTextFile
    encodings = [name for mark, name in ENCODINGS_BY_MARK.items() if content.startswith(mark)]
    for encoding in (*encodings, *_unmarked_utf_16(content), "utf-8", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            pass
    return content.decode("latin-1")


def _unmarked_utf_16(content: bytes) -> list[str]:
    """Separators and line ends are ASCII in every script, so every second byte of some characters is zero."""
    if b"\0" not in content[:2000]:
        return []
    even, odd = content[:2000:2].count(0), content[1:2000:2].count(0)
    return ["utf-16-le" if odd > even else "utf-16-be"]


def lines_of(text: str) -> list[Line]:
    """A plain list: each line is one field. Quotes around all of it are no part of the field."""
    lines = enumerate(StringIO(text, newline=None), 1)
    return [Line(number, [_unquoted(line.rstrip("\n"))]) for number, line in lines if line.strip()]


def _unquoted(line: str) -> str:
    try:
        fields = next(csv.reader([line], strict=True), [])
    except csv.Error:
        return line
    return fields[0] if len(fields) == 1 else line


def rows_of(text: str, separator: str) -> Iterator[Line]:
    """Those that hold something. A field in quotation marks may go over several lines."""
    reader = csv.reader(StringIO(text, newline=None), delimiter=separator, strict=True)
    begin = 1
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                yield Line(begin, fields)
            begin = reader.line_num + 1
    except csv.Error:
        raise UnreadableLine(begin) from None
