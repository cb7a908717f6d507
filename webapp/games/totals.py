"""Wins, draws and losses of a user, from the tallies: nothing here counts games. Read only."""

from dataclasses import dataclass

from sqlalchemy import func, select

from webapp.accounts.models import User
from webapp.accounts.names import NAME
from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.models import Tally
from webapp.games.queries import Record
from webapp.tictactoe import LEVELS

IS_DELETED = User.deleted_at.is_not(None).label("is_deleted")


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


def totals_of(user_id: int) -> Totals:
    """All guests count as one opponent, all deleted players as another: nobody can tell them apart."""
    sums = [func.sum(column) for column in (Tally.won, Tally.drawn, Tally.lost)]
    who = (Tally.level, User.name, IS_DELETED)
    statement = (
        select(Tally.level, func.max(Tally.opponent_id), User.name, IS_DELETED, *sums)
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
        raise NotThere("There is no player with this name. Check the spelling.")
    return row[0], Record(*map(int, row[1:]))
