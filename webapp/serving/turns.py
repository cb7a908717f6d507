"""Who may begin: a few at once, each client in its turn, and nobody waits for ever."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple


class Client(NamedTuple):
    """Whose turn it is: first one of each network, then there one of each session. `session` is empty for all whom the
    site does not know: else who invents a thousand would have a thousand turns.
    """

    network: str
    session: str


Waiting = asyncio.Future[None]


class Turns:
    """So many at once. Who has waited for `patience` seconds begins without: those who are at it may themselves be
    waiting for something that takes long.
    """

    def __init__(self, count: int, patience: float | None = None) -> None:
        self._free, self._patience = count, patience
        self._waiting = OrderedDict[str, OrderedDict[str, deque[Waiting]]]()

    @property
    def is_free(self) -> bool:
        return self._free > 0

    @asynccontextmanager
    async def one(self, client: Callable[[], Client]) -> AsyncIterator[None]:
        """`client` is asked only if there is a wait."""
        is_ours = self.is_free
        if is_ours:
            self._free -= 1
        else:
            is_ours = await self._is_given_in_time(client())
        try:
            yield
        finally:
            if is_ours:
                self._give_on()

    async def _is_given_in_time(self, client: Client) -> bool:
        given: Waiting = asyncio.get_running_loop().create_future()
        sessions = self._waiting.setdefault(client.network, OrderedDict())
        sessions.setdefault(client.session, deque()).append(given)
        try:
            async with asyncio.timeout(self._patience):
                await given
        except TimeoutError:
            return _is_given(given)
        except BaseException:
            if _is_given(given):
                self._give_on()
            raise
        return True

    def _give_on(self) -> None:
        """To the next who still waits."""
        while self._waiting:
            if not (given := self._next()).done():
                given.set_result(None)
                return
        self._free += 1

    def _next(self) -> Waiting:
        """Its network and its session come last from now on."""
        network, sessions = self._waiting.popitem(last=False)
        session, line = sessions.popitem(last=False)
        given = line.popleft()
        if line:
            sessions[session] = line
        if sessions:
            self._waiting[network] = sessions
        return given


def _is_given(given: Waiting) -> bool:
    """Also if it was given in the very moment in which nobody waits for it any more."""
    return given.done() and not given.cancelled()
