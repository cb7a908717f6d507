"""Questions about finished games. Read only; each costs the same however many games there are.

Totals come from the tallies, games by their key from the seats: nothing here counts or skips games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, func, select, union_all

from webapp.accounts.models import User
from webapp.accounts.names import NAME
from webapp.errors import NotThere
from webapp.extensions import db
from webapp.games.models import Game, Move, Seat, Tally
from webapp.games.queries import Record
from webapp.history.forms import MARKS, RESULTS, Choice, Edge
from webapp.tictactoe import LEVELS, Board, Mark

IN_PICTURE = 50
ON_PAGE = 25
IN_BATCH = 500

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
    rows = db.session.execute(
        select(Tally.level, func.max(Tally.opponent_id), User.name, _IS_DELETED, *sums)
        .outerjoin(User, User.id == Tally.opponent_id)
        .where(Tally.user_id == user_id)
        .group_by(*who)
    ).all()
    against = {Opponent(*row[:4]): Record(*map(int, row[4:])) for row in rows}
    return Totals(dict(sorted(against.items(), key=_place)))


def _place(item: tuple[Opponent, Record]) -> tuple[int, int, str]:
    opponent, record = item
    if opponent.level is not None:
        return list(LEVELS).index(opponent.level), 0, ""
    return len(LEVELS), -record.total, opponent.title.lower()


def last_results(user_id: int) -> list[str]:
    """Of the newest games, in the order in which they were played."""
    newest = _newest(user_id, Choice(), None, None, IN_PICTURE)
    return list(db.session.scalars(select(newest.c.result).order_by(newest.c.game_id)))


def games_of(
    user_id: int, choice: Choice, opponent: Opponent | None, edge: Edge | None, limit: int
) -> list[PlayedGame]:
    """The chosen games beside the edge, newest first, in one statement with all their moves."""
    found = _newest(user_id, choice, opponent, edge, limit)
    rows = db.session.execute(
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
    return [_played(list(of_game)) for _, of_game in groupby(rows, key=lambda row: row.game_id)]


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
        Board(row.rows, row.columns, row.in_a_row),
        tuple(row.cell for row in rows if row.cell is not None),
    )


def _newest(user_id: int, choice: Choice, opponent: Opponent | None, edge: Edge | None, limit: int) -> Subquery:
    """The seats of the chosen games nearest to the edge.

    An index leads to the games with one mark and one result. Where several are wanted, the first few of each
    are read and merged: at most six short walks, whatever is chosen.
    """
    marks = [choice.mark] if choice.mark else MARKS
    results = [choice.result] if choice.result else RESULTS
    walks = [
        _walk([Seat.user_id == user_id, *_against(opponent), Seat.mark == mark, Seat.result == result], edge, limit)
        for mark in marks
        for result in results
    ]
    merged = union_all(*walks).subquery()
    order = merged.c.game_id if edge and edge.towards_newer else merged.c.game_id.desc()
    return select(merged).order_by(order).limit(limit).subquery()


def _against(opponent: Opponent | None) -> list[ColumnElement[bool]]:
    if opponent is None:
        return []
    is_level = opponent.level is not None
    return [Seat.opponent_level == opponent.level if is_level else Seat.opponent_id == opponent.user_id]


def _walk(conditions: list[ColumnElement[bool]], edge: Edge | None, limit: int) -> Select[Any]:
    order: Any = Seat.game_id.desc()
    if edge is not None:
        beside = select(Game.id).where(Game.public_id == edge.public_id).scalar_subquery()
        conditions = [*conditions, Seat.game_id > beside if edge.towards_newer else Seat.game_id < beside]
        order = Seat.game_id if edge.towards_newer else order
    columns = (Seat.game_id, Seat.mark, Seat.result, Seat.opponent_id, Seat.opponent_level)
    walk = select(*columns).where(*conditions).order_by(order).limit(limit).subquery()
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
        db.session.rollback()
        yield games
        edge = Edge(games[-1].public_id, towards_newer=False)


def public_record(name: str) -> tuple[str | None, Record]:
    """The name as its owner writes it, and the record; not there for guests, deleted and unknown names."""
    sums = [func.coalesce(func.sum(column), 0) for column in (Tally.won, Tally.drawn, Tally.lost)]
    row = db.session.execute(
        select(User.name, *sums)
        .outerjoin(Tally, Tally.user_id == User.id)
        .where(User.name_key == name.lower(), User.deleted_at.is_(None))
        .group_by(User.id, User.name)
    ).one_or_none() if NAME.match(name) else None  # fmt: skip
    if row is None:
        raise NotThere("There is no player with this name.")
    return row[0], Record(*map(int, row[1:]))
