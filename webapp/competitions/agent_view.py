"""A competition of agents as its pages show it. A template asks this and works out nothing itself."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from webapp.classrooms.queries import rooms_without_agents
from webapp.competitions.agent_queries import (
    AgentEntry,
    AgentGame,
    Candidate,
    candidates_for,
    entries_in,
    games_in,
    is_between,
    states_in,
)
from webapp.competitions.agent_ranking import Line, Meeting, tenths_of
from webapp.competitions.agent_results import meetings_in, ranking_of
from webapp.competitions.models import Pairing
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.states import PairingState, State
from webapp.competitions.table_rows import points, points_in_words
from webapp.competitions.thinking_time import BANK_SECONDS, START_SECONDS
from webapp.games.boards import BoardView, board_view
from webapp.tictactoe import Opening, openings, replay

HEADINGS = ("Points", "Games", "Weak levels", "Strength", "Faults", "Time", "Nodes")
PROJECTED = 2  # of these columns, so that they are read from the last row
SHOWN = 12  # boards of games in play


class Cell(NamedTuple):
    """What one has taken off another, in all their games that count."""

    points: str
    games: int
    faults: int


class Row(NamedTuple):
    entry: AgentEntry
    line: Line
    is_mine: bool

    @property
    def points(self) -> str:
        return points_in_words(self.line.halves)

    @property
    def cells(self) -> tuple[str, ...]:
        """One for each heading."""
        line = self.line
        strength = "–" if line.strength is None else signed(line.strength)
        weak = f"{points(line.weak_halves)}/{line.weak_games}" if line.weak_games else "–"
        nodes = "–" if line.nodes is None else f"{line.nodes:,}"
        if self.entry.reference:  # its games are the other side's, and the site does not race itself
            return points(line.halves + line.weak_halves), str(line.games), "–", strength, "–", "–", "–"
        time = seconds(line.microseconds) if line.microseconds else "–"
        faults = f"{line.faults} of {line.games + line.weak_games}" if line.faults else "0"
        return points(line.halves), str(line.games), weak, strength, faults, time, nodes


def signed(strength: float) -> str:
    text = f"{strength:+.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")


def seconds(microseconds: int) -> str:
    """As the ranking compares it: whom time parts never show the same time."""
    tenths = tenths_of(microseconds)
    return "under 0.1 s" if tenths == 1 else f"{tenths / 10:,.1f} s"


class GameLine(NamedTuple):
    """One game as a line of a list."""

    x: AgentEntry
    o: AgentEntry
    pairing: AgentGame


class OpeningView(NamedTuple):
    number: int
    opening: Opening
    board: BoardView
    to_move: str


@dataclass(frozen=True)
class AgentsView:
    about: CompetitionRecord

    @cached_property
    def entries(self) -> dict[int, AgentEntry]:
        return {entry.id: entry for entry in entries_in(self.about.id)}

    @cached_property
    def active(self) -> list[AgentEntry]:
        return [entry for entry in self.entries.values() if entry.is_active and entry.reference is None]

    @cached_property
    def _meetings(self) -> tuple[Meeting, ...]:
        return meetings_in(self.about.id)

    @cached_property
    def rows(self) -> list[Row]:
        """Agents with their ranks, then the reference players. Who left stays; an older version does not."""
        current = [entry for entry in self.entries.values() if entry.replaced_by is None]
        lines = ranking_of([entry.entrant for entry in current], self._meetings)
        me = self.about.viewer.id
        found = [(self.entries[line.entrant.entry_id], line) for line in lines]
        return [Row(entry, line, entry.owner_id is not None and entry.owner_id == me) for entry, line in found]

    def headings(self, projected: bool = False) -> tuple[str, ...]:
        return HEADINGS[:PROJECTED] if projected else HEADINGS

    @property
    def winners(self) -> list[str]:
        """Who is first, or until it has ended who leads."""
        return [row.entry.title for row in self.rows if row.line.rank == 1 and row.line.games]

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """By the entry of the row and that of the column: with both marks together."""
        taken: dict[tuple[int, int], list[int]] = {}
        for meeting in self._meetings:
            for mine, other in meeting.sides:
                sums = taken.setdefault((mine.entry_id, other.entry_id), [0, 0, 0])
                for place, value in enumerate((mine.halves, meeting.games, mine.faults)):
                    sums[place] += value
        return {pair: Cell(points(halves), games, faults) for pair, (halves, games, faults) in taken.items()}

    # How far it is

    @cached_property
    def _states(self) -> dict[PairingState, int]:
        return states_in(self.about.id)

    @property
    def over(self) -> int:
        return self._states.get(PairingState.FINISHED, 0) + self._states.get(PairingState.FORFEITED, 0)

    @property
    def in_play(self) -> int:
        return self._states.get(PairingState.PLAYING, 0)

    @property
    def planned(self) -> int:
        return self.over + self.in_play + self._states.get(PairingState.WAITING, 0)

    @property
    def is_played_out(self) -> bool:
        """On, with nothing left to play: until it ends, agents can still be replaced."""
        return self.about.state is State.PLAYING and 0 < self.planned == self.over

    @cached_property
    def playing(self) -> list[AgentGame]:
        """Some of the games in play."""
        is_playing = (Pairing.state == PairingState.PLAYING, Pairing.score.is_(None))
        return games_in(self.about.id, *is_playing, most=SHOWN) if self.in_play else []

    # Who looks

    @cached_property
    def _candidates(self) -> list[Candidate]:
        return [] if self.about.is_over else candidates_for(self.about)

    @cached_property
    def mine(self) -> list[tuple[Candidate, AgentEntry | None]]:
        """The agents of who looks, each with its entry if it is in, or if it has left."""
        own = [one for one in self._candidates if one.owner_id == self.about.viewer.id]
        entered = {entry.user_id: entry for entry in self.entries.values() if entry.replaced_by is None}
        return [(one, entered.get(one.agent_id)) for one in own]

    @cached_property
    def rooms_without(self) -> list[str]:
        """The classrooms because of which the agents of who looks play nobody."""
        return rooms_without_agents(self.about.viewer.id) if self.about.viewer.id and self.about.may_belong else []

    @property
    def can_enter(self) -> bool:
        """An agent that is not in it."""
        return self.about.opens_at is None and not self.about.has_closed

    @property
    def others_to_enter(self) -> int:
        """Agents of the class that an instructor can enter and that were never in: who has left decides alone."""
        known = {entry.user_id for entry in self.entries.values()}
        may_enter = self.about.may_manage and self.can_enter
        return sum(one.agent_id not in known for one in self._candidates) if may_enter else 0

    def row_of(self, entry: AgentEntry) -> Row | None:
        return next((row for row in self.rows if row.entry.id == entry.id), None)

    def may_change(self, entry: AgentEntry) -> bool:
        """Replace it or take it out: its owner, and who leads the competition."""
        is_owner = entry.owner_id is not None and entry.owner_id == self.about.viewer.id
        return (is_owner or self.about.may_manage) and not self.about.is_over and entry.reference is None

    def between(self, one: int, other: int) -> list[GameLine]:
        """All games of two, those of older versions too."""
        met = is_between(self._versions(one), self._versions(other))
        return self.lines_of(games_in(self.about.id, met))

    def _versions(self, entry_id: int) -> list[int]:
        user_id = self.entries[entry_id].user_id
        return [one.id for one in self.entries.values() if one.id == entry_id or (user_id and one.user_id == user_id)]

    def lines_of(self, games: Iterable[AgentGame]) -> list[GameLine]:
        """Without those against who entered after the entries were read."""
        known = [game for game in games if {game.x_entry_id, game.o_entry_id} <= self.entries.keys()]
        return [self.line_of(game) for game in known]

    def line_of(self, game: AgentGame) -> GameLine:
        return GameLine(self.entries[game.x_entry_id], self.entries[game.o_entry_id], game)

    # What it consists of

    @property
    def openings(self) -> list[OpeningView]:
        return [
            OpeningView(number, one, board_view(position), position.to_move.value)
            for number, one in enumerate(openings()[: self.about.rounds], 1)
            if (position := replay(one.cells))
        ]

    @property
    def bank(self) -> int:
        return BANK_SECONDS if self.about.bank_seconds is None else self.about.bank_seconds

    @property
    def start(self) -> int:
        return START_SECONDS if self.about.start_seconds is None else self.about.start_seconds


