"""How values cross between the checker and the student's process: JSON that keeps tuples and sets.

Knows the standard library only: both sides read it."""

import operator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Other:
    """A value of a kind that no lab asks for, by what it looks like."""

    text: str

    def __repr__(self) -> str:
        return self.text


def encode(value: Any) -> Any:
    """Turn a value into what JSON can carry; what it cannot goes as its looks, cut to a sane length."""
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, str):
        return str(value[:2000])
    if isinstance(value, list | tuple | set | frozenset) and len(value) <= 100:
        items = [encode(item) for item in value]
        return items if isinstance(value, list) else {"tuple" if isinstance(value, tuple) else "set": items}
    if hasattr(type(value), "__index__") and abs(operator.index(value)) < 1 << 64:
        return operator.index(value)
    return {"other": repr(value)[:200]}


def decode(value: Any) -> Any:
    """Turn it back: lists, tuples and sets as they were, the rest as Other."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    [(kind, content)] = value.items()
    if kind == "other":
        return Other(content)
    items = [decode(item) for item in content]
    if kind == "tuple":
        return tuple(items)
    return {frozenset(item) if isinstance(item, set) else item for item in items}
