"""Who accepts a challenge without being asked. Games know nobody who does: a higher package hands its function to
create_app. It is called within the unit of the challenge, with both players locked.
"""

from collections.abc import Callable

from flask import current_app
from sqlalchemy import Connection

ACCEPTANCES = "noughts_acceptances"
# Of the one who challenges and the one who is challenged: whether the second accepts by itself. A refusal is raised.
Acceptance = Callable[[Connection, int, int], bool]


def accepts_at_once(connection: Connection, challenger_id: int, challenged_id: int) -> bool:
    asked: list[Acceptance] = current_app.extensions.get(ACCEPTANCES, [])
    return any(accepts(connection, challenger_id, challenged_id) for accepts in asked)
