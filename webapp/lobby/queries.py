"""What the lobby shows: a few statements, however many games and people there are. Read only."""

from dataclasses import dataclass

from sqlalchemy import Integer, bindparam, select, union_all

from webapp.accounts.models import Presence, User
from webapp.accounts.presence import HERE_FOR
from webapp.agents.queries import AgentRecord, agents_here
from webapp.clock import now
from webapp.database import UtcDateTime, reading
from webapp.games.game_record import GameRecord
from webapp.games.lists import IS_OPEN_TO_ALL, LISTED, lists_of, open_to_all
from webapp.games.meeting import can_join
from webapp.games.models import Game
from webapp.games.permissions import opponents_among
from webapp.games.queries import games_found, games_where, hidden, prepared_games
from webapp.games.states import Status, Visibility
from webapp.games.watching import MOVED_WITHIN, watchable
from webapp.prepared import Prepared

PEOPLE_LISTED, AGENTS_LISTED = 60, 60
LOOKED_AT = 200  # open games and people: some may be closed to this user, and must not crowd out the others

_ME, _MOST = bindparam("me", type_=Integer), bindparam("most", type_=Integer)  # NULL for a visitor
_HERE_SINCE, _MOVED_SINCE = (bindparam(name, type_=UtcDateTime) for name in ("here_since", "moved_since"))
_LISTS = [open_to_all(), watchable(_MOVED_SINCE, _HERE_SINCE, _MOST), *lists_of(_ME)]
_GAMES = prepared_games(Game.id.in_(union_all(*(select(one.subquery().c.id) for one in _LISTS))))
_PEOPLE = Prepared(
    select(User.id, User.name)
    .join(Presence, Presence.user_id == User.id)
    .where(Presence.seen_at > _HERE_SINCE, User.name.is_not(None), User.owner_id.is_(None))
    .where(User.id.is_distinct_from(_ME))
    .order_by(Presence.seen_at.desc())
    .limit(_MOST)
)


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
    games, people, agents = _games_for(user_id), _people_here(user_id), agents_here(user_id, AGENTS_LISTED)
    mine = [game for game in games if game.status == Status.PLAYING and game.mark_of(user_id)]
    mine.sort(key=lambda game: (game.position.to_move != game.mark_of(user_id), -game.id))
    waiting = [game for game in games if game.status == Status.OPEN and game.opener and game.opener.id == user_id]
    others = [game for game in games if game.status == Status.OPEN and game not in waiting]
    openers = {game.opener.id for game in others if game.opener}
    may_play = _may_play(user_id, openers | people.keys() | {agent.user_id for agent in agents})
    open_to_me = [game for game in others if game.opener_id in may_play]
    for_anyone = [game for game in open_to_me if not game.challenged and game.visibility == Visibility.PUBLIC]
    if user_id is not None and len(others) > len(open_to_me) and len(others) >= LISTED:
        for_anyone = games_where(Game.public_id.in_(oldest_open_games(user_id)))
    playing = [game for game in reversed(games) if game.status == Status.PLAYING and not game.mark_of(user_id)]
    unseen = hidden([(game, user_id) for game in playing])
    return Lobby(
        mine=mine,
        waiting=waiting[0] if waiting else None,
        challenges=[game for game in open_to_me if game.challenged and can_join(game, user_id)],
        open=for_anyone,
        watchable=[game for game in playing if (game.id, user_id) not in unseen],
        people=sorted([name for one, name in people.items() if one in may_play][:PEOPLE_LISTED], key=str.lower),
        agents=[agent for agent in agents if agent.user_id in may_play],
    )


def _games_for(user_id: int | None) -> list[GameRecord]:
    since = {"here_since": now() - HERE_FOR, "moved_since": now() - MOVED_WITHIN}
    return games_found(_GAMES, me=user_id, **since, most=LISTED)


def _may_play(user_id: int | None, others: set[int]) -> set[int]:
    """Asked once for all who are on the page; a visitor sees them all, and signs up first."""
    return others if user_id is None else opponents_among(user_id, others)


def _people_here(user_id: int | None) -> dict[int, str]:
    """Their names, of those who were seen last."""
    with reading() as connection:
        rows = _PEOPLE.rows(connection, me=user_id, here_since=now() - HERE_FOR, most=LOOKED_AT)
    return dict(rows)


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
