"""Questions about a competition of agents, for its pages. Read only; none reads all its games: they are thousands."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import aliased

from webapp.accounts.models import Presence, User
from webapp.accounts.presence import is_here
from webapp.agents.models import Agent
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT, is_without_agents
from webapp.classrooms.roles import Role
from webapp.competitions.agent_schedule import Entrant
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.states import FAULT_WORDS, Entrants, Fault, PairingState, Score, told
from webapp.database import reading
from webapp.games.models import Game
from webapp.tictactoe import ALL_LEVELS

_owner = aliased(User)


@dataclass(frozen=True)
class AgentEntry:
    """An agent in a competition, or a reference player of the site."""

    id: int
    user_id: int | None
    name: str | None
    owner_id: int | None
    agent_of: str | None
    is_deleted: bool
    reference: str | None
    program_version: int
    replaced_by: int | None
    withdrawn_at: datetime | None
    seen_at: datetime | None

    @property
    def title(self) -> str:
        if self.reference is not None:
            return ALL_LEVELS[self.reference].title
        return "deleted player" if self.is_deleted else self.name or "somebody"

    @property
    def description(self) -> str:
        return ALL_LEVELS[self.reference].description if self.reference is not None else ""

    @property
    def is_active(self) -> bool:
        return self.withdrawn_at is None and self.replaced_by is None and not self.is_deleted

    @property
    def is_here(self) -> bool:
        return is_here(self.seen_at)

    @property
    def entrant(self) -> Entrant:
        return Entrant(self.id, self.reference)


def entries_in(competition_id: int) -> list[AgentEntry]:
    own = (
        CompetitionEntry.id, CompetitionEntry.user_id, CompetitionEntry.reference, CompetitionEntry.program_version,
        CompetitionEntry.replaced_by, CompetitionEntry.withdrawn_at,
    )  # fmt: skip
    entries = (
        select(
            *own, User.name, User.owner_id, _owner.name.label("agent_of"), Presence.seen_at,
            User.deleted_at.is_not(None).label("is_deleted"),
        )
        .outerjoin(User, User.id == CompetitionEntry.user_id)
        .outerjoin(_owner, _owner.id == User.owner_id)
        .outerjoin(Presence, Presence.user_id == CompetitionEntry.user_id)
        .where(CompetitionEntry.competition_id == competition_id)
        .order_by(CompetitionEntry.id)
    )  # fmt: skip
    with reading() as connection:
        return [AgentEntry(**row._mapping) for row in connection.execute(entries)]


class Progress(NamedTuple):
    """How many games are in which state, and the competition's own version at that moment."""

    games: dict[PairingState, int]
    version: int

    @property
    def of_results(self) -> tuple[int, ...]:
        """Another one whenever other games count: between two entries they only become more."""
        states = (PairingState.FINISHED, PairingState.FORFEITED, PairingState.SUPERSEDED)
        return self.version, *(self.games.get(state, 0) for state in states)


def progress_in(competition_id: int) -> Progress:
    version = select(Competition.version).where(Competition.id == competition_id).scalar_subquery()
    counted = select(Pairing.state, func.count().label("games"), version.label("version"))
    own = counted.where(Pairing.competition_id == competition_id).group_by(Pairing.state)
    with reading() as connection:
        rows = connection.execute(own).all()
    return Progress({row.state: row.games for row in rows}, rows[0].version if rows else 0)


@dataclass(frozen=True)
class AgentGame:
    """A row of the schedule, seen from one side or from none."""

    id: int
    round: int
    x_entry_id: int
    o_entry_id: int
    state: PairingState
    score: Score | None
    fault: Fault | None
    fault_words: str
    x_microseconds: int | None
    o_microseconds: int | None
    game_id: int | None
    game: str | None

    @property
    def fault_sentence(self) -> str:
        return FAULT_WORDS[self.fault] if self.fault else ""

    @property
    def told(self) -> str:
        return told(self.fault, self.fault_words)

    @property
    def loser(self) -> int | None:
        return {Score.X: self.o_entry_id, Score.O: self.x_entry_id}.get(self.score) if self.score else None


def games_in(competition_id: int, *conditions: ColumnElement[bool], most: int = 1000) -> list[AgentGame]:
    names = [name for name in AgentGame.__dataclass_fields__ if name != "game"]
    games = (
        select(*(getattr(Pairing, name) for name in names), Game.public_id.label("game"))
        .outerjoin(Game, Game.id == Pairing.game_id)
        .where(Pairing.competition_id == competition_id, *conditions)
        .order_by(Pairing.round, Pairing.id)
        .limit(most)
    )
    with reading() as connection:
        return [AgentGame(**row._mapping) for row in connection.execute(games)]


def is_of(entry_id: int) -> ColumnElement[bool]:
    return or_(Pairing.x_entry_id == entry_id, Pairing.o_entry_id == entry_id)


def is_between(some: Collection[int], others: Collection[int]) -> ColumnElement[bool]:
    """Games of one of these entries against one of those."""
    return or_(
        and_(Pairing.x_entry_id.in_(some), Pairing.o_entry_id.in_(others)),
        and_(Pairing.x_entry_id.in_(others), Pairing.o_entry_id.in_(some)),
    )


# Who may enter


@dataclass(frozen=True)
class Candidate:
    """An agent that its owner, or an instructor of the class, may enter."""

    agent_id: int
    name: str
    owner_id: int
    owner: str
    has_token: bool


def candidates_for(about: CompetitionRecord) -> list[Candidate]:
    """Of who looks, if they may enter; for an instructor those of the whole class. By name."""
    agents = (
        select(
            Agent.user_id.label("agent_id"),
            User.name,
            Agent.owner_id,
            _owner.name.label("owner"),
            Agent.token_hash.is_not(None).label("has_token"),
        )
        .join(User, User.id == Agent.user_id)
        .join(_owner, _owner.id == Agent.owner_id)
        .where(User.deleted_at.is_(None), _owner.deleted_at.is_(None), ~is_without_agents(Agent.owner_id))
    )
    with reading() as connection:
        rows = connection.execute(agents.where(or_(*_allowed(about))).order_by(User.name_key)).all()
    return [Candidate(**row._mapping) for row in rows]


def _allowed(about: CompetitionRecord) -> Sequence[ColumnElement[bool]]:
    mine = Agent.owner_id == (about.viewer.id or 0)
    found = [mine if about.may_belong else and_(mine, mine.is_(None))]
    if about.may_manage and about.classroom_id is not None:
        found.append(Agent.owner_id.in_(_members(about)))
    return found


def _members(about: CompetitionRecord) -> Any:
    members = select(Enrolment.user_id).where(Enrolment.classroom_id == about.classroom_id, IS_PRESENT)
    return members.where(Enrolment.role == Role.STUDENT) if about.entrants is Entrants.STUDENTS else members
