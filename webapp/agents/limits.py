"""How often an agent may ask, and which of its copies waits as the newest: both exact across workers.

An accepted move counts nothing: there are only so many to make.
"""

from collections.abc import Mapping

from sqlalchemy import bindparam, update

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
    """Counted as a request, and numbered, in one unit: gives the number of the wait, which is now the newest."""
    begin = update(Agent).where(Agent.user_id == user_id)
    begin = begin.values(wait_number=Agent.wait_number + 1, last_seen_at=now())
    with writing() as connection:
        count_within(connection, _limit(user_id))
        return connection.scalar(begin.returning(Agent.wait_number)) or 0


def _limit(user_id: int) -> Limit:
    return Limit(f"agent {user_id}", settings().agent_requests, "This agent has asked too often.")


_NUMBER_IF_NEWEST = Prepared(
    update(Agent)
    .where(Agent.user_id == bindparam("agent"), Agent.wait_number == bindparam("known"))
    .values(wait_number=Agent.wait_number + 1, last_seen_at=bindparam("moment", type_=UtcDateTime))
)


def number_waits(known: Mapping[int, int]) -> dict[int, int]:
    """A number for each wait that began without one, all in one unit; one that is no longer the newest keeps its own.

    By the agents' order: two processes that lock the same rows crosswise would wait for each other.
    """
    if not known:
        return {}
    with writing() as connection:
        return {
            agent: number + _NUMBER_IF_NEWEST.run(connection, agent=agent, known=number, moment=now())
            for agent, number in sorted(known.items())
        }
