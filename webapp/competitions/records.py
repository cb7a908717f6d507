"""A competition, its entries and its pairings as they stand in the database at one moment: plain values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from webapp.classrooms.roles import Role
from webapp.clock import now
from webapp.competitions.standings import Played
from webapp.competitions.states import FAULT_WORDS, CompetitionKind, Entrants, Fault, Format, PairingState, Score, State


class Viewer(NamedTuple):
    """Who asks: a user or nobody, and whether they are an instructor of the site."""

    id: int | None
    is_instructor: bool = False


@dataclass(frozen=True)
class CompetitionRecord:
    """As one person may see it. `role` is theirs in its classroom."""

    id: int
    public_id: str
    name: str
    kind: CompetitionKind
    classroom_id: int | None
    made_by: int
    entrants: Entrants
    created_at: datetime
    enters_from: datetime | None
    enters_until: datetime | None
    starts_at: datetime | None
    started_at: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None
    format: Format
    rounds: int
    round_minutes: int | None
    round: int
    round_ends_at: datetime | None
    bank_seconds: int | None
    start_seconds: int | None
    state: State
    version: int
    classroom: str | None  # its public id
    classroom_name: str | None
    classroom_archived_at: datetime | None
    classroom_allows_agents: bool | None
    role: Role | None
    viewer: Viewer

    @property
    def may_manage(self) -> bool:
        """An instructor of its classroom; of one that is open to all, any instructor of the site."""
        return self.viewer.is_instructor if self.classroom_id is None else self.role is Role.INSTRUCTOR

    @property
    def is_open(self) -> bool:
        """To everybody who comes to the site."""
        return self.classroom_id is None

    @property
    def may_belong(self) -> bool:
        """Whether this person is one of those who may enter, at whatever time."""
        if self.entrants is Entrants.STUDENTS:
            return self.role is Role.STUDENT
        return self.viewer.id is not None and (self.is_open or self.role is not None)

    @property
    def opens_at(self) -> datetime | None:
        """When one can enter, unless one can already."""
        return self.enters_from if self.enters_from and self.enters_from > now() else None

    @property
    def has_closed(self) -> bool:
        """To agents that are not in it."""
        return self.enters_until is not None and self.enters_until < now()

    @property
    def is_archived(self) -> bool:
        return self.classroom_archived_at is not None

    @property
    def is_over(self) -> bool:
        return self.state in (State.ENDED, State.CANCELLED)


@dataclass(frozen=True)
class EntryRecord:
    id: int
    user_id: int | None
    name: str | None
    is_deleted: bool
    reference: str | None
    number: int | None
    program_version: int
    replaced_by: int | None
    withdrawn_at: datetime | None

    @property
    def is_active(self) -> bool:
        return self.withdrawn_at is None and self.replaced_by is None and not self.is_deleted

    @property
    def title(self) -> str:
        return "deleted player" if self.is_deleted else self.name or self.reference or "somebody"


@dataclass(frozen=True)
class PairingRecord:
    id: int
    round: int
    x_entry_id: int
    o_entry_id: int | None
    state: PairingState
    score: Score | None
    fault: Fault | None
    fault_words: str
    game_id: int | None
    game: str | None  # its public id

    @property
    def counts(self) -> bool:
        return self.score is not None and self.state in (PairingState.FINISHED, PairingState.FORFEITED)

    @property
    def is_left(self) -> bool:
        """Still to be played, or to its end."""
        return self.state in (PairingState.WAITING, PairingState.PLAYING)

    @property
    def fault_sentence(self) -> str:
        return FAULT_WORDS[self.fault] if self.fault else ""

    @property
    def played(self) -> Played:
        """As the standings count it."""
        assert self.score is not None  # noqa: S101 - only what counts is asked
        is_forfeit = self.state is PairingState.FORFEITED
        return Played(self.round, self.x_entry_id, self.o_entry_id, self.score, is_forfeit)


@dataclass(frozen=True)
class WholeCompetition:
    about: CompetitionRecord
    entries: Sequence[EntryRecord]
    pairings: Sequence[PairingRecord]

    @property
    def active(self) -> list[EntryRecord]:
        return [entry for entry in self.entries if entry.is_active]

    @property
    def played(self) -> list[Played]:
        return [pairing.played for pairing in self.pairings if pairing.counts]

    def of_round(self, number: int) -> list[PairingRecord]:
        return [pairing for pairing in self.pairings if pairing.round == number]

    def entry_of(self, user_id: int | None) -> EntryRecord | None:
        """The newest entry of this user, withdrawn or not."""
        theirs = [entry for entry in self.entries if user_id is not None and entry.user_id == user_id]
        return theirs[-1] if theirs else None

    def played_by(self, user_id: int) -> list[PairingRecord]:
        """What this user plays now, withdrawn or not."""
        entry = self.entry_of(user_id)
        playing = [one for one in self.pairings if one.state is PairingState.PLAYING]
        return [one for one in playing if entry and entry.id in (one.x_entry_id, one.o_entry_id)]
