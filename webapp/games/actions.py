"""What a person may do in a game now: each draws a button, and the same question guards the post behind it."""

from dataclasses import dataclass
from functools import cached_property

from webapp.games import agreements, meeting, take_back
from webapp.games.game_record import GameRecord
from webapp.games.states import Status
from webapp.tictactoe import Mark


@dataclass(frozen=True)
class Actions:
    _game: GameRecord
    _viewer_id: int | None

    @cached_property
    def _mark(self) -> Mark | None:
        return self._game.mark_of(self._viewer_id)

    # Before the start

    @property
    def can_join(self) -> bool:
        return meeting.can_join(self._game, self._viewer_id)

    @property
    def can_decline(self) -> bool:
        return self.can_join and self._game.challenged is not None

    @property
    def can_withdraw(self) -> bool:
        opener = self._game.opener
        return self._game.status == Status.OPEN and opener is not None and opener.id == self._viewer_id

    # In the game

    @property
    def can_abort(self) -> bool:
        return self._mark is not None and agreements.can_abort(self._game)

    @property
    def can_resign(self) -> bool:
        return self._mark is not None and self._game.status == Status.PLAYING

    @property
    def can_take_back(self) -> bool:
        return self._mark is not None and take_back.can_take_back(self._game)

    @property
    def can_offer_draw(self) -> bool:
        return self._mark is not None and agreements.can_offer_draw(self._game, self._mark)

    @property
    def can_answer_draw(self) -> bool:
        return self._mark is not None and agreements.can_answer_draw(self._game, self._mark)

    @property
    def can_claim(self) -> bool:
        return self._mark is not None and agreements.can_claim(self._game, self._mark)

    # After the end

    @property
    def can_rematch(self) -> bool:
        mark = self._mark
        can_be = self._game.is_over and not self._game.arranged
        return can_be and mark is not None and not self._game.holders[mark.other].is_deleted
