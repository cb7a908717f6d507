"""What people do with their agents: make one, give it a new token, revoke it, say what it accepts. Knows no request."""

from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.accounts.models import User
from webapp.accounts.names import NameTaken, check_name
from webapp.accounts.tokens import hash_of, new_readable_token
from webapp.agents.models import MOST_GAMES_AT_ONCE, PLAYS_WITH_LENGTH, Accepts, Agent
from webapp.agents.queries import agent_for
from webapp.agents.refusals import TooManyAgents
from webapp.clock import now
from webapp.database import added_id, announce_change, reading, writing
from webapp.errors import BadRequest, NotThere

JUST_NOW = timedelta(seconds=10)
MOST_AGENTS = 5  # of one account


class NewToken(NamedTuple):
    """Shown once: only its hash is kept."""

    agent_id: int
    name: str
    token: str


def make_agent(owner_id: int, name: str, plays_with: str = "") -> NewToken:
    check_name(name)
    check_plays_with(plays_with)
    try:
        with writing() as connection:
            if not lock_users(connection, {owner_id}):
                raise NotThere
            if _count(connection, owner_id) >= MOST_AGENTS and not _made_just_now(owner_id, name):
                raise TooManyAgents(MOST_AGENTS)
            return add_agent(connection, owner_id, name, plays_with)
    except IntegrityError:
        if (made := _made_just_now(owner_id, name)) is None:
            raise NameTaken from None
        return renew_token(owner_id, made)


def _made_just_now(owner_id: int, name: str) -> int | None:
    """The button was pressed twice: the first answer, and with it the token, was never seen."""
    is_new = (Agent.owner_id == owner_id, Agent.created_at > now() - JUST_NOW, Agent.last_seen_at.is_(None))
    this = select(Agent.user_id).join(User, User.id == Agent.user_id).where(User.name_key == name.lower(), *is_new)
    with reading() as connection:
        return connection.scalar(this)


def _count(connection: Connection, owner_id: int) -> int:
    """Of those that are there; the owner is locked, so the limit is exact."""
    own = select(func.count()).select_from(User).where(User.owner_id == owner_id, User.deleted_at.is_(None))
    return connection.scalar(own) or 0


def add_agent(
    connection: Connection, owner_id: int, name: str, plays_with: str = "", for_class: bool = False
) -> NewToken:
    """Within a unit that has locked the owner."""
    user = {"name": name, "name_key": name.lower(), "owner_id": owner_id}
    agent_id, token = added_id(connection, insert(User).values(user)), new_readable_token()
    values: dict[str, Any] = {"user_id": agent_id, "owner_id": owner_id, "token_hash": hash_of(token)}
    connection.execute(insert(Agent).values(values | {"plays_with": plays_with, "for_class": for_class}))
    return NewToken(agent_id, name, token)


def check_plays_with(words: str) -> None:
    if len(words) > PLAYS_WITH_LENGTH or not words.isprintable():
        raise BadRequest(f"What it plays with is one line of at most {PLAYS_WITH_LENGTH} characters. Make it shorter.")


def renew_token(owner_id: int, agent_id: int) -> NewToken:
    """From now on only the new one works."""
    agent = agent_for(owner_id, agent_id)
    with writing() as connection:
        return write_new_token(connection, agent_id, agent.name)


def write_new_token(connection: Connection, agent_id: int, name: str) -> NewToken:
    """Within a unit of who may do so."""
    token = new_readable_token()
    _set_token(connection, agent_id, {"token_hash": hash_of(token), "revoked_at": None})
    return NewToken(agent_id, name, token)


def revoke_token(owner_id: int, agent_id: int) -> None:
    agent_for(owner_id, agent_id)
    with writing() as connection:
        _set_token(connection, agent_id, {"token_hash": None, "revoked_at": now()})


def _set_token(connection: Connection, agent_id: int, values: dict[str, object]) -> None:
    """A copy that waits with the old one is woken, because its number is not the newest any more."""
    changed = update(Agent).where(Agent.user_id == agent_id)
    connection.execute(changed.values(**values, wait_number=Agent.wait_number + 1))
    announce_change(connection)


def change_settings(owner_id: int, agent_id: int, accepts: Accepts, games_at_once: int, plays_with: str) -> None:
    agent_for(owner_id, agent_id)
    check_plays_with(plays_with)
    if not 1 <= games_at_once <= MOST_GAMES_AT_ONCE:
        raise BadRequest(f"An agent plays 1 to {MOST_GAMES_AT_ONCE} games at once. Choose a number between them.")
    values = {"accepts": accepts, "games_at_once": games_at_once, "plays_with": plays_with}
    with writing() as connection:
        connection.execute(update(Agent).where(Agent.user_id == agent_id).values(values))
