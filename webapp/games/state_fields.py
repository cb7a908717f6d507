"""A game as a program is told it: for the script of its page, and for agents."""

from typing import Any

from webapp.accounts.presence import is_here
from webapp.games.agreements import can_claim
from webapp.games.game_record import GameRecord


def state_of(game: GameRecord) -> dict[str, Any]:
    return {
        "version": game.version,
        "coached": game.coached,
        "status": game.status,
        "board": game.position.text,
        "moves": [move.cell for move in game.moves],
        "to_move": None if game.is_over else game.position.to_move,
        "winner": game.winner,
        "reason": game.reason,
        "draw_offered_by": game.draw_offered_by if game.draw_is_open else None,
        "due_at": game.due_at.isoformat() if game.due_at else None,
        "rematch": game.rematch,
        "rematch_status": game.rematch_status,
        "present": {mark: is_here(holder.seen_at) for mark, holder in game.holders.items() if holder.user_id},
        "can_be_claimed": any(can_claim(game, mark) for mark in game.holders),
    }
