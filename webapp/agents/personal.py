"""What agents hold about their owners, for export and deletion: it goes with its owner. Knows no Flask request."""

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import Connection, select

from webapp.accounts.models import User
from webapp.accounts.personal import Exported, Holding, text_of
from webapp.agents.models import Agent
from webapp.agents.queries import agents_of
from webapp.agents.services import change_tokens
from webapp.games.personal import HOLDING as GAMES


def _export(_connection: Connection, user_id: int) -> Exported:
    return {"agents": [
        {
            "name": agent.name, "plays_with": agent.plays_with, "accepts": agent.accepts,
            "games_at_once": agent.games_at_once, "created_at": text_of(agent.created_at),
            "revoked_at": text_of(agent.revoked_at), "last_seen_at": text_of(agent.seen_at),
        }
        for agent in agents_of(user_id)
    ]}  # fmt: skip


def _games(user_id: int) -> Iterator[list[Exported]]:
    for agent in agents_of(user_id):
        for games in GAMES.batches["games"](agent.user_id):
            yield [{"agent": agent.name, **game} for game in games]


def _agents(connection: Connection, user_id: int) -> Sequence[int]:
    own = select(User.id).where(User.owner_id == user_id, User.deleted_at.is_(None)).order_by(User.id)
    return connection.scalars(own).all()


def _close(connection: Connection, user_ids: Collection[int]) -> None:
    change_tokens(connection, None, Agent.owner_id.in_(user_ids), Agent.token_hash.is_not(None))


HOLDING = Holding(
    export=_export, batches={"games_of_agents": _games}, tables=(Agent,), deleted_with=_agents, close=_close
)
