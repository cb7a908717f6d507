"""A game as it stands in the database at one moment: a plain value, whole. Knows no database itself."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property

from webapp.games.states import EndReason, Status, Visibility, WishedMark
from webapp.tictactoe import Board, Mark, Position, replay

board_of = cache(Board)  # one value for all games of a shape: it works out its lines once


@dataclass(frozen=True)
class Person:
    """A user as others know them: a name, a guest's None, or deleted. An agent is told with its owner's name."""

    id: int
    name: str | None
    is_deleted: bool
    agent_of: str | None = None

    @property
    def title(self) -> str:
        return "deleted player" if self.is_deleted else self.name or "a guest"


@dataclass(frozen=True)
class Holder:
    """Who sits in a seat: a person, or the computer at a level."""

    mark: Mark
    user_id: int | None
    level: str | None
    name: str | None
    is_deleted: bool
    seen_at: datetime | None = None
    by_stream: bool = False
    agent_of: str | None = None  # the owner's name, if it is a program that plays
    owner_id: int | None = None


@dataclass(frozen=True)
class MadeMove:
    cell: int
    made_at: datetime
    nodes: int | None
    microseconds: int | None


@dataclass(frozen=True)
class TakenBackMove:
    """A move that stood until version `version` of the game."""

    version: int
    ply: int
    cell: int


@dataclass(frozen=True)
class GameRecord:
    """A game as it stands in the database at one moment. An open one has no holders yet."""

    id: int
    public_id: str
    board: Board
    status: Status
    visibility: Visibility
    opener: Person | None
    wished_mark: WishedMark | None
    challenged: Person | None
    rematch_of: int | None
    rematch: str | None  # the public id of the game in which the two meet again
    rematch_by: int | None
    rematch_status: Status | None
    draw_offered_by: Mark | None
    draw_offered_ply: int | None
    draw_is_open: bool
    winner: Mark | None
    reason: EndReason | None
    turn_began_at: datetime | None
    due_at: datetime | None
    created_at: datetime
    ended_at: datetime | None
    version: int
    page_version: str  # see versions.py
    holders: dict[Mark, Holder]
    moves: tuple[MadeMove, ...]
    coached: bool = False
    arranged: bool = False
    opening_plies: int = 0
    classroom_id: int | None = None  # while it is open, for its members alone
    seed: int | None = None  # of the level that plays in it, where its luck is fixed
    cause: str | None = None
    taken_back: tuple[TakenBackMove, ...] = ()  # in the order of play; not read for lists of games

    @cached_property
    def position(self) -> Position:
        return replay([move.cell for move in self.moves], self.board)

    @property
    def is_over(self) -> bool:
        return self.status not in (Status.OPEN, Status.PLAYING)

    @property
    def waits_for_classmate(self) -> bool:
        return self.status == Status.OPEN and self.classroom_id is not None

    @property
    def opener_id(self) -> int | None:
        return self.opener.id if self.opener else None

    @cached_property
    def is_between_people(self) -> bool:
        return all(holder.level is None for holder in self.holders.values())

    @property
    def has_begun(self) -> bool:
        """Both players have moved. Before that nobody can lose it by being away."""
        return len(self.moves) - self.opening_plies >= len(Mark)

    def mark_of(self, user_id: int | None) -> Mark | None:
        """The mark that the user plays, None for a spectator."""
        held = (mark for mark, holder in self.holders.items() if holder.user_id == user_id)
        return next(held, None) if user_id is not None else None

    @property
    def player_ids(self) -> list[int]:
        """Of the people who play it."""
        return [holder.user_id for holder in self.holders.values() if holder.user_id is not None]

    @property
    def owner_ids(self) -> set[int]:
        """Of the people whose agents play it."""
        return {holder.owner_id for holder in self.holders.values() if holder.owner_id is not None}

    def may_be_seen_by(self, user_id: int | None) -> bool:
        """Public games by everybody, private ones by their people and the owners of their agents; an open one with a
        secret link by who has it.
        """
        if self.visibility == Visibility.PUBLIC or self.mark_of(user_id) or user_id in self.owner_ids:
            return True
        invited = [person.id for person in (self.opener, self.challenged) if person]
        return user_id in invited or (self.status == Status.OPEN and self.challenged is None)
