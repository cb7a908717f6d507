"""Numbers in addresses and forms that name rows: no table has one beyond what its key can hold."""

from collections.abc import Iterable
from typing import Any

from flask import Flask
from werkzeug.routing import IntegerConverter

LARGEST_ID = 2**31 - 1  # the databases fail on a larger one instead of not finding it


class RowIdConverter(IntegerConverter):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"max": LARGEST_ID, **options})


def ids_among(texts: Iterable[str]) -> set[int]:
    """What a form sent, without what can name no row."""
    short = (text for text in texts if text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST_ID)))
    return {number for number in map(int, short) if number <= LARGEST_ID}


def init_app(app: Flask) -> None:
    app.url_map.converters["int"] = RowIdConverter
