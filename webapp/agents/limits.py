"""How often an agent may ask, and which of its copies is the newest: both exact across workers.

An accepted move counts nothing: there are only so many to make.
"""

from sqlalchemy import Connection, bindparam, select, update

from webapp.agents.models import Agent
from webapp.clock import now
from webapp.database import UtcDateTime, writing
from webapp.extensions import settings
from webapp.prepared import Prepared
from webapp.throttle import Limit, count_within


def count_request(user_id: int) -> None:
    with writing() as connection:
        count_within(connection, _limit(user_id))


def count_game(user_id: int) -> None:
    sentence = "This agent has begun too many games."
    with writing() as connection:
        count_within(connection, Limit(f"agent games {user_id}", settings().agent_games, sentence))


def count_wait(user_id: int) -> int:
    """Counted as a request, and numbered, in one unit."""
    with writing() as connection:
        count_within(connection, _limit(user_id))
        return number_wait(connection, user_id)


def _limit(user_id: int) -> Limit:
    return Limit(f"agent {user_id}", settings().agent_requests, "This agent has asked too often.")


_THIS = Agent.user_id == bindparam("me")
_NUMBER = Prepared(
    update(Agent)
    .where(_THIS)
    .values(wait_number=Agent.wait_number + 1, last_seen_at=bindparam("moment", type_=UtcDateTime))
)
_NUMBER_OF = Prepared(select(Agent.wait_number).where(_THIS))


def number_wait(connection: Connection, user_id: int) -> int:
    """Within a unit: the number of the wait that begins, which is now the newest. None is given one later: a copy that
    was answered meanwhile, and asks another worker, would be taken for an older one.
    """
    _NUMBER.run(connection, me=user_id, moment=now())
    rows = _NUMBER_OF.rows(connection, me=user_id)
    return rows[0].wait_number if rows else 0
