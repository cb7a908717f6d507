"""Wins, draws, losses and accuracy of a user, from the tallies: nothing here counts games. Read only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, false, func, select
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

LISTED = 20  # opponents, all levels among them; whoever has more finds the others by their games
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
    """A user's record, and that against each opponent: the levels in their order, then people, most played first."""

    all: Record  # without the coach
    coached: Record
    against: dict[Opponent, Record]  # no more than are listed
    others: int  # how many opponents there are besides

    def opponent(self, key: str) -> Opponent | None:
        """Of those that are listed."""
        return next((one for one in self.against if one.key and one.key.lower() == key.lower()), None)


def totals_of(user_id: int) -> Totals:
    """All guests count as one opponent, all deleted players as another: nobody can tell them apart.

    The database adds up and sorts: of somebody with two thousand opponents only the rows that are listed are read here.
    """
    with reading() as connection:
        rows = connection.execute(_LISTED, {"me": user_id}).all()
    against = {Opponent(*row[:6]): _record(row[6:11]) for row in rows}
    sums = {row.coached: _record(row[11:16]) for row in rows}  # the same in each row of a kind
    others = rows[0].opponents - len(rows) if rows else 0
    in_order = dict(sorted(against.items(), key=_place))
    return Totals(sums.get(False, NO_RECORD), sums.get(True, NO_RECORD), in_order, others)


def opponent_of(user_id: int, key: str) -> Opponent | None:
    """The one whom this word of a link names, if there is a finished game against them."""
    word = key.lower()
    is_named = Tally.level == word if word in ALL_LEVELS else (User.name_key == word) & User.deleted_at.is_(None)
    statement = _opponents(*_WHO).where(Tally.user_id == user_id, is_named).order_by(Tally.coached).limit(1)
    with reading() as connection:
        row = connection.execute(statement).first() if NAME.match(key) else None
    return Opponent(*row) if row else None


def _opponents(*columns: Any) -> Select[Any]:
    return select(*columns).outerjoin(User, User.id == Tally.opponent_id).outerjoin(owner, owner.id == User.owner_id)


_WHO = (Tally.level, Tally.opponent_id, User.name, IS_DELETED, Tally.coached, owner.name)
_SUMS = [func.sum(column) for column in COUNTS]
_LISTED = (
    _opponents(
        Tally.level, func.max(Tally.opponent_id), *_WHO[2:], *_SUMS,
        *[func.sum(of_opponent).over(partition_by=Tally.coached) for of_opponent in _SUMS],
        func.count().over().label("opponents"),
    )
    .where(Tally.user_id == bindparam("me"))
    .group_by(Tally.level, *_WHO[2:])
    .order_by(Tally.level.is_(None), func.sum(Tally.won + Tally.drawn + Tally.lost).desc(), func.lower(User.name))
    .limit(LISTED)
)  # fmt: skip


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
