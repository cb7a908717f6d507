"""What holds for an agent's game beyond the rules: how long it has for a move, and what a fault costs.

In an ordinary game a slow answer costs nothing, and a wrong one is asked for again. A higher package whose games are
stricter hands its `Terms` to create_app; agents ask them all, and know none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from flask import current_app

from webapp.games.game_record import GameRecord

TERMS = "noughts_agent_terms"


class AgentFault(StrEnum):
    ILLEGAL = "illegal"
    CRASHED = "crashed"


@dataclass(frozen=True)
class Terms:
    """Of these only what the feature decides is given; each is asked about a game and the user id of the agent in it.

    `hand_out` is asked whenever the agent is given the game as a job, the same job again included, and writes nothing:
    the time runs from the start of the turn. It tells how many seconds are left; None if it is not a game
    of this feature.

    `before_move` is asked before a legal answer is played; it counts the time, and raises a refusal if there is no
    more: then the answer is not accepted. `fault` is told of an answer that is illegal, or that the program crashed,
    with a sentence; it ends the game where that costs the game, and says whether it did. `begin_game` is asked while an
    agent that is here has nothing to do: it begins a game for it if there is one to play, and says whether it did.
    """

    hand_out: Callable[[GameRecord, int], int | None] = lambda game, user_id: None
    before_move: Callable[[GameRecord, int], None] = lambda game, user_id: None
    fault: Callable[[GameRecord, int, AgentFault, str], bool] = lambda game, user_id, fault, sentence: False
    begin_game: Callable[[int], bool] = lambda user_id: False


def _all() -> list[Terms]:
    found: list[Terms] = current_app.extensions.get(TERMS, [])
    return found


def hand_out(game: GameRecord, user_id: int) -> int | None:
    """None if no clock runs."""
    told = (one.hand_out(game, user_id) for one in _all())
    return next((seconds for seconds in told if seconds is not None), None)


def before_move(game: GameRecord, user_id: int) -> None:
    for one in _all():
        one.before_move(game, user_id)


def costs_the_game(game: GameRecord, user_id: int, fault: AgentFault, sentence: str) -> bool:
    """Tell of a fault; whether the game has ended by it."""
    return any(one.fault(game, user_id, fault, sentence) for one in _all())


def begin_game(user_id: int) -> bool:
    return any(one.begin_game(user_id) for one in _all())
