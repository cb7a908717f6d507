"""Two people and a game between them, for browsers in this process and for those over HTTP alike."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar


class Player(Protocol):
    """tests.conftest.Browser and tests.live_server.LiveBrowser."""

    def sign_up(self, name: str) -> Any: ...

    def send(self, path: str, **fields: Any) -> Any: ...


AnyPlayer = TypeVar("AnyPlayer", bound=Player)


def two_players(new_browser: Callable[[], AnyPlayer], number: int | str = "") -> tuple[AnyPlayer, AnyPlayer]:
    """Ann and Bob, who have accounts and are logged in, each in a browser of their own. With a number in their
    names there can be several of them.
    """
    ann, bob = new_browser(), new_browser()
    ann.sign_up(f"ann{number}")
    bob.sign_up(f"bob{number}")
    return ann, bob


def open_game(player: Player, **fields: Any) -> str:
    """For anyone and with X, unless the fields say otherwise; gives its address."""
    return str(player.send("/games", **{"opponent": "anyone", "mark": "X", **fields}).location)


def begin_game(x: Player, o: Player, *cells: int, **fields: Any) -> str:
    """A game in which these cells have been played; gives its address."""
    address = open_game(x, **fields)
    assert o.send(f"{address}/join").location == address
    play_cells(x, o, address, *cells)
    return address


def play_cells(x: Player, o: Player, address: str, *cells: int, first_ply: int = 0) -> None:
    """In turn, X first unless an odd ply is."""
    for ply, cell in enumerate(cells, first_ply):
        assert (x, o)[ply % 2].send(f"{address}/moves", cell=cell, ply=ply).location == address, f"ply {ply}"
