"""Coroutines in tests that are functions. Each runs in a thread of its own, because Playwright leaves its event loop
running in the main thread of every process that has once driven a browser, and asyncio.run refuses to run inside it."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_coroutine(coroutine: Coroutine[Any, Any, Result]) -> Result:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
