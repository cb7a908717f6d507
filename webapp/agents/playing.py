"""What an agent does: answer, be given the next job, begin a game, resign. Knows no Flask request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from sqlalchemy import Connection

from webapp.accounts.queries import account_named
from webapp.agents import terms
from webapp.agents.bodies import MOST_CLAIMED, Answer, NewGame
from webapp.agents.queries import job_of
from webapp.agents.refusals import IllegalCell
from webapp.agents.terms import AgentFault
from webapp.errors import NotThere, Refusal
from webapp.games import meeting, services
from webapp.games.game_record import GameRecord
from webapp.games.queries import game_seen_by
from webapp.games.services import Searched, new_public_id
from webapp.games.states import Status, Visibility
from webapp.tictactoe import LEVELS, Mark, mover

TRIES = 3  # for a job that ends between two looks at it


class Accepted(Enum):
    NEW = "played now"
    AGAIN = "played before"
    NO = "not played"


def play_answer(user_id: int, answer: Answer, random: Random, within: Callable[[Connection], None]) -> Accepted:
    """Whether the move stands, and with it what is written `within` its unit. An answer that comes too late or for
    another board changes nothing; one that no rule allows is refused, and costs the game where its terms say so.
    """
    try:
        game = game_seen_by(user_id, answer.game)
    except NotThere:
        return Accepted.NO
    mark = game.mark_of(user_id)
    if mark is not None and _is_played(game, mark, answer):
        return Accepted.AGAIN
    if mark is None or not is_turn(game, mark) or answer.ply != len(game.moves):
        return Accepted.NO
    if answer.cell not in game.position.legal_cells:
        raise _illegal(game, user_id, answer.cell)
    return _play(game, user_id, answer, random, within)


def _play(
    game: GameRecord, user_id: int, answer: Answer, random: Random, within: Callable[[Connection], None]
) -> Accepted:
    searched = Searched(_bounded(answer.nodes), _bounded(answer.microseconds))
    try:
        terms.before_move(game, user_id)
        asked = (user_id, game.public_id, answer.cell, answer.ply, random)
        services.play_move(*asked, searched=searched, within=within)
    except Refusal:  # the game has ended, or another copy has moved, since it was read
        return Accepted.NO
    return Accepted.NEW


def is_turn(game: GameRecord, mark: Mark) -> bool:
    return game.status == Status.PLAYING and game.position.to_move == mark


def _is_played(game: GameRecord, mark: Mark, answer: Answer) -> bool:
    is_there = answer.ply < len(game.moves) and mover(answer.ply) == mark
    return is_there and game.moves[answer.ply].cell == answer.cell


def _illegal(game: GameRecord, user_id: int, cell: int) -> IllegalCell:
    legal = ", ".join(str(one) for one in game.position.legal_cells)
    is_on_board = 0 <= cell < game.board.rows * game.board.columns
    cause = f"there is no cell {cell}"
    if is_on_board:
        name, mark = game.board.cell_name(cell), game.position.mark_at(cell)
        cause = f"it answered cell {cell} ({name}), but there is an {mark} in it already"
    if terms.costs_the_game(game, user_id, AgentFault.ILLEGAL, cause):
        return IllegalCell(f"An illegal move: {cause}. It costs this game.")
    return IllegalCell(f"An illegal move: {cause}. Nothing was played. Legal are {legal}.")


def _bounded(claim: int | None) -> int | None:
    return None if claim is None else min(claim, MOST_CLAIMED)


@dataclass(frozen=True)
class Job:
    """A position in which the agent is to move."""

    game: str
    ply: int
    board: dict[str, int]
    position: str
    moves: Sequence[int]
    mark: Mark
    legal: Sequence[int]
    seconds: int | None  # left for this move; None if no clock runs


def next_job(user_id: int) -> Job | None:
    """The same one until it is answered. If there is none, perhaps a game can begin in which it is to move."""
    while (job := _waiting_job(user_id)) is None and terms.begin_game(user_id):
        pass
    return job


def _waiting_job(user_id: int) -> Job | None:
    for _ in range(TRIES):
        if (public_id := job_of(user_id)) is None:
            break
        game = game_seen_by(user_id, public_id)
        mark = game.mark_of(user_id)
        if mark is not None and is_turn(game, mark):
            return job_in(game, mark, terms.hand_out(game, user_id))
    return None


def job_in(game: GameRecord, mark: Mark, seconds: int | None) -> Job:
    board, position = game.board, game.position
    shape = {"rows": board.rows, "columns": board.columns, "in_a_row": board.in_a_row}
    moves = [move.cell for move in game.moves]
    legal = list(position.legal_cells)
    return Job(game.public_id, len(moves), shape, position.text, moves, mark, legal, seconds)


def start_game(user_id: int, wish: NewGame, random: Random) -> GameRecord:
    """Against a level, an agent, or a person: one of these has to accept before it begins."""
    if wish.opponent.lower() in LEVELS:
        level = wish.opponent.lower()
        public_id = services.start_against_computer(user_id, level, wish.mark.mark, None, random, new_public_id())
    else:
        opponent = account_named(wish.opponent)
        public_id = meeting.open_game(user_id, new_public_id(), wish.mark, Visibility.PUBLIC, opponent)
    return game_seen_by(user_id, public_id)


def resign(user_id: int, public_id: str, cause: str | None) -> GameRecord:
    """A cause is told by a program that cannot go on; where that is a fault, its terms say what it costs."""
    game = game_seen_by(user_id, public_id)
    is_mine = game.mark_of(user_id) is not None and game.status == Status.PLAYING
    if not (cause and is_mine and terms.costs_the_game(game, user_id, AgentFault.CRASHED, cause)):
        services.resign(user_id, public_id, cause)
    return game_seen_by(user_id, public_id)
