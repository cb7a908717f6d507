"""The log as JSON, one object a line, for a program to read. Standard library and the request at hand.

A request is named by its route: no name, token, query or code can be in it. Of an exception it tells the kind and where
it happened, but not its message, which may quote what somebody sent.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from flask import g, has_request_context, request

from webapp.worker_number import worker_number

MEASURES = ("status", "milliseconds")  # that request_log.py gives with its line


def set_up_log(is_json: bool) -> None:
    """Once for each process: what we log, and as JSON what others log too, goes to stderr."""
    ours = logging.getLogger("noughts")
    if ours.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if is_json else logging.Formatter("%(asctime)s %(message)s"))
    if is_json:
        logging.getLogger().addHandler(handler)
    ours.addHandler(handler)
    ours.setLevel(logging.INFO)
    ours.propagate = False


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "worker": worker_number(),
        }
        if has_request_context():
            entry |= {"request": g.get("request_id"), "method": request.method, "route": request.endpoint}
        measures = {name: getattr(record, name) for name in MEASURES if hasattr(record, name)}
        entry |= measures or {"message": record.getMessage()}
        if record.exc_info and record.exc_info[0]:
            entry |= {"exception": record.exc_info[0].__name__, "at": _places(record.exc_info[2])}
        return json.dumps(entry)


def _places(trace: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
