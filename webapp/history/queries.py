"""Questions about finished games. Read only; each costs the same however many games there are.

Totals come from the tallies, games by their key from the seats: nothing here counts or skips games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, Subquery, bindparam, func, select, union_all

from webapp.accounts.models import User
from webapp.accounts.names import NAME
from webapp.database import reading, release_connection
from webapp.errors import NotThere
from webapp.games.models import Game, Move, Seat, Tally
from webapp.games.queries import Record, board_of
from webapp.history.forms import MARKS, RESULTS, Choice, Edge
from webapp.tictactoe import LEVELS, Board, Mark

IN_PICTURE = 50
ON_PAGE = 25
IN_BATCH = 500

_LIMIT = bindparam("limit", type_=Integer)
_IS_DELETED = User.deleted_at.is_not(None).label("is_deleted")


@dataclass(frozen=True)
class Opponent:
    level: str | None
    user_id: int | None
    name: str | None
    is_deleted: bool

    @property
    def key(self) -> str | None:
        """The word that names this opponent in a link; guests and the deleted have none."""
        return self.level or self.name

    @property
    def title(self) -> str:
        if self.level is not None:
            return LEVELS[self.level].title
        return self.name or ("deleted player" if self.is_deleted else "a guest")


@dataclass(frozen=True)
class Totals:
    """A user's record against each opponent: the levels in their order, then people, the most played first."""

    against: dict[Opponent, Record]

    @property
    def all(self) -> Record:
        records = self.against.values()
        return Record(*(sum(getattr(record, name) for record in records) for name in ("won", "drawn", "lost")))

    def opponent(self, key: str) -> Opponent | None:
        lowered = key.lower()
        return next((one for one in self.against if one.key and one.key.lower() == lowered), None)


@dataclass(frozen=True)
class PlayedGame:
    """A finished game as the one whose history it is saw it."""

    public_id: str
    mark: Mark
    result: str
    reason: str
    opponent: Opponent
    created_at: datetime
    ended_at: datetime
    board: Board
    cells: tuple[int, ...]


def totals_of(user_id: int) -> Totals:
    """All guests count as one opponent, all deleted players as another: nobody can tell them apart."""
    sums = [func.sum(column) for column in (Tally.won, Tally.drawn, Tally.lost)]
    who = (Tally.level, User.name, _IS_DELETED)
    statement = (
        select(Tally.level, func.max(Tally.opponent_id), User.name, _IS_DELETED, *sums)
        .outerjoin(User, User.id == Tally.opponent_id)
        .where(Tally.user_id == user_id)
        .group_by(*who)
    )
    with reading() as connection:
        rows = connection.execute(statement).all()
    against = {Opponent(*row[:4]): Record(*map(int, row[4:])) for row in rows}
    return Totals(dict(sorted(against.items(), key=_place)))


def _place(item: tuple[Opponent, Record]) -> tuple[int, int, str]:
    opponent, record = item
    if opponent.level is not None:
        return list(LEVELS).index(opponent.level), 0, ""
    return len(LEVELS), -record.total, opponent.title.lower()


def last_results(user_id: int) -> list[str]:
    """Of the newest games, in the order in which they were played."""
    newest = _newest(None, None, None, None)
    statement = select(newest.c.result).order_by(newest.c.game_id)
    with reading() as connection:
        return list(connection.scalars(statement, {"user": user_id, "limit": IN_PICTURE}))


def games_of(
    user_id: int, choice: Choice, opponent: Opponent | None, edge: Edge | None, limit: int
) -> list[PlayedGame]:
    """The chosen games beside the edge, newest first, in one statement with all their moves."""
    against = opponent and ("level" if opponent.level else "user")
    statement = _games(choice.mark, choice.result, against, edge and edge.towards_newer)
    values: dict[str, Any] = {"user": user_id, "limit": limit}
    values |= {"against": opponent.level or opponent.user_id} if opponent else {}
    values |= {"beside": edge.public_id} if edge else {}
    with reading() as connection:
        rows = connection.execute(statement, values).all()
    return [_played(list(of_game)) for _, of_game in groupby(rows, key=lambda row: row.game_id)]


@cache
def _games(mark: str | None, result: str | None, against: str | None, towards_newer: bool | None) -> Select[Any]:
    """Kept, because to build it takes longer than to run it; what differs by person is filled in later."""
    found = _newest(mark, result, against, towards_newer)
    return (
        select(
            found.c.game_id, found.c.mark, found.c.result,
            found.c.opponent_level, found.c.opponent_id, User.name, _IS_DELETED,
            Game.public_id, Game.reason, Game.created_at, Game.ended_at, Game.rows, Game.columns, Game.in_a_row,
            Move.cell,
        )
        .join(Game, Game.id == found.c.game_id)
        .outerjoin(User, User.id == found.c.opponent_id)
        .outerjoin(Move, Move.game_id == found.c.game_id)
        .order_by(found.c.game_id.desc(), Move.ply)
    )  # fmt: skip


def _played(rows: list[Any]) -> PlayedGame:
    row = rows[0]
    return PlayedGame(
        row.public_id,
        Mark(row.mark),
        row.result,
        row.reason,
        Opponent(row.opponent_level, row.opponent_id, row.name, row.is_deleted),
        row.created_at,
        row.ended_at,
        board_of(row.rows, row.columns, row.in_a_row),
        tuple(row.cell for row in rows if row.cell is not None),
    )


@cache
def _newest(mark: str | None, result: str | None, against: str | None, towards_newer: bool | None) -> Subquery:
    """The seats of the chosen games nearest to the edge.

    An index leads to the games with one mark and one result. Where several are wanted, the first few of each
    are read and merged: at most six short walks, whatever is chosen.
    """
    conditions = [Seat.user_id == bindparam("user")]
    if against is not None:
        conditions.append((Seat.opponent_level if against == "level" else Seat.opponent_id) == bindparam("against"))
    if towards_newer is not None:
        beside = select(Game.id).where(Game.public_id == bindparam("beside")).scalar_subquery()
        conditions.append(Seat.game_id > beside if towards_newer else Seat.game_id < beside)
    walks = [
        _walk([*conditions, Seat.mark == one_mark, Seat.result == one_result], towards_newer)
        for one_mark in ([mark] if mark else MARKS)
        for one_result in ([result] if result else RESULTS)
    ]
    merged = union_all(*walks).subquery()
    order = merged.c.game_id if towards_newer else merged.c.game_id.desc()
    return select(merged).order_by(order).limit(_LIMIT).subquery()


def _walk(conditions: list[ColumnElement[bool]], towards_newer: bool | None) -> Select[Any]:
    columns = (Seat.game_id, Seat.mark, Seat.result, Seat.opponent_id, Seat.opponent_level)
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


def public_record(name: str) -> tuple[str | None, Record]:
    """The name as its owner writes it, and the record; not there for guests, deleted and unknown names."""
    sums = [func.coalesce(func.sum(column), 0) for column in (Tally.won, Tally.drawn, Tally.lost)]
    statement = (
        select(User.name, *sums)
        .outerjoin(Tally, Tally.user_id == User.id)
        .where(User.name_key == name.lower(), User.deleted_at.is_(None))
        .group_by(User.id, User.name)
    )
    with reading() as connection:
        row = connection.execute(statement).one_or_none() if NAME.match(name) else None
    if row is None:
        raise NotThere("There is no player with this name.")
    return row[0], Record(*map(int, row[1:]))
