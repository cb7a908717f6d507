"""What a session keeps, as JSON: no more than so much, and of two requests at once what each has changed.

Knows no request and no database.
"""

import json
from typing import Any

EMPTY = "{}"
FLASHES, FLASHES_KEPT = "_flashes", 5


def as_json(kept: dict[str, Any]) -> str:
    """Whoever never looks at a page could fill the row with what they are told."""
    if not kept:
        return EMPTY
    if FLASHES in kept:
        once = dict.fromkeys(map(tuple, kept[FLASHES]))  # two presses of one button tell the same
        kept = {**kept, FLASHES: list(once)[-FLASHES_KEPT:]}
    return json.dumps(kept)


def merged(before: str, after: str, stored: str) -> str:
    """What is stored now, with what this request changed of what it read: another may have written in between."""
    if stored == before:
        return after
    old, new, both = json.loads(before), json.loads(after), json.loads(stored)
    for key in old.keys() | new.keys():
        if key == FLASHES:
            both[key] = _merged_flashes(old.get(key, []), new.get(key, []), both.get(key, []))
        elif old.get(key) != new.get(key):
            both[key] = new.get(key)
    return json.dumps({key: value for key, value in both.items() if value})


def _merged_flashes(old: list[Any], new: list[Any], stored: list[Any]) -> list[Any]:
    """Those that this request has shown go, and what it tells comes once, though two presses tell the same."""
    left = [flash for flash in stored if flash in new or flash not in old]
    return (left + [flash for flash in new if flash not in old + left])[-FLASHES_KEPT:]
