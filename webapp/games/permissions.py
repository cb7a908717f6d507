"""What may be closed to somebody in games: levels, the coach, opponents, games to watch.

Games close nothing. A higher package that does hands its `Restriction` to create_app; games ask them all, and know
none. What one of them closes is closed, whatever the others say.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from flask import current_app

from webapp.games.refusals import ClosedToYou, NotYourOpponent
from webapp.tictactoe import LEVELS

RESTRICTIONS, ADMISSIONS = "noughts_restrictions", "noughts_admissions"
Watched = tuple[int, int | None]  # the ids of a game and of who watches
Pair = tuple[int | None, int]  # the ids of two players, or of who watches (None: a visitor) and a player


@dataclass(frozen=True)
class Restriction:
    """Of these only what the feature decides is given. `because` follows each refusal, unless `why`
    knows a better one for these people.

    `closed_levels` are the levels that a user may not play, `is_coach_closed` tells whether they play without the
    coach. `apart` gives those of the pairs that may not play each other, `unwatched` those of which the one may not
    watch the other's games, `outsiders` those pairs of a classroom and a person of which the one is not in the other.
    These are asked for a whole page, or for all who watch, at once: one statement each.
    """

    because: str
    why: Callable[[Collection[int]], str] = lambda people: ""
    closed_levels: Callable[[int], Collection[str]] = lambda user_id: ()
    is_coach_closed: Callable[[int], bool] = lambda user_id: False
    apart: Callable[[Collection[Pair]], Collection[Pair]] = lambda pairs: ()
    unwatched: Callable[[Collection[Pair]], Collection[Pair]] = lambda pairs: ()
    outsiders: Callable[[Collection[Any]], Collection[Any]] = lambda pairs: ()


def restrictions() -> list[Restriction]:
    found: list[Restriction] = current_app.extensions.get(RESTRICTIONS, [])
    return found


def levels_for(user_id: int | None) -> list[str]:
    """The levels that this user may play, in their order; a visitor may play them all."""
    closed = {level for one in restrictions() for level in (one.closed_levels(user_id) if user_id else ())}
    return [level for level in LEVELS if level not in closed]


def may_have_coach(user_id: int | None) -> bool:
    return user_id is None or not any(one.is_coach_closed(user_id) for one in restrictions())


def opponents_among(user_id: int, others: Iterable[int]) -> set[int]:
    """Those of the others that this user may play."""
    left = set(others)
    for one in restrictions() if left else ():
        left -= {other for _, other in one.apart([(user_id, other) for other in left])}
    return left


def may_play_everybody(user_id: int) -> bool:
    """Whoever they are: as somebody who is in nothing that could open the one to the other."""
    return not any(one.apart([(None, user_id)]) for one in restrictions())


def unwatched(pairs: Collection[Pair]) -> set[Pair]:
    """Those of the pairs of which the one may not watch the other's games."""
    return {pair for one in restrictions() for pair in one.unwatched(pairs)} if pairs else set()


def outsiders(pairs: Collection[tuple[int | None, int | None]]) -> set[tuple[int | None, int | None]]:
    """Those of the pairs of a classroom and a person of which the one is not in the other."""
    return {pair for one in restrictions() for pair in one.outsiders(pairs)} if pairs else set()


def admitted(pairs: Collection[Watched]) -> set[Watched]:
    """Those of the pairs of an arranged game and a viewer of which the one may be seen by the other, because of what it
    was arranged for.
    """
    found: list[Callable[[Collection[Watched]], set[Watched]]] = current_app.extensions.get(ADMISSIONS, [])
    return {pair for admit in found for pair in admit(pairs)} if pairs else set()


# Asked before something is written


def check_level(user_id: int, level: str) -> None:
    for one in restrictions():
        if level in one.closed_levels(user_id):
            title = LEVELS[level].title
            why = one.why([user_id])
            instead = "Choose another level." if levels_for(user_id) else "You can play people in the lobby."
            more = why or f"{one.because} {instead}"
            raise ClosedToYou(f"You cannot play {title} now, so no game began. {more}")


def check_coach(user_id: int) -> None:
    for one in restrictions():
        if one.is_coach_closed(user_id):
            raise ClosedToYou(f"You cannot use the coach now. {one.because} Play without the coach.")


def check_opponent(user_id: int, other_id: int) -> None:
    for one in restrictions():
        if one.apart([(user_id, other_id)]):
            why = one.why([user_id, other_id]) or one.because
            raise NotYourOpponent(f"You two cannot play each other. {why} Choose another opponent.")
