"""Noughts: tic-tac-toe and the minimax search behind it, as a website for a class.

Flask is imported only when the app is made, so that `python3 -m webapp.labs` runs on a bare Python.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The app. Settings come from the environment; `config` overrides them (for tests)."""
    return _factory()(config or {})


@cache
def _factory() -> Callable[[Mapping[str, Any]], Flask]:
    gc.disable()
    try:
        from webapp.factory import make_app
    finally:
        gc.freeze()  # all that is imported stays: to look through it again and again took a third of the time
        gc.enable()
    return make_app
