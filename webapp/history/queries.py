"""Questions about finished games. Read only; each costs the same however many games there are.

Games are found by their key from the seats: nothing here counts or skips games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, Subquery, bindparam, select, true, union_all

from webapp.accounts.models import User
from webapp.database import reading, release_connection
from webapp.games.game_record import board_of
from webapp.games.models import Game, Move, Seat
from webapp.games.states import FAULTS, EndReason, Result
from webapp.games.totals import IS_DELETED, Opponent, owner
from webapp.games.verdicts import Accuracy
from webapp.tictactoe import Board, Mark, mover

IN_PICTURE = 50
ON_PAGE = 25
IN_BATCH = 500
RESULTS = (Result.WON, Result.DRAWN, Result.LOST)
MARKS = tuple(Mark)

_LIMIT = bindparam("limit", type_=Integer)


@dataclass(frozen=True)
class Choice:
    """Which games to show. `opponent` is a level or a name; levels are no names, so one word is enough."""

    opponent: str | None = None
    result: str | None = None
    mark: str | None = None
    mistakes: str | None = None  # "yes" for the games in which one's own moves lost something
    coach: str | None = None  # "yes" for those with the coach

    def asked(self) -> dict[str, Any]:
        """The arguments of a link that makes this choice."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class Edge:
    """Where a page begins: beside the game with this public id, towards the older or the newer ones."""

    public_id: str
    towards_newer: bool


@dataclass(frozen=True)
class PlayedGame:
    """A finished game as the one whose history it is saw it."""

    public_id: str
    mark: Mark
    result: str
    reason: EndReason
    opponent: Opponent
    created_at: datetime
    ended_at: datetime
    board: Board
    cells: tuple[int, ...]
    coached: bool
    accuracy: Accuracy | None  # None where the board is too large to solve

    @property
    def fault(self) -> str | None:
        return FAULTS.get(self.reason)

    @property
    def ended_by_me(self) -> bool:
        """Whose doing the end was, where it was one player's: a claimed draw tells it by the turn alone."""
        if self.reason == EndReason.CLAIMED:
            return mover(len(self.cells)) == self.mark
        return self.result == Result.LOST


class LastGame(NamedTuple):
    result: str
    coached: bool
    accuracy: Accuracy | None


def last_games(user_id: int) -> list[LastGame]:
    """The newest ones, in the order in which they were played."""
    newest = _newest(_Filter(), None)
    columns = (newest.c.result, newest.c.decisions, newest.c.kept, Game.coached)
    statement = select(*columns).join(Game, Game.id == newest.c.game_id).order_by(Game.id)
    with reading() as connection:
        rows = connection.execute(statement, {"user": user_id, "limit": IN_PICTURE}).all()
    return [LastGame(row.result, bool(row.coached), _accuracy(row)) for row in rows]


def _accuracy(row: Any) -> Accuracy | None:
    return None if row.decisions is None else Accuracy(row.decisions, row.kept)


def games_of(
    user_id: int, choice: Choice, opponent: Opponent | None, edge: Edge | None, limit: int
) -> list[PlayedGame]:
    """The chosen games beside the edge, newest first, in one statement with all their moves."""
    if choice.coach and opponent and not opponent.level:
        return []  # the coach is there against the computer only, and no index would find that out
    statement = _games(_Filter.of(choice, opponent), edge and edge.towards_newer)
    values: dict[str, Any] = {"user": user_id, "limit": limit}
    values |= {"against": opponent.level or opponent.user_id} if opponent else {}
    values |= {"beside": edge.public_id} if edge else {}
    with reading() as connection:
        rows = connection.execute(statement, values).all()
    return [_played(list(of_game)) for _, of_game in groupby(rows, key=lambda row: row.game_id)]


class _Filter(NamedTuple):
    """Of a choice what its statement depends on; whom it is against is filled in later."""

    mark: str | None = None
    result: str | None = None
    against: str | None = None  # "level" or "user"
    with_mistakes: bool = False
    with_coach: bool = False

    @classmethod
    def of(cls, choice: Choice, opponent: Opponent | None) -> "_Filter":
        against = None if opponent is None else "level" if opponent.level else "user"
        return cls(choice.mark, choice.result, against, choice.mistakes is not None, choice.coach is not None)


@cache
def _games(chosen: _Filter, towards_newer: bool | None) -> Select[Any]:
    """Kept, because to build it takes longer than to run it; what differs by person is filled in later."""
    found = _newest(chosen, towards_newer)
    return (
        select(
            found.c.game_id, found.c.mark, found.c.result, found.c.decisions, found.c.kept,
            found.c.opponent_level, found.c.opponent_id, User.name, IS_DELETED,
            owner.name.label("agent_of"),
            Game.public_id, Game.reason, Game.created_at, Game.ended_at, Game.rows, Game.columns, Game.in_a_row,
            Game.coached, Move.cell,
        )
        .join(Game, Game.id == found.c.game_id)
        .outerjoin(User, User.id == found.c.opponent_id)
        .outerjoin(owner, owner.id == User.owner_id)
        .outerjoin(Move, Move.game_id == found.c.game_id)
        .order_by(found.c.game_id.desc(), Move.ply)
    )  # fmt: skip


def _played(rows: list[Any]) -> PlayedGame:
    row = rows[0]
    return PlayedGame(
        row.public_id,
        row.mark,
        row.result,
        row.reason,
        Opponent(row.opponent_level, row.opponent_id, row.name, row.is_deleted, agent_of=row.agent_of),
        row.created_at,
        row.ended_at,
        board_of(row.rows, row.columns, row.in_a_row),
        tuple(row.cell for row in rows if row.cell is not None),
        bool(row.coached),
        _accuracy(row),
    )


@cache
def _newest(chosen: _Filter, towards_newer: bool | None) -> Subquery:
    """The seats of the chosen games nearest to the edge.

    An index leads to the games with one mark and one result, and others to those with mistakes or with the coach. Where
    several are wanted, the first few of each are read and merged: at most six short range scans, whatever is chosen.
    """
    conditions = _conditions(chosen)
    if towards_newer is not None:
        beside = select(Game.id).where(Game.public_id == bindparam("beside")).scalar_subquery()
        conditions.append(Seat.game_id > beside if towards_newer else Seat.game_id < beside)
    walks = [
        _walk([*conditions, Seat.mark == one_mark, Seat.result == one_result], towards_newer)
        for one_mark in ([chosen.mark] if chosen.mark else MARKS)
        for one_result in ([chosen.result] if chosen.result else RESULTS)
    ]
    merged = union_all(*walks).subquery()
    order = merged.c.game_id if towards_newer else merged.c.game_id.desc()
    return select(merged).order_by(order).limit(_LIMIT).subquery()


def _conditions(chosen: _Filter) -> list[ColumnElement[bool]]:
    """Mistakes and coach word for word as in the conditions of the indexes."""
    conditions = [Seat.user_id == bindparam("user")]
    if chosen.against is not None:
        against = Seat.opponent_level if chosen.against == "level" else Seat.opponent_id
        conditions.append(against == bindparam("against"))
    if chosen.with_mistakes:
        conditions.append(Seat.kept < Seat.decisions)
    if chosen.with_coach:
        conditions.append(Seat.coached == true())
    return conditions


def _walk(conditions: list[ColumnElement[bool]], towards_newer: bool | None) -> Select[Any]:
    columns = (Seat.game_id, Seat.mark, Seat.result, Seat.opponent_id, Seat.opponent_level, Seat.decisions, Seat.kept)
    order: Any = Seat.game_id if towards_newer else Seat.game_id.desc()
    walk = select(*columns).where(*conditions).order_by(order).limit(_LIMIT).subquery()
    return select(walk)  # SQLite takes ORDER BY in a part of a union only inside another SELECT


@dataclass(frozen=True)
class Page:
    """Some games, and whether there are more on either side."""

    games: list[PlayedGame]
    has_newer: bool
    has_older: bool


def page_of(user_id: int, choice: Choice, opponent: Opponent | None, edge: Edge | None) -> Page:
    """One more game than is shown is asked for: it tells whether there is more in that direction."""
    games = games_of(user_id, choice, opponent, edge, ON_PAGE + 1)
    has_more = len(games) > ON_PAGE
    if edge and edge.towards_newer:
        return Page(games[-ON_PAGE:], has_newer=has_more, has_older=True)
    return Page(games[:ON_PAGE], has_newer=edge is not None, has_older=has_more)


def batches_of(user_id: int, choice: Choice, opponent: Opponent | None) -> Iterator[list[PlayedGame]]:
    """All the chosen games; between two batches no connection is held, however slowly they are fetched."""
    edge = None
    while games := games_of(user_id, choice, opponent, edge, IN_BATCH):
        release_connection()
        yield games
        edge = Edge(games[-1].public_id, towards_newer=False)
