"""What people do with their agents: make one, give it a new token, revoke it, say what it accepts. Knows no request."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from flask import current_app
from sqlalchemy import ColumnElement, Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.accounts.models import User
from webapp.accounts.names import NameTaken, check_name
from webapp.accounts.tokens import derived_readable_token, hash_of, new_readable_token
from webapp.agents.models import MOST_GAMES_AT_ONCE, PLAYS_WITH_LENGTH, Accepts, Agent
from webapp.agents.queries import agent_for, token_state
from webapp.agents.refusals import MadeAlready, TooManyAgents
from webapp.clock import now
from webapp.database import added_id, announce_change, writing
from webapp.errors import BadRequest, NotThere

SHOWN_AGAIN_WITHIN = timedelta(seconds=10)  # of being made, to the second press
MOST_AGENTS = 5  # of one account


class NewToken(NamedTuple):
    """Shown once: only its hash is kept."""

    agent_id: int
    name: str
    token: str


def make_agent(owner_id: int, name: str, plays_with: str = "", form_key: str = "") -> NewToken:
    """`form_key` is random and stands in the form that was sent: see token_for."""
    check_name(name)
    check_plays_with(plays_with)
    try:
        with writing() as connection:
            if not lock_users(connection, {owner_id}):
                raise NotThere
            if _count(connection, owner_id) >= MOST_AGENTS and not _own(connection, owner_id, name):
                raise TooManyAgents(MOST_AGENTS)
            return add_agent(connection, owner_id, name, plays_with, form_key=form_key)
    except IntegrityError:
        return _again(owner_id, name, form_key)


_WITH_TOKEN = select(
    Agent.user_id, User.name, Agent.token_hash, Agent.token_at, Agent.last_seen_at, Agent.for_class
).join(User, User.id == Agent.user_id)


def agents_with_tokens(connection: Connection, *conditions: ColumnElement[bool]) -> Sequence[Any]:
    return connection.execute(_WITH_TOKEN.where(*conditions, User.deleted_at.is_(None))).all()


def _own(connection: Connection, owner_id: int, name: str) -> Any:
    found = agents_with_tokens(connection, Agent.owner_id == owner_id, User.name_key == name.lower())
    return found[0] if found else None


def _again(owner_id: int, name: str, form_key: str) -> NewToken:
    """The name is taken; perhaps by the same form, which was sent before."""
    with writing() as connection:
        if (agent := _own(connection, owner_id, name)) is None:
            raise NameTaken
        if (made := made_just_now(connection, agent, form_key)) is None:
            raise MadeAlready(agent.name)
        return made


def made_just_now(connection: Connection, agent: Any, form_key: str, after: str = "") -> NewToken | None:
    """What the first of two presses made: its page, and with it the token, was never seen."""
    if agent.token_at is None or agent.token_at <= now() - SHOWN_AGAIN_WITHIN:
        return None
    if form_key:
        token = token_for(agent.user_id, form_key, after)
        return NewToken(agent.user_id, agent.name, token) if hash_of(token) == agent.token_hash else None
    return None if agent.last_seen_at else write_new_token(connection, agent.user_id, agent.name)


def token_for(agent_id: int, form_key: str, after: str = "") -> str:
    """Both of two presses on one form show the same token, whichever the browser shows and whichever was first; and it
    is stored nowhere. `after` names the token before, so that no form brings back one that was revoked.
    """
    if not form_key:
        return new_readable_token()
    return derived_readable_token(str(current_app.secret_key), "token of an agent", agent_id, form_key, after)


def _count(connection: Connection, owner_id: int) -> int:
    """Of those that are there; the owner is locked, so the limit is exact."""
    own = select(func.count()).select_from(User).where(User.owner_id == owner_id, User.deleted_at.is_(None))
    return connection.scalar(own) or 0


def add_agent(
    connection: Connection, owner_id: int, name: str, plays_with: str = "", for_class: bool = False, form_key: str = ""
) -> NewToken:
    """Within a unit that has locked the owner."""
    user = {"name": name, "name_key": name.lower(), "owner_id": owner_id}
    agent_id = added_id(connection, insert(User).values(user))
    token = token_for(agent_id, form_key)
    values: dict[str, Any] = {"user_id": agent_id, "owner_id": owner_id, "token_hash": hash_of(token)}
    connection.execute(insert(Agent).values(values | {"plays_with": plays_with, "for_class": for_class}))
    return NewToken(agent_id, name, token)


def check_plays_with(words: str) -> None:
    if len(words) > PLAYS_WITH_LENGTH or not words.isprintable():
        raise BadRequest(f"What it plays with is one line of at most {PLAYS_WITH_LENGTH} characters. Make it shorter.")


def renew_token(owner_id: int, agent_id: int, form_key: str = "", after: str | None = None) -> NewToken:
    """From now on only the new one works. `after` is the state of the token that the page showed."""
    agent_for(owner_id, agent_id)
    with writing() as connection:
        if not lock_users(connection, {agent_id}):
            raise NotThere  # deleted a moment ago
        [agent] = agents_with_tokens(connection, Agent.user_id == agent_id)
        if after is None or after == token_state(agent.token_at):
            return write_new_token(connection, agent_id, agent.name, token_for(agent_id, form_key, after or ""))
        made = made_just_now(connection, agent, form_key, after) if form_key else None
    if made is None:
        raise MadeAlready(agent.name)
    return made


def write_new_token(connection: Connection, agent_id: int, name: str, token: str = "") -> NewToken:
    """Within a unit of who may do so."""
    token = token or new_readable_token()
    change_tokens(connection, hash_of(token), Agent.user_id == agent_id)
    return NewToken(agent_id, name, token)


def revoke_token(owner_id: int, agent_id: int) -> None:
    agent_for(owner_id, agent_id)
    with writing() as connection:
        change_tokens(connection, None, Agent.user_id == agent_id)


def change_tokens(connection: Connection, token_hash: str | None, *of_agents: ColumnElement[bool]) -> None:
    """None revokes them. A copy that waits with the old one is woken, because its number is not the newest any more."""
    moment = now()
    values = {"token_hash": token_hash, "token_at": moment, "revoked_at": None if token_hash else moment}
    connection.execute(update(Agent).where(*of_agents).values(**values, wait_number=Agent.wait_number + 1))
    announce_change(connection)


def change_settings(owner_id: int, agent_id: int, accepts: Accepts, games_at_once: int, plays_with: str) -> None:
    agent_for(owner_id, agent_id)
    check_plays_with(plays_with)
    if not 1 <= games_at_once <= MOST_GAMES_AT_ONCE:
        raise BadRequest(f"An agent plays 1 to {MOST_GAMES_AT_ONCE} games at once. Choose a number between them.")
    values = {"accepts": accepts, "games_at_once": games_at_once, "plays_with": plays_with}
    with writing() as connection:
        connection.execute(update(Agent).where(Agent.user_id == agent_id).values(values))
