"""Wins, draws, losses and accuracy of a user, from the tallies: nothing here counts games. Read only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import bindparam, false, func, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import User
from webapp.accounts.names import NAME
from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.game_record import Holder
from webapp.games.models import Tally
from webapp.games.verdicts import NO_DECISIONS, Accuracy
from webapp.prepared import Prepared
from webapp.tictactoe import ALL_LEVELS, Board

COUNTS = (Tally.won, Tally.drawn, Tally.lost, Tally.decisions, Tally.kept)
owner = aliased(User)  # of an agent
IS_DELETED = User.deleted_at.is_not(None).label("is_deleted")


@dataclass(frozen=True)
class Record:
    """Wins, draws and losses; where it is asked for, the accuracy in these games too."""

    won: int
    drawn: int
    lost: int
    accuracy: Accuracy = NO_DECISIONS

    @property
    def total(self) -> int:
        return self.won + self.drawn + self.lost


NO_RECORD = Record(0, 0, 0)


@dataclass(frozen=True)
class Opponent:
    level: str | None
    user_id: int | None
    name: str | None
    is_deleted: bool
    coached: bool = False  # of games against this level with the coach, which are counted apart
    agent_of: str | None = None  # its owner's name, if it is a program

    @property
    def key(self) -> str | None:
        """The word that names this opponent in a link; guests and the deleted have none."""
        return self.level or self.name

    @property
    def title(self) -> str:
        if self.level is not None:
            return ALL_LEVELS[self.level].title
        return self.name or ("deleted player" if self.is_deleted else "a guest")


@dataclass(frozen=True)
class Totals:
    """A user's record against each opponent: the levels in their order, then people, the most played first."""

    against: dict[Opponent, Record]

    @property
    def all(self) -> Record:
        """Without the coach."""
        return _sum(record for opponent, record in self.against.items() if not opponent.coached)

    @property
    def coached(self) -> Record:
        return _sum(record for opponent, record in self.against.items() if opponent.coached)

    def opponent(self, key: str) -> Opponent | None:
        lowered = key.lower()
        return next((one for one in self.against if one.key and one.key.lower() == lowered), None)


def _sum(records: Iterable[Record]) -> Record:
    summed = list(records)
    won, drawn, lost = (sum(getattr(record, name) for record in summed) for name in ("won", "drawn", "lost"))
    return Record(won, drawn, lost, Accuracy.sum(record.accuracy for record in summed))


def totals_of(user_id: int) -> Totals:
    """All guests count as one opponent, all deleted players as another: nobody can tell them apart."""
    sums = [func.sum(column) for column in COUNTS]
    who = (Tally.level, User.name, IS_DELETED, Tally.coached, owner.name)
    statement = (
        select(Tally.level, func.max(Tally.opponent_id), User.name, IS_DELETED, Tally.coached, owner.name, *sums)
        .outerjoin(User, User.id == Tally.opponent_id)
        .outerjoin(owner, owner.id == User.owner_id)
        .where(Tally.user_id == user_id)
        .group_by(*who)
    )
    with reading() as connection:
        rows = connection.execute(statement).all()
    against = {Opponent(*row[:6]): _record(row[6:]) for row in rows}
    return Totals(dict(sorted(against.items(), key=_place)))


def _place(item: tuple[Opponent, Record]) -> tuple[int, int, str]:
    opponent, record = item
    if opponent.level is not None:
        return list(ALL_LEVELS).index(opponent.level), opponent.coached, ""
    return len(ALL_LEVELS), -record.total, opponent.title.lower()


class PublicRecord(NamedTuple):
    name: str | None
    agent_of: str | None
    record: Record
    coached: Record


def public_record(name: str) -> PublicRecord:
    """The name as its owner writes it, and the records without and with the coach.

    Not there for guests, deleted and unknown names.
    """
    sums = [func.coalesce(func.sum(column), 0) for column in COUNTS]
    statement = (
        select(User.name, owner.name, func.coalesce(Tally.coached, false()), *sums)
        .outerjoin(Tally, Tally.user_id == User.id)
        .outerjoin(owner, owner.id == User.owner_id)
        .where(User.name_key == name.lower(), User.deleted_at.is_(None))
        .group_by(User.id, User.name, owner.name, Tally.coached)
    )
    with reading() as connection:
        rows = connection.execute(statement).all() if NAME.match(name) else []
    if not rows:
        raise NotThere("There is no player with this name. Check the spelling.")
    records = {bool(row[2]): _record(row[3:]) for row in rows}
    return PublicRecord(*rows[0][:2], records.get(False, NO_RECORD), records.get(True, NO_RECORD))


def _record(counts: Sequence[Any]) -> Record:
    """PostgreSQL's sums are no plain integers."""
    won, drawn, lost, decisions, kept = map(int, counts)
    return Record(won, drawn, lost, Accuracy(decisions, kept))


_TALLIES = select(Tally.won, Tally.drawn, Tally.lost).where(
    Tally.user_id == bindparam("me"), Tally.shape == bindparam("shape"), Tally.coached == bindparam("coached")
)
_AGAINST_LEVEL = Prepared(_TALLIES.where(Tally.level == bindparam("opponent")))
_AGAINST_USER = Prepared(_TALLIES.where(Tally.opponent_id == bindparam("opponent")))


def record_against(user_id: int, opponent: Holder, board: Board, coached: bool = False) -> Record:
    """The sum of two rows at most: one for each mark that I had on such a board. Coached games count apart."""
    against, who = (_AGAINST_LEVEL, opponent.level) if opponent.level else (_AGAINST_USER, opponent.user_id)
    with reading() as connection:
        rows = against.rows(connection, me=user_id, opponent=who, shape=board.shape, coached=coached)
    return Record(sum(row.won for row in rows), sum(row.drawn for row in rows), sum(row.lost for row in rows))
