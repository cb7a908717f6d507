"""The page of one agent in a competition: its games, and why it lost some of them by a fault."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from webapp.competitions.agent_queries import AgentEntry, games_in, is_of
from webapp.competitions.agent_view import AgentsView, GameLine
from webapp.competitions.states import FAULT_NAMES, PairingState, Score

CAUSES_SHOWN = 5


class Cause(NamedTuple):
    """What a program did, its own words for it, in how many games, and the first of these."""

    did: str
    words: str
    games: int
    first: str | None  # its public id


@dataclass(frozen=True)
class AgentPage:
    view: AgentsView
    entry: AgentEntry

    @property
    def versions(self) -> list[AgentEntry]:
        user_id = self.entry.user_id
        return [one for one in self.view.entries.values() if user_id is not None and one.user_id == user_id]

    @cached_property
    def _games(self) -> list[GameLine]:
        return self.view.lines_of(games_in(self.view.about.id, is_of(self.entry.id)))

    @property
    def games(self) -> list[GameLine]:
        """Those that count; of a version that was replaced all, because none does."""
        return [game for game in self._games if self.entry.replaced_by or not _is_superseded(game)]

    @property
    def superseded(self) -> list[GameLine]:
        """Those against versions that were replaced."""
        return [game for game in self._games if not self.entry.replaced_by and _is_superseded(game)]

    @cached_property
    def causes(self) -> list[Cause]:
        """Of the games that it lost by a fault, the most frequent ones first."""
        lost = [game.pairing for game in self.games if game.pairing.loser == self.entry.id and game.pairing.fault]
        counted = Counter((pairing.fault_sentence, pairing.told) for pairing in lost)
        first = {(pairing.fault_sentence, pairing.told): pairing.game for pairing in reversed(lost)}
        return [Cause(*told, games, first[told]) for told, games in counted.most_common()]

    @property
    def hidden_causes(self) -> int:
        return len(self.causes) - len(self.shown_causes)

    @property
    def shown_causes(self) -> Sequence[Cause]:
        return self.causes[:CAUSES_SHOWN]

    def result_of(self, game: GameLine) -> str:
        """From its side, in a few words: the cause stands above, and on the page of the game."""
        pairing, fault = game.pairing, FAULT_NAMES.get(game.pairing.fault) if game.pairing.fault else None
        if pairing.score is None:
            return WORDS.get(pairing.state, "")
        if pairing.loser is None:
            return "drawn" if pairing.score is Score.DRAWN else "not played"
        if pairing.loser == self.entry.id:
            return f"lost ({fault})" if fault else "lost"
        return f"won (other: {fault})" if fault else "won"


WORDS = {
    PairingState.WAITING: "to be played", PairingState.PLAYING: "being played",
    PairingState.CANCELLED: "cancelled", PairingState.SUPERSEDED: "not finished",
}  # fmt: skip


def _is_superseded(game: GameLine) -> bool:
    return game.pairing.state is PairingState.SUPERSEDED
