"""A game as one person sees it: the parts that pages show. A template asks them and works out nothing itself."""

from dataclasses import dataclass
from functools import cached_property

from webapp.games.actions import Actions
from webapp.games.boards import BoardView, board_view
from webapp.games.ending import Ending, ending_of
from webapp.games.game_record import GameRecord
from webapp.games.invitation import Invitation, invitation_of
from webapp.games.move_list import Coached, MoveView, SearchView, coached_of, last_search, moves_of
from webapp.games.offers import DrawOffer, Rematch, draw_offer_of, rematch_of
from webapp.games.players import Players, players_of
from webapp.games.review import Review, review_of
from webapp.games.totals import NO_RECORD, Record
from webapp.tictactoe import Position


@dataclass(frozen=True)
class PointOfView:
    """Of a player, of a spectator, or of somebody who looks at an open game.

    Each part is worked out when it is first asked for: a list shows a board and two names, a page shows it all.
    """

    _game: GameRecord
    _viewer_id: int | None
    record: Record = NO_RECORD  # of the viewer against the opponent, where the page shows it

    @property
    def viewer_id(self) -> int | None:
        return self._viewer_id

    @property
    def public_id(self) -> str:
        return self._game.public_id

    @property
    def version(self) -> str:
        return self._game.page_version

    @property
    def is_over(self) -> bool:
        return self._game.is_over

    @property
    def is_arranged(self) -> bool:
        """For a competition, to which its page then leads."""
        return self._game.arranged

    @property
    def is_for_classmates(self) -> bool:
        """Begun in a classroom, to which its page then leads."""
        return self._game.classroom_id is not None

    @property
    def is_between_people(self) -> bool:
        return self._game.is_between_people

    @property
    def position(self) -> Position:
        return self._game.position

    @cached_property
    def invitation(self) -> Invitation | None:
        """None once the seats are taken; before that there is nothing but this, a board and actions."""
        return invitation_of(self._game, self._viewer_id)

    @cached_property
    def players(self) -> Players:
        return players_of(self._game, self._viewer_id)

    @cached_property
    def board(self) -> BoardView:
        moves = self._game.moves
        return board_view(self.position, len(moves), moves[-1].cell if moves else None, self.players.is_my_turn)

    @cached_property
    def moves(self) -> list[MoveView]:
        return moves_of(self._game)

    @cached_property
    def coached(self) -> Coached | None:
        return coached_of(self._game)

    @cached_property
    def last_search(self) -> SearchView | None:
        return last_search(self._game)

    @cached_property
    def actions(self) -> Actions:
        return Actions(self._game, self._viewer_id)

    @cached_property
    def draw_offer(self) -> DrawOffer:
        return draw_offer_of(self._game, self._viewer_id)

    @cached_property
    def ending(self) -> Ending | None:
        return ending_of(self._game, self.players) if self.is_over and self._game.holders else None

    @cached_property
    def review(self) -> Review | None:
        return review_of(self._game)

    @cached_property
    def rematch(self) -> Rematch:
        return rematch_of(self._game, self._viewer_id)

    @property
    def is_waiting(self) -> bool:
        """For somebody else to do something: the page may then be drawn afresh at any moment."""
        if self.is_over:
            return self.rematch.is_mine
        return self.actions.can_withdraw if self.invitation else not self.players.is_my_turn
