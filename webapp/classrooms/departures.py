"""Who wants to know that people have left a classroom. Classrooms know none of them: a higher package hands its
`Departure` to create_app.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from flask import current_app
from sqlalchemy import Connection

DEPARTURES = "noughts_departures"


@dataclass(frozen=True)
class Departure:
    """Both are given the classroom and who left it. `within` runs in the unit that ends their stays, with them and the
    classroom locked; `after` when that unit is over, for what takes units of its own.
    """

    within: Callable[[Connection, int, Collection[int]], None]
    after: Callable[[int, Collection[int]], None]


def announce_departure(connection: Connection, classroom_id: int, user_ids: Collection[int]) -> None:
    for one in _departures() if user_ids else ():
        one.within(connection, classroom_id, user_ids)


def after_departure(classroom_id: int, user_ids: Collection[int]) -> None:
    for one in _departures() if user_ids else ():
        one.after(classroom_id, user_ids)


def _departures() -> list[Departure]:
    found: list[Departure] = current_app.extensions.get(DEPARTURES, [])
    return found
