"""Who may begin: a few at once, and not for ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """So many at once. Whoever has waited for `patience` seconds begins without: those who are at it may themselves be
    waiting for something that takes long.
    """

    def __init__(self, count: int, patience: float) -> None:
        self._semaphore, self._patience = asyncio.Semaphore(count), patience

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        is_ours = await self._is_free_in_time()
        try:
            yield
        finally:
            if is_ours:
                self._semaphore.release()

    async def _is_free_in_time(self) -> bool:
        try:
            async with asyncio.timeout(self._patience):
                return await self._semaphore.acquire()
        except TimeoutError:
            return False
