"""Numbers in addresses. They name rows, and no table has one beyond what its key can hold."""

from typing import Any

from flask import Flask
from werkzeug.routing import IntegerConverter

LARGEST_ID = 2**31 - 1  # the databases fail on a larger one instead of not finding it


class RowIdConverter(IntegerConverter):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"max": LARGEST_ID, **options})


def init_app(app: Flask) -> None:
    app.url_map.converters["int"] = RowIdConverter
