"""Whether an agent accepts a challenge: by itself, at the moment of the challenge. Asked within its unit."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import User
from webapp.agents.models import Accepts, Agent
from webapp.agents.refusals import AgentDeclines
from webapp.classrooms.models import Classroom, Enrolment
from webapp.games.models import Game, Seat
from webapp.games.states import Status
from webapp.prepared import Prepared

_theirs = aliased(Enrolment)


_AGENT = Prepared(
    select(Agent.owner_id, Agent.accepts, Agent.games_at_once, Agent.token_hash, User.name)
    .join(User, User.id == Agent.user_id)
    .where(Agent.user_id == bindparam("user_id"))
)


def accepts(connection: Connection, challenger_id: int, agent_id: int) -> bool:
    """False of who is no agent; an agent that will not play raises why."""
    [agent] = _AGENT.rows(connection, user_id=agent_id) or [None]
    if agent is None:
        return False
    if agent.token_hash is None:
        raise AgentDeclines(f"{agent.name} has no token now, so it cannot play. Its owner can give it a new one.")
    challenger = _responsible(connection, challenger_id)
    if challenger != agent.owner_id:
        _check_who(connection, agent.name, agent.accepts, challenger, agent.owner_id)
    if games_in_play(connection, agent_id) >= agent.games_at_once:
        raise AgentDeclines(f"{agent.name} plays as many games as it may at once. Try again when one has ended.")
    return True


def _responsible(connection: Connection, user_id: int) -> int:
    """An agent challenges as its owner."""
    return connection.scalar(select(func.coalesce(User.owner_id, User.id)).where(User.id == user_id)) or user_id


def _check_who(connection: Connection, name: str, allowed: Accepts, challenger_id: int, owner_id: int) -> None:
    if allowed == Accepts.OWNER:
        raise AgentDeclines(f"{name} plays only its owner. Choose another opponent.")
    if allowed == Accepts.CLASSMATES and not connection.scalar(select(are_classmates(challenger_id, owner_id))):
        raise AgentDeclines(f"{name} plays only classmates of its owner. Choose another opponent.")


def are_classmates(one: Any, other: Any) -> ColumnElement[bool]:
    """Of two user ids, or columns that hold them."""
    both_present = (Enrolment.removed_at.is_(None), _theirs.removed_at.is_(None), Classroom.archived_at.is_(None))
    same = (_theirs.classroom_id == Enrolment.classroom_id, Classroom.id == Enrolment.classroom_id)
    return exists().where(Enrolment.user_id == one, _theirs.user_id == other, *same, *both_present)


def games_in_play(connection: Connection, agent_id: int) -> int:
    """Those that somebody opened; a feature that gives it games besides counts them itself."""
    playing = (Seat.user_id == agent_id, Seat.result.is_(None), Game.status == Status.PLAYING)
    count = select(func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
    return connection.scalar(count.where(*playing, Game.opened_by.is_not(None))) or 0
