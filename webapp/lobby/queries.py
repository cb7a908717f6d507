"""What the lobby shows: a few statements, however many games and people there are. Read only."""

from dataclasses import dataclass

from sqlalchemy import CompoundSelect, select, union_all

from webapp.accounts.models import Presence, User
from webapp.accounts.presence import HERE_FOR
from webapp.agents.queries import AgentRecord, agents_here
from webapp.clock import now
from webapp.database import reading
from webapp.games.game_record import GameRecord
from webapp.games.lists import IS_OPEN_TO_ALL, LISTED, lists_of, open_to_all
from webapp.games.meeting import can_join
from webapp.games.models import Game
from webapp.games.permissions import opponents_among
from webapp.games.queries import games_where, hidden
from webapp.games.states import Status, Visibility
from webapp.games.watching import MOVED_WITHIN, watchable

PEOPLE_LISTED, AGENTS_LISTED = 60, 60
LOOKED_AT = 200  # open games, for those that "Play now" tries: others may be closed to this user


@dataclass(frozen=True)
class Lobby:
    mine: list[GameRecord]  # begun and not finished, my turn first
    waiting: GameRecord | None  # the one that I have open
    challenges: list[GameRecord]  # for me
    open: list[GameRecord]  # for anyone, the longest waiting first
    watchable: list[GameRecord]
    people: list[str]
    agents: list[AgentRecord]


def lobby_of(user_id: int | None) -> Lobby:
    games = games_where(Game.id.in_(_listed_ids(user_id)))
    mine = [game for game in games if game.status == Status.PLAYING and game.mark_of(user_id)]
    mine.sort(key=lambda game: (game.position.to_move != game.mark_of(user_id), -game.id))
    waiting = [game for game in games if game.status == Status.OPEN and game.opener and game.opener.id == user_id]
    others = [game for game in games if game.status == Status.OPEN and game not in waiting]
    open_to_me = _with_opponents(user_id, others)
    playing = [game for game in reversed(games) if game.status == Status.PLAYING and not game.mark_of(user_id)]
    unseen = hidden([(game, user_id) for game in playing])
    return Lobby(
        mine=mine,
        waiting=waiting[0] if waiting else None,
        challenges=[game for game in open_to_me if game.challenged and can_join(game, user_id)],
        open=[game for game in open_to_me if not game.challenged and game.visibility == Visibility.PUBLIC],
        watchable=[game for game in playing if (game.id, user_id) not in unseen],
        people=_people_here(user_id),
        agents=_agents_here(user_id),
    )


def _with_opponents(user_id: int | None, games: list[GameRecord]) -> list[GameRecord]:
    """Those that this user may join; a visitor sees them all, and signs up first."""
    openers = {game.opener.id for game in games if game.opener}
    may_play = openers if user_id is None else opponents_among(user_id, openers)
    return [game for game in games if game.opener and game.opener.id in may_play]


def _listed_ids(user_id: int | None) -> CompoundSelect[tuple[int]]:
    lists = [open_to_all(), watchable(now() - MOVED_WITHIN, now() - HERE_FOR, LISTED)]
    if user_id is not None:
        lists += lists_of(user_id)
    return union_all(*(select(one.subquery().c.id) for one in lists))


def _people_here(user_id: int | None) -> list[str]:
    is_person = (User.name.is_not(None), User.owner_id.is_(None), User.id != (user_id or 0))
    here = (Presence.seen_at > now() - HERE_FOR, *is_person)
    newest = select(User.id, User.name).join(Presence, Presence.user_id == User.id).where(*here)
    with reading() as connection:
        rows = connection.execute(newest.order_by(Presence.seen_at.desc()).limit(PEOPLE_LISTED)).all()
    names: dict[int, str] = {row.id: row.name for row in rows}
    may_play = names if user_id is None else opponents_among(user_id, names)
    return sorted((names[one] for one in may_play), key=str.lower)


def _agents_here(user_id: int | None) -> list[AgentRecord]:
    """Those that accept this user; of those that this user may play."""
    agents = agents_here(user_id, AGENTS_LISTED)
    may_play = None if user_id is None else opponents_among(user_id, {agent.user_id for agent in agents})
    return [agent for agent in agents if may_play is None or agent.user_id in may_play]


def oldest_open_games(user_id: int) -> list[str]:
    """Those that "Play now" tries, the longest waiting first, of players that this user may play."""
    waiting = select(Game.public_id, Game.opened_by).where(*IS_OPEN_TO_ALL, Game.opened_by != user_id)
    with reading() as connection:
        rows = connection.execute(waiting.order_by(Game.id).limit(LOOKED_AT)).all()
    may_play = opponents_among(user_id, {row.opened_by for row in rows})
    return [row.public_id for row in rows if row.opened_by in may_play][:LISTED]


def open_game_of(user_id: int) -> str | None:
    mine = (Game.status == Status.OPEN, Game.opened_by == user_id)
    with reading() as connection:
        return connection.scalar(select(Game.public_id).where(*mine))
