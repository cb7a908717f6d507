"""Who may begin: a few at once, each client in its turn, and nobody waits for ever."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple


class Client(NamedTuple):
    """Whose turn it is: first one of each network, then there one of each user. `user` is None for all whom the site
    does not know: else who invents a thousand cookies would have a thousand turns.
    """

    network: str
    user: int | None


Waiting = asyncio.Future[None]
Users = OrderedDict[int | None, OrderedDict[Waiting, None]]


class Turns:
    """So many at once. Who has waited for `patience` seconds begins without: those who are at it may themselves be
    waiting for something that takes long.
    """

    def __init__(self, count: int, patience: float | None = None) -> None:
        self._free, self._patience = count, patience
        self._waiting = OrderedDict[str, Users]()

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
        users = self._waiting.setdefault(client.network, OrderedDict())
        users.setdefault(client.user, OrderedDict())[given] = None
        try:
            async with asyncio.timeout(self._patience):
                await given
        except TimeoutError:
            self._leave(client, given)
            return _is_given(given)
        except BaseException:
            self._leave(client, given)
            if _is_given(given):
                self._give_on()
            raise
        return True

    def _leave(self, client: Client, given: Waiting) -> None:
        """Nothing is left of who waits no more: neither memory, nor a place that another's turn would be spent on."""
        users = self._waiting.get(client.network, Users())
        theirs = users.get(client.user, OrderedDict())
        theirs.pop(given, None)
        if not theirs:
            users.pop(client.user, None)
        if not users:
            self._waiting.pop(client.network, None)

    def _give_on(self) -> None:
        """To the next who still waits."""
        while self._waiting:
            if not (given := self._next()).done():
                given.set_result(None)
                return
        self._free += 1

    def _next(self) -> Waiting:
        """Its network and its user come last from now on."""
        network, users = self._waiting.popitem(last=False)
        user, theirs = users.popitem(last=False)
        given, _ = theirs.popitem(last=False)
        if theirs:
            users[user] = theirs
        if users:
            self._waiting[network] = users
        return given


def _is_given(given: Waiting) -> bool:
    """Also if it was given in the very moment in which nobody waits for it any more."""
    return given.done() and not given.cancelled()
