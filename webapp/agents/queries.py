"""Questions about agents: whose they are, and which games wait for them. Read only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Integer,
    Select,
    String,
    bindparam,
    cast,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from webapp.accounts.models import Presence, User
from webapp.accounts.presence import HERE_FOR, is_here
from webapp.accounts.tokens import TOKEN, hash_of
from webapp.agents.accepting import are_classmates, games_in_play
from webapp.agents.models import Accepts, Agent
from webapp.agents.refusals import NoToken
from webapp.clock import now
from webapp.database import UtcDateTime, reading
from webapp.errors import NotThere
from webapp.extensions import db
from webapp.games.models import Game, Seat
from webapp.games.states import Status
from webapp.prepared import Prepared

_owner, _other_seat = aliased(User), aliased(Seat)


@dataclass(frozen=True)
class AgentRecord:
    user_id: int
    owner_id: int
    name: str
    owner: str
    plays_with: str
    accepts: Accepts
    games_at_once: int
    wait_number: int
    created_at: datetime
    revoked_at: datetime | None
    token_at: datetime | None
    has_token: bool
    seen_at: datetime | None

    @property
    def is_here(self) -> bool:
        return is_here(self.seen_at) and self.has_token

    @property
    def token_state(self) -> str:
        """Another one after each change of the token."""
        return token_state(self.token_at)


def token_state(token_at: datetime | None) -> str:
    return token_at.isoformat() if token_at else "old"


_AGENT = (
    select(
        Agent.user_id, Agent.owner_id, User.name, _owner.name.label("owner"), Agent.plays_with, Agent.accepts,
        Agent.games_at_once, Agent.wait_number, Agent.created_at, Agent.revoked_at, Agent.token_at,
        Agent.token_hash.is_not(None).label("has_token"), Presence.seen_at,
    )
    .join(User, User.id == Agent.user_id)
    .join(_owner, _owner.id == Agent.owner_id)
    .outerjoin(Presence, Presence.user_id == Agent.user_id)
    .where(User.deleted_at.is_(None), _owner.deleted_at.is_(None))
)  # fmt: skip
_BY_TOKEN = Prepared(_AGENT.where(Agent.token_hash == bindparam("token_hash")))


def agent_with(token: str) -> AgentRecord:
    with reading() as connection:
        rows = _BY_TOKEN.rows(connection, token_hash=hash_of(token)) if TOKEN.match(token) else []
    if not rows:
        raise NoToken
    return AgentRecord(**rows[0]._asdict())


def agents_where(*conditions: ColumnElement[bool]) -> list[AgentRecord]:
    """By name."""
    with reading() as connection:
        rows = connection.execute(_AGENT.where(*conditions).order_by(User.name_key)).all()
    return [AgentRecord(**row._mapping) for row in rows]


def _here() -> Prepared:
    is_here_now = Presence.seen_at > bindparam("here_since", type_=UtcDateTime)
    me = bindparam("me", type_=Integer)
    is_classmate = (Agent.accepts == Accepts.CLASSMATES) & are_classmates(me, Agent.owner_id)
    plays = or_(Agent.accepts == Accepts.ANYONE, Agent.owner_id == me, is_classmate)
    here = _AGENT.where(is_here_now, Agent.token_hash.is_not(None), plays)
    return Prepared(here.order_by(User.name_key).limit(bindparam("most", type_=Integer)))


_HERE = _here()


def agents_here(user_id: int | None, limit: int) -> list[AgentRecord]:
    """By name; of those that are here, the ones that would accept this user, or somebody who has not logged in."""
    with reading() as connection:
        rows = _HERE.rows(connection, me=user_id, here_since=now() - HERE_FOR, most=limit)
    return [AgentRecord(**row._asdict()) for row in rows]


def agents_of(owner_id: int) -> list[AgentRecord]:
    return agents_where(Agent.owner_id == owner_id)


def agent_for(owner_id: int, agent_id: int) -> AgentRecord:
    """The one way to an agent for who wants to change it: for its owner. For everybody else it is not there."""
    found = agents_where(Agent.owner_id == owner_id, Agent.user_id == agent_id)
    if not found:
        raise NotThere
    return found[0]


# Jobs: the games in which it is an agent's turn. Nothing else is queued, so a restart loses none.


def _jobs(user: Any) -> list[Select[int, str, datetime]]:
    """Against people and agents the game tells whose turn it is; against the computer it is always the other's."""
    columns = (Game.id, Game.public_id, func.coalesce(Game.turn_began_at, Game.created_at).label("since"))
    against_people = select(*columns).where(Game.to_move_id == user)
    against_computer = (
        select(*columns)
        .join(Seat, Seat.game_id == Game.id)
        .join(_other_seat, (_other_seat.game_id == Game.id) & _other_seat.level.is_not(None))
        .where(Seat.user_id == user, Seat.result.is_(None), Game.status == Status.PLAYING)
    )
    return [against_people, against_computer]


def _first_job() -> Prepared:
    people, computer = _jobs(bindparam("user_id"))
    jobs = people.union_all(computer).subquery()
    return Prepared(select(jobs.c.public_id).order_by(jobs.c.since, jobs.c.id).limit(1))


_FIRST_JOB = _first_job()


def job_of(user_id: int) -> str | None:
    """The game that has waited longest for this agent."""
    with reading() as connection:
        rows = _FIRST_JOB.rows(connection, user_id=user_id)
    return rows[0].public_id if rows else None


def _write_ready(known: Any) -> Prepared:
    """The database compares: the agents for which there is nothing new cost no row. Who is deleted has none there."""
    table = known.table_valued("key", "value")
    user_id = cast(table.c.key, Integer)
    has_job = or_(*(exists(part.correlate(Agent).subquery()) for part in _jobs(Agent.user_id)))
    return Prepared(
        select(user_id.label("user_id"))
        .select_from(table)
        .outerjoin(Agent, Agent.user_id == user_id)
        .where(or_(Agent.user_id.is_(None), Agent.wait_number != cast(table.c.value, Integer), has_job))
    )


_READY = {
    "sqlite": _write_ready(func.json_each(bindparam("known"))),
    "postgresql": _write_ready(func.json_each_text(cast(bindparam("known", type_=String), JSON))),
}


def ready_agents(known: Mapping[int, int]) -> set[int]:
    """Of these agents and the numbers of their waits: those that have a job, whose number is another by now, or who
    are deleted.
    """
    with reading() as connection:
        rows = _READY[db.engine.dialect.name].rows(connection, known=json.dumps(dict(known)))
    return {row.user_id for row in rows}


def unfinished_count(user_id: int) -> int:
    """Of the games with others, not those against the computer."""
    with reading() as connection:
        return games_in_play(connection, user_id)
