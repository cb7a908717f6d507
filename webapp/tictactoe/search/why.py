"""Why a search leaves a position."""

from enum import StrEnum

from ..position import Position


class Why(StrEnum):
    """Why a search had seen enough of a position."""

    ALL_MOVES = "all its moves were looked at"
    CUT = "the opponent already has something at least as good elsewhere"
    NO_GAIN = "the best that can still come is no better than what there is elsewhere"
    BEST_FOUND = "the best that can come has been found"
    TABLE = "it was met before"
    LINE = "the game is over: a line is complete"
    FULL_BOARD = "the game is over: the board is full"
    WIN_AT_HAND = "the side to move completes a line"
    TWO_THREATS = "the side to move cannot answer two threats"
    HORIZON = "the horizon is reached: the value is a guess"


def why_cut(alpha: float, beta: float, value: float) -> Why:
    return Why.CUT if value >= beta else Why.NO_GAIN if value <= alpha else Why.BEST_FOUND


def why_leaf(position: Position) -> Why:
    if outcome := position.outcome:
        return Why.FULL_BOARD if outcome.is_draw else Why.LINE
    if position.wins:
        return Why.WIN_AT_HAND
    return Why.TWO_THREATS if position.threats.bit_count() > 1 else Why.HORIZON
