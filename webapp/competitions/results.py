"""What the end of a game writes into its pairing, within the unit that ends the game."""

from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from webapp.accounts.models import Presence
from webapp.clock import now
from webapp.competitions.agent_clock import note_answer
from webapp.competitions.models import CompetitionEntry, Pairing
from webapp.competitions.states import Fault, PairingState, Score
from webapp.games.announcing import EndedGame
from webapp.games.states import FAULTS, EndReason, Result
from webapp.prepared import Prepared
from webapp.tictactoe import Mark, mover

GAVE_UP = (*FAULTS, EndReason.RESIGNED)  # who lost so thought about this game until now
_PAIRING = Prepared(
    select(Pairing.id, Pairing.x_entry_id, Pairing.o_entry_id, Pairing.opening, Pairing.started_at)
    .where(Pairing.game_id == bindparam("game_id"), Pairing.state == PairingState.PLAYING)
)  # fmt: skip


def record_end(connection: Connection, game: EndedGame) -> None:
    """A game that nobody arranged costs nothing here."""
    if not game.arranged:
        return
    for pairing in _PAIRING.rows(connection, game_id=game.id):
        values = _finished(game) if game.is_finished else _not_finished(connection, pairing, game)
        connection.execute(update(Pairing).where(Pairing.id == pairing.id).values(ended_at=now(), **values))
        for seat in game.seats if game.reason in GAVE_UP else ():
            if seat.result is Result.LOST:
                note_answer(connection, seat.user_id)


def _finished(game: EndedGame) -> dict[str, Any]:
    """A program that made a mistake other than on the board has lost the game by it, and the pairing says how."""
    score = Score(game.winner.value) if game.winner else Score.DRAWN
    if game.reason not in FAULTS:
        return {"state": PairingState.FINISHED, "score": score}
    fault = {"fault": Fault(game.reason.value), "fault_words": game.cause or ""}
    return {"state": PairingState.FORFEITED, "score": score, **fault}


def _not_finished(connection: Connection, pairing: Any, game: EndedGame) -> dict[str, Any]:
    """Not both came to the board in time; or an instructor has ended the competition."""
    if game.reason is not EndReason.NO_MOVE:
        return {"state": PairingState.CANCELLED}
    first = mover(len(pairing.opening.split()))
    if game.moves_made:
        score = Score(first.value)
    else:
        other = first.other
        score = Score(other.value) if _was_here(connection, pairing, other) else Score.BOTH_LOST
    return {"state": PairingState.FORFEITED, "score": score, "fault": Fault.ABSENT}


def _was_here(connection: Connection, pairing: Any, mark: Mark) -> bool:
    """Whoever was on the site since the round began, and only had to wait for the other's first move."""
    entry_id = pairing.x_entry_id if mark == Mark.X else pairing.o_entry_id
    seen = select(Presence.seen_at).join(CompetitionEntry, CompetitionEntry.user_id == Presence.user_id)
    seen_at = connection.scalar(seen.where(CompetitionEntry.id == entry_id))
    return seen_at is not None and seen_at >= pairing.started_at
