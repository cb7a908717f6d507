"""A competition among people as its pages show it: the table, the crosstable, the rounds, and what concerns who looks.

A template asks this and works out nothing itself. It is made of what was read once: no statement for each game.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from webapp.competitions.people_table import people_table
from webapp.competitions.records import CompetitionRecord, EntryRecord, PairingRecord, WholeCompetition
from webapp.competitions.rounds import ROUND_MINUTES
from webapp.competitions.score_words import Cell, cell_of, sum_of
from webapp.competitions.states import Format, PairingState, State
from webapp.competitions.table_rows import Table
from webapp.tictactoe import Mark


@dataclass(frozen=True)
class RoundGame:
    """One game of a round, as a line of a list."""

    x: EntryRecord
    o: EntryRecord | None
    pairing: PairingRecord


@dataclass(frozen=True)
class CompetitionView:
    _whole: WholeCompetition

    @property
    def about(self) -> CompetitionRecord:
        return self._whole.about

    @cached_property
    def entries(self) -> dict[int, EntryRecord]:
        return {entry.id: entry for entry in self._whole.entries}

    @property
    def active(self) -> list[EntryRecord]:
        return self._whole.active

    @cached_property
    def table(self) -> Table:
        return people_table(self._whole)

    # Who looks

    @cached_property
    def mine(self) -> EntryRecord | None:
        """Their entry, unless they have withdrawn."""
        entry = self._whole.entry_of(self.about.viewer.id)
        return entry if entry and entry.is_active else None

    @cached_property
    def my_game(self) -> PairingRecord | None:
        """That they can play now."""
        mine = self.mine.id if self.mine else None
        playing = [one for one in self.playing if mine in (one.x_entry_id, one.o_entry_id)]
        return playing[0] if mine is not None and playing else None

    @property
    def my_opponent(self) -> EntryRecord | None:
        if self.my_game is None or self.mine is None:
            return None
        game = self.my_game
        return self.entries[(game.o_entry_id or 0) if game.x_entry_id == self.mine.id else game.x_entry_id]

    @property
    def my_mark(self) -> Mark | None:
        if self.my_game is None or self.mine is None:
            return None
        return Mark.X if self.my_game.x_entry_id == self.mine.id else Mark.O

    @property
    def can_enter(self) -> bool:
        about = self.about
        return self.mine is None and about.state is State.ENTERING and about.may_belong and about.opens_at is None

    @property
    def round_lasts(self) -> str:
        minutes = self.about.round_minutes or ROUND_MINUTES
        for size, unit in ((1440, "day"), (60, "hour")):
            if minutes % size == 0:
                return f"{minutes // size} {unit}{'s' if minutes != size else ''}"
        return f"{minutes} minutes"

    @property
    def winners(self) -> list[str]:
        """Who shares the first place, if anybody took a point."""
        return [row.entry.title for row in self.table.rows if row.rank == 1 and row.cells[0] != "0"]

    # The games

    @cached_property
    def playing(self) -> list[PairingRecord]:
        return [pairing for pairing in self._whole.pairings if pairing.state is PairingState.PLAYING]

    @property
    def is_matrix(self) -> bool:
        """All meet all, so each pair of them has a cell; otherwise each round has a column."""
        return self.about.format is Format.ROUND_ROBIN

    @cached_property
    def cells(self) -> dict[tuple[int, int], list[Cell]]:
        """By the entry of the row and that of the column."""
        found: dict[tuple[int, int], list[Cell]] = defaultdict(list)
        for pairing in self._shown:
            if pairing.o_entry_id is not None:
                found[pairing.x_entry_id, pairing.o_entry_id].append(cell_of(pairing, Mark.X))
                found[pairing.o_entry_id, pairing.x_entry_id].append(cell_of(pairing, Mark.O))
        return found

    def sum_of(self, cells: Sequence[Cell]) -> str:
        """The points of several games, out of how many are over: "5½ of 8"."""
        return sum_of(cells)

    @cached_property
    def by_round(self) -> dict[tuple[int, int], Cell]:
        """By the entry and the number of the round."""
        found = {}
        for pairing in self._shown:
            found[pairing.x_entry_id, pairing.round] = cell_of(pairing, Mark.X)
            if pairing.o_entry_id is not None:
                found[pairing.o_entry_id, pairing.round] = cell_of(pairing, Mark.O)
        return found

    @property
    def _shown(self) -> Sequence[PairingRecord]:
        hidden = (PairingState.SUPERSEDED, PairingState.CANCELLED)
        return [pairing for pairing in self._whole.pairings if pairing.state not in hidden]

    @cached_property
    def rounds(self) -> list[tuple[int, list[RoundGame]]]:
        """The newest first."""
        numbers = sorted({pairing.round for pairing in self._whole.pairings}, reverse=True)
        return [(number, [self._line(one) for one in self._whole.of_round(number)]) for number in numbers]

    def _line(self, pairing: PairingRecord) -> RoundGame:
        o_entry = self.entries[pairing.o_entry_id] if pairing.o_entry_id is not None else None
        return RoundGame(self.entries[pairing.x_entry_id], o_entry, pairing)

    @cached_property
    def free(self) -> list[EntryRecord]:
        """Where all meet all and their number is odd: who has no game in the present round."""
        if self.about.state is not State.PLAYING:
            return []
        games = self._whole.of_round(self.about.round)
        busy = {entry for one in games for entry in (one.x_entry_id, one.o_entry_id)}
        return [entry for entry in self.active if entry.id not in busy]

    def between(self, one: int, other: int) -> list[RoundGame]:
        """All games of two entries, the superseded ones too."""
        pair = {one, other}
        return [self._line(game) for game in self._whole.pairings if {game.x_entry_id, game.o_entry_id} == pair]
