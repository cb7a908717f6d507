"""A game as one person sees it: everything that the templates show, and nothing that they must work out."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from webapp.clock import now
from webapp.games import agreements
from webapp.games.boards import BoardView, board_view
from webapp.games.meeting import REASONS, can_join
from webapp.games.queries import GameRecord, MadeMove, Record
from webapp.games.seats import SeatView, seat_view
from webapp.games.states import Result, Status, Visibility
from webapp.tictactoe import LEVELS, Level, Mark, Position, can_count_tree, minimax_nodes, mover


@dataclass(frozen=True)
class MoveView:
    number: int
    mark: Mark
    cell: int
    cell_name: str


@dataclass(frozen=True)
class SearchView:
    """What the search did for an answer, beside what plain minimax would have needed where that can be counted."""

    nodes: int
    microseconds: int
    minimax_nodes: int | None


def search_view(move: MadeMove, before: Position) -> SearchView | None:
    """None where a person moved, or a level that plays without searching."""
    if not move.nodes:
        return None
    plain = minimax_nodes(before) if can_count_tree(before) else None
    return SearchView(move.nodes, move.microseconds or 0, plain)


@dataclass(frozen=True)
class PointOfView:
    """Of a player, of a spectator, or of somebody who looks at an open game."""

    game: GameRecord
    viewer_id: int | None
    record: Record

    @property
    def public_id(self) -> str:
        return self.game.public_id

    @property
    def status(self) -> str:
        return self.game.status

    @property
    def reason(self) -> str | None:
        return self.game.reason

    @property
    def is_open(self) -> bool:
        return self.game.status == Status.OPEN

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def is_aborted(self) -> bool:
        return self.game.status == Status.ABORTED

    @property
    def is_between_people(self) -> bool:
        return self.game.is_between_people

    @cached_property
    def my_mark(self) -> Mark | None:
        return self.game.mark_of(self.viewer_id)

    @property
    def is_spectator(self) -> bool:
        return self.my_mark is None

    @cached_property
    def is_my_turn(self) -> bool:
        return self.game.status == Status.PLAYING and self.game.position.to_move == self.my_mark

    @property
    def is_waiting(self) -> bool:
        """For somebody else to do something: the page may then be drawn afresh at any moment."""
        if self.is_over:
            return self.rematch == "mine"
        return self.can_withdraw if self.is_open else not self.is_my_turn

    @property
    def to_move(self) -> SeatView | None:
        """Whose turn it is; None before the start and after the end."""
        return self.seat_of(self.game.position.to_move) if self.game.status == Status.PLAYING else None

    @property
    def result(self) -> str | None:
        """Of the viewer; a spectator has none."""
        if self.game.status != Status.FINISHED or self.my_mark is None:
            return None
        return Result.of(self.my_mark, self.game.winner)

    @property
    def winner(self) -> SeatView | None:
        return self.seat_of(Mark(self.game.winner)) if self.game.winner else None

    @property
    def loser(self) -> SeatView | None:
        return self.seat_of(Mark(self.game.winner).other) if self.game.winner else None

    @property
    def stayed(self) -> SeatView:
        """Where one side let the game lie on its own turn: the other one."""
        return self.seat_of(self.game.position.to_move.other)

    @property
    def left(self) -> SeatView:
        return self.seat_of(self.game.position.to_move)

    @cached_property
    def board(self) -> BoardView:
        moves = self.game.moves
        last = moves[-1].cell if moves else None
        return board_view(self.game.position, len(moves), last, self.is_my_turn)

    @cached_property
    def seats(self) -> list[SeatView]:
        return [seat_view(holder, self.viewer_id) for holder in self.game.holders.values()]

    def seat_of(self, mark: Mark) -> SeatView:
        return next(seat for seat in self.seats if seat.mark == mark)

    @property
    def opponent(self) -> SeatView:
        """The other player; for a spectator, the second one."""
        return next(seat for seat in reversed(self.seats) if not seat.is_me)

    @property
    def level(self) -> Level | None:
        """Of the computer, if it plays here."""
        return next((LEVELS[holder.level] for holder in self.game.holders.values() if holder.level), None)

    @cached_property
    def moves(self) -> list[MoveView]:
        name = self.game.board.cell_name
        return [
            MoveView(ply + 1, mover(ply), move.cell, name(move.cell)) for ply, move in enumerate(self.game.moves)
        ]

    @cached_property
    def last_search(self) -> SearchView | None:
        """Of the newest answer that was searched for; the start of a Beginner's game has none."""
        position = Position.start(self.game.board)
        latest = None
        for move in self.game.moves:
            if move.nodes:
                latest = (move, position)
            position = position.play(move.cell)
        if latest is None:
            return None
        return search_view(*latest)

    @property
    def line_name(self) -> str | None:
        line = self.board.line
        return self.game.board.line_name(line) if line else None

    # Before the start: who waits for whom, and with which mark.

    @property
    def is_opener(self) -> bool:
        return self.game.opener is not None and self.game.opener.id == self.viewer_id

    @property
    def is_challenged(self) -> bool:
        return self.game.challenged is not None and self.game.challenged.id == self.viewer_id

    @property
    def opener_mark(self) -> Mark | None:
        """None while it is left to chance."""
        return Mark(self.game.wished_mark) if self.game.wished_mark in ("X", "O") else None

    @property
    def needs_link(self) -> bool:
        """Nobody finds this game unless they are sent its address."""
        return self.can_withdraw and self.game.visibility == Visibility.PRIVATE and self.game.challenged is None

    @property
    def waited(self) -> timedelta:
        return now() - self.game.created_at

    # What the viewer may do now: each draws a button, and the same question guards the post behind it.

    @property
    def can_join(self) -> bool:
        return can_join(self.game, self.viewer_id)

    @property
    def can_withdraw(self) -> bool:
        return self.is_open and self.is_opener

    @property
    def can_decline(self) -> bool:
        return self.can_join and self.game.challenged is not None

    @property
    def can_abort(self) -> bool:
        return self.my_mark is not None and agreements.can_abort(self.game)

    @property
    def can_resign(self) -> bool:
        return self.game.status == "playing" and self.my_mark is not None

    @property
    def can_offer_draw(self) -> bool:
        return self.my_mark is not None and agreements.can_offer_draw(self.game, self.my_mark)

    @property
    def can_answer_draw(self) -> bool:
        return self.my_mark is not None and agreements.can_answer_draw(self.game, self.my_mark)

    @property
    def has_offered_draw(self) -> bool:
        return self.game.draw_is_open and self.my_mark is not None and self.game.draw_offered_by == self.my_mark

    @property
    def was_refused_draw(self) -> bool:
        """The opponent pressed "Decline"; a move declines too, but speaks for itself."""
        offered = self.my_mark is not None and self.game.draw_offered_by == self.my_mark
        return offered and not self.game.draw_is_open and self.game.draw_offered_ply == len(self.game.moves)

    @property
    def can_claim(self) -> bool:
        return self.my_mark is not None and agreements.can_claim(self.game, self.my_mark)

    @property
    def can_rematch(self) -> bool:
        return self.is_over and self.my_mark is not None and not self.game.holders[self.my_mark.other].is_deleted

    @property
    def rematch(self) -> str | None:
        """Whether they play again: `mine` or `theirs` while one has asked, `begun` once the other agreed."""
        if self.game.rematch is not None and self.game.rematch_status != Status.OPEN:
            return "begun"
        if self.is_spectator or self.game.rematch is None:
            return None
        return "mine" if self.game.rematch_by == self.viewer_id else "theirs"

    @property
    def declined_because(self) -> str | None:
        return REASONS.get(self.game.reason) if self.game.reason and self.game.status == Status.DECLINED else None
