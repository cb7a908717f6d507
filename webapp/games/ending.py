"""How a game ended, as one person sees it. The sentences are in templates/games/_ends.html."""

from dataclasses import dataclass

from webapp.games.game_record import GameRecord
from webapp.games.players import Players, SeatView
from webapp.games.states import FAULTS, EndReason, Result, Status


@dataclass(frozen=True)
class Ending:
    reason: EndReason | None
    is_aborted: bool
    result: Result | None  # of the viewer; a spectator has none
    winner: SeatView | None
    loser: SeatView | None
    left: SeatView  # where one side let the game lie on its own turn: this one
    stayed: SeatView
    line_name: str | None
    cause: str | None  # in words, where a program did not lose on the board

    @property
    def fault(self) -> str | None:
        return FAULTS.get(self.reason) if self.reason else None


def ending_of(game: GameRecord, players: Players) -> Ending:
    winner, left, outcome = game.winner, game.position.to_move, game.position.outcome
    counts = game.status == Status.FINISHED and players.my_mark is not None
    return Ending(
        reason=game.reason,
        is_aborted=game.status == Status.ABORTED,
        result=Result.of(players.my_mark, winner) if counts and players.my_mark else None,
        winner=players.seat_of(winner) if winner else None,
        loser=players.seat_of(winner.other) if winner else None,
        left=players.seat_of(left),
        stayed=players.seat_of(left.other),
        line_name=game.board.line_name(outcome.line) if outcome and outcome.line else None,
        cause=game.cause,
    )
