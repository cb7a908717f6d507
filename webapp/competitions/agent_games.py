"""The games of agents begin when both are here: whoever asks for a job and has none looks for one. No worker does.
For those that wait already, who starts the competition looks, and who ends a game.

Which game comes next is found without the lock; it is begun in one unit that claims its row, so each is begun once.
"""

from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, func, or_, select, true, update
from sqlalchemy.orm import aliased

from webapp.accounts.locking import lock_users
from webapp.accounts.models import Presence
from webapp.accounts.presence import WRITTEN_EVERY
from webapp.agents.models import Agent
from webapp.classrooms.queries import is_without_agents
from webapp.clock import now
from webapp.competitions.models import Competition, CompetitionEntry, Pairing, is_active
from webapp.competitions.settling import settle_agents
from webapp.competitions.states import CompetitionKind, PairingState, State
from webapp.competitions.thinking_time import TimeRule
from webapp.database import UtcDateTime, reading, writing
from webapp.extensions import app_random
from webapp.games.arranging import Arranged, arranged, begin
from webapp.games.models import Game, Seat
from webapp.games.states import Visibility
from webapp.prepared import Prepared
from webapp.tictactoe import Mark

TRIES = 5  # others begin games at the same time
# A wait is written down in time for this. For longer, an agent that has gone would be given games, and lose them.
HEARD_WITHIN = WRITTEN_EVERY + timedelta(seconds=5)

_mine, _other = aliased(CompetitionEntry), aliased(CompetitionEntry)
_my_agent, _their_agent = aliased(Agent), aliased(Agent)
_SEEN = Presence.seen_at >= bindparam("here_since", type_=UtcDateTime)


def _in_play(user_id: Any) -> ColumnElement[int]:
    """How many games of competitions this agent has begun and not finished."""
    return (
        select(func.count())
        .select_from(Seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.user_id == user_id, Seat.result.is_(None), Game.arranged.is_(true()))
        .scalar_subquery()
    )


def _waiting(x: type[CompetitionEntry], o: type[CompetitionEntry]) -> Select[*tuple[Any, ...]]:
    """Those of my waiting games in which the other is a reference player, or here and free."""
    is_here = _SEEN & _their_agent.token_hash.is_not(None)
    is_allowed = ~is_without_agents(_their_agent.owner_id)
    is_free = _in_play(_other.user_id) < _their_agent.games_at_once
    return (
        select(
            Pairing.id, Pairing.round, Pairing.opening, Pairing.seed, Pairing.competition_id,
            x.user_id.label("x_user_id"), x.reference.label("x_reference"),
            o.user_id.label("o_user_id"), o.reference.label("o_reference"),
            _other.reference.is_not(None).label("is_against_reference"),
            Competition.classroom_id, Competition.bank_seconds, Competition.start_seconds,
        )
        .select_from(_mine)
        .join(Competition, Competition.id == _mine.competition_id)
        .join(_other, _other.competition_id == Competition.id)
        .join(Pairing, (Pairing.x_entry_id == x.id) & (Pairing.o_entry_id == o.id))
        .outerjoin(_their_agent, _their_agent.user_id == _other.user_id)
        .outerjoin(Presence, Presence.user_id == _other.user_id)
        .where(_mine.user_id == bindparam("me"), *is_active(_mine), *is_active(_other), _other.id != _mine.id)
        .where(Competition.state == State.PLAYING, Competition.kind == CompetitionKind.AGENTS)
        .where(Competition.ended_at.is_(None))
        .where(or_(Competition.ends_at.is_(None), Competition.ends_at > bindparam("moment", type_=UtcDateTime)))
        .where(Pairing.state == PairingState.WAITING, Pairing.score.is_(None))
        .where(or_(_other.reference.is_not(None), is_here & is_free & is_allowed))
    )  # fmt: skip


def _next_game() -> Prepared:
    games = _waiting(_mine, _other).union_all(_waiting(_other, _mine)).subquery()
    return Prepared(select(games).order_by(games.c.round, games.c.is_against_reference, games.c.id).limit(1))


_NEXT = _next_game()
_FREE_GAMES = Prepared(
    select((_my_agent.games_at_once - _in_play(_my_agent.user_id)).label("more"))
    .join(Presence, Presence.user_id == _my_agent.user_id)
    .where(_my_agent.user_id == bindparam("me"), _my_agent.token_hash.is_not(None), _SEEN)
)  # fmt: skip
_HAS_ENTERED = Prepared(
    select(_mine.id)
    .join(Competition, Competition.id == _mine.competition_id)
    .join(_my_agent, _my_agent.user_id == _mine.user_id)
    .where(_mine.user_id == bindparam("me"), *is_active(_mine), Competition.ended_at.is_(None))
    .where(Competition.kind == CompetitionKind.AGENTS, ~is_without_agents(_my_agent.owner_id))
    .limit(1)
)


_AGENTS = Prepared(
    select(Agent.user_id).join(Seat, Seat.user_id == Agent.user_id).where(Seat.game_id == bindparam("game_id"))
)
_THIS = Pairing.id == bindparam("pairing_id")
_IS_ON = exists().where(
    Competition.id == Pairing.competition_id, Competition.state == State.PLAYING, Competition.ended_at.is_(None)
)
_CLAIM = Prepared(
    update(Pairing)
    .where(_THIS, Pairing.state == PairingState.WAITING, _IS_ON)
    .values(state=PairingState.PLAYING, started_at=bindparam("moment", type_=UtcDateTime))
)
_SET_GAME = Prepared(update(Pairing).where(_THIS).values(game_id=bindparam("new_game_id")))


def begin_game(user_id: int) -> bool:
    """One game for this agent, if one can be played now. An index look-up for who is in no competition, or is of a
    classroom that has agents switched off.
    """
    with reading() as connection:
        if not _HAS_ENTERED.rows(connection, me=user_id):
            return False
    settle_and_begin()
    for _ in range(TRIES):
        if (pairing := _next_of(user_id)) is None:
            return False
        if _begin(pairing):
            return True
    return False


def settle_and_begin(competition_id: int | None = None) -> None:
    """What time does to this competition, or to some of all, and the first games of those that start."""
    for started in settle_agents(competition_id):
        begin_first(started)


def begin_first(competition_id: int) -> None:
    """One game for each agent that is here; the others follow from these."""
    entered = select(CompetitionEntry.user_id).where(CompetitionEntry.competition_id == competition_id)
    with reading() as connection:
        agents = connection.scalars(entered.where(CompetitionEntry.user_id.is_not(None)).distinct()).all()
    for user_id in agents:
        begin_game(user_id or 0)


def begin_after(game_id: int) -> None:
    """Whose game has just ended have room for another one; they may be waiting, and then nobody else would look."""
    with reading() as connection:
        agents = _AGENTS.rows(connection, game_id=game_id)
    for agent in agents:
        while begin_game(agent.user_id):
            pass


def _next_of(user_id: int) -> Any:
    moment = now()
    with reading() as connection:
        if not _is_free(connection, user_id):
            return None
        found = _NEXT.rows(connection, me=user_id, moment=moment, here_since=moment - HEARD_WITHIN)
    return found[0] if found else None


def _is_free(connection: Connection, user_id: int) -> bool:
    """Whether this agent is here, and plays fewer games than it may at once."""
    rows = _FREE_GAMES.rows(connection, me=user_id, here_since=now() - HEARD_WITHIN)
    return bool(rows) and rows[0].more > 0


def _begin(pairing: Any) -> bool:
    """False if somebody else was quicker, or one of the two has no room any more or has gone."""
    game = _game(pairing)
    users = {holder for holder in game.holders.values() if isinstance(holder, int)}
    with writing() as connection:
        if lock_users(connection, users) != users or not _claim(connection, pairing, users):
            return False
        _SET_GAME.run(connection, pairing_id=pairing.id, new_game_id=begin(connection, game))
    return True


def _claim(connection: Connection, pairing: Any, users: set[int]) -> bool:
    if not all(_is_free(connection, user_id) for user_id in users):
        return False
    return bool(_CLAIM.run(connection, pairing_id=pairing.id, moment=now()))


def _game(pairing: Any) -> Arranged:
    """Searched for without the lock. The deadline is an alarm: see agent_clock."""
    x: int | str = pairing.x_reference or pairing.x_user_id
    o: int | str = pairing.o_reference or pairing.o_user_id
    rule = TimeRule.of(pairing.bank_seconds, pairing.start_seconds)
    opening = [int(cell) for cell in pairing.opening.split()]
    visibility = Visibility.PUBLIC if pairing.classroom_id is None else Visibility.PRIVATE
    due_at = now() + rule.longest
    return arranged({Mark.X: x, Mark.O: o}, visibility, due_at, app_random(), opening, seed=pairing.seed)
