"""What holds for agents in games of a competition: the time that they have, and that a fault loses the game."""

from webapp.agents.terms import AgentFault, Terms
from webapp.clock import now
from webapp.competitions.agent_clock import Clock, clock_of, lost, note_ordinary_answer, too_slow
from webapp.competitions.agent_games import begin_game
from webapp.database import reading
from webapp.games.changes import Change, change_game
from webapp.games.game_record import GameRecord
from webapp.games.refusals import GameIsOver
from webapp.games.states import EndReason

NEARLY_ALL = 0.8  # of the time: a program that its client stopped then was too slow
REASONS = {AgentFault.ILLEGAL: EndReason.ILLEGAL, AgentFault.CRASHED: EndReason.EXCEPTION}


def _clock(game: GameRecord) -> Clock | None:
    if not game.arranged:
        return None
    with reading() as connection:
        return clock_of(game, connection)


def seconds_left(game: GameRecord, user_id: int) -> int | None:
    clock = _clock(game)
    return None if clock is None else max(1, int((clock.ends_at - now()).total_seconds()))


def check_time(game: GameRecord, user_id: int) -> None:
    clock = _clock(game)
    if clock is None:
        note_ordinary_answer(game, user_id)
    elif clock.is_over:
        _lose(game, user_id, EndReason.TOO_SLOW, too_slow(clock))
        raise GameIsOver("The time for this game was over.")


def lose_by_fault(game: GameRecord, user_id: int, fault: AgentFault, sentence: str) -> bool:
    clock = _clock(game)
    if clock is None:
        return False
    is_its_turn = clock.mark == game.mark_of(user_id)
    is_late = fault is AgentFault.CRASHED and is_its_turn and clock.thought / 1e6 > NEARLY_ALL * clock.left
    _lose(game, user_id, EndReason.TOO_SLOW if is_late else REASONS[fault], sentence)
    return True


def _lose(game: GameRecord, user_id: int, reason: EndReason, cause: str) -> None:
    change_game(user_id, game.public_id, _decide_by_clock, reason, cause)


def _decide_by_clock(game: GameRecord, user_id: int, reason: EndReason, cause: str) -> Change | None:
    return decide_loss(game, user_id, _clock(game), reason, cause)


def decide_loss(game: GameRecord, user_id: int, clock: Clock | None, reason: EndReason, cause: str) -> Change | None:
    """Knows no database; the clock is that of the side to move, if one runs."""
    mark = game.mark_of(user_id)
    return None if game.is_over or mark is None else lost(mark, clock, reason, cause)


TERMS = Terms(seconds_left, check_time, lose_by_fault, begin_game)
