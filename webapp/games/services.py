"""What players do in games: start one against the computer, move, resign. Knows no Flask request."""

import secrets
import time
from collections.abc import Callable
from dataclasses import asdict
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.clock import now
from webapp.database import added_id, writing
from webapp.errors import BadRequest, NotThere
from webapp.games.changes import Change, End, change_game
from webapp.games.deadlines import next_deadline
from webapp.games.game_record import GameRecord
from webapp.games.models import Game, Seat
from webapp.games.move_rows import MoveRow, add_moves
from webapp.games.permissions import check_coach, check_level, may_have_coach
from webapp.games.queries import game_seen_by
from webapp.games.refusals import BoardMovedOn, GameIsOver, NotYourGame, NotYourTurn
from webapp.games.states import EndReason, Status, Visibility
from webapp.games.unfinished import Against, check_unfinished
from webapp.measured import measured
from webapp.tictactoe import (
    ALL_LEVELS,
    STANDARD,
    Board,
    CellOffBoard,
    CellTaken,
    Mark,
    Position,
    can_count_tree,
    mover,
)


class Searched(NamedTuple):
    """What a program says that it searched for a move."""

    nodes: int | None = None
    microseconds: int | None = None


NOT_TOLD = Searched()


def start_against_computer(
    user_id: int, level: str, wished: Mark | None, cell: int | None, random: Random, public_id: str,
    board: Board = STANDARD, coached: bool = False,
) -> str:  # fmt: skip
    """A new game against the computer, with the first moves made: the human's cell, or the computer's start.

    The page that asks chose the public id, so that two clicks on one page begin one game.
    """
    check_level(user_id, level)
    if coached:
        _check_coached(user_id, board)
    mark = wished or random.choice([Mark.X, Mark.O])
    moves = _first_moves(board, mark, cell, level, random)

    def start(candidate: str) -> str:
        with writing() as connection:
            if not lock_users(connection, {user_id}):
                raise NotThere("You are no longer logged in, so nothing was started. Reload the page and press again.")
            if connection.scalar(select(Game.id).where(Game.public_id == candidate)) is not None:
                if _is_same_start(user_id, candidate, level, wished, cell, coached):
                    return candidate
                candidate = new_public_id()
            check_unfinished(connection, user_id, Against.COMPUTER)
            _add_game(connection, board, candidate, user_id, mark, level, moves, coached)
            return candidate

    try:
        return start(public_id)
    except IntegrityError:  # Somebody else's form chose the same id at this moment.
        return start(new_public_id())


def _check_coached(user_id: int, board: Board) -> None:
    check_coach(user_id)
    if not can_count_tree(Position.start(board)):
        raise BadRequest("The coach cannot search a board of this size. Play without the coach.")


def _first_moves(board: Board, mark: Mark, cell: int | None, level: str, random: Random) -> list[MoveRow]:
    """Searched for without the lock. A cell counts only for who begins."""
    position, moves = Position.start(board), []
    if cell is not None and mark == Mark.X:
        position = _play(position, cell)
        moves.append(move_row(0, cell))
    if position.to_move != mark:
        moves += answer_of(position, level, random, ply=len(moves))
    return moves


def _add_game(
    connection: Connection, board: Board, public_id: str, user_id: int, mark: Mark, level: str, moves: list[MoveRow],
    coached: bool,
) -> None:  # fmt: skip
    values = {"public_id": public_id, "visibility": Visibility.PRIVATE, "version": len(moves), "coached": coached}
    game_id = added_id(connection, insert(Game).values(values | asdict(board)))
    mine = {"game_id": game_id, "mark": mark, "user_id": user_id, "level": None, "coached": coached}
    its = {"game_id": game_id, "mark": mark.other, "user_id": None, "level": level, "coached": coached}
    connection.execute(insert(Seat), [mine, its])
    add_moves(connection, game_id, moves)


def check_first_cell(cell: int | None, board: Board = STANDARD) -> None:
    """Said before anything is made: a form that cannot be played makes no guest either."""
    if cell is not None:
        _play(Position.start(board), cell)


def _is_same_start(
    user_id: int, public_id: str, level: str, wished: Mark | None, cell: int | None, coached: bool
) -> bool:
    try:
        game = game_seen_by(user_id, public_id)
    except NotThere:
        return False
    mark = game.mark_of(user_id)
    opponent = game.holders[mark.other] if mark else None
    if opponent is None or (opponent.level, game.coached) != (level, coached) or wished not in (mark, None):
        return False
    return cell is None or mark != Mark.X or [move.cell for move in game.moves[:1]] == [cell]


def new_public_id() -> str:
    """Begins with a letter or digit: an id that begins with - would look like a formula or an option to others."""
    while not (public_id := secrets.token_urlsafe(9))[0].isalnum():
        pass
    return public_id


def play_move(
    user_id: int, public_id: str, cell: int, ply: int, random: Random,
    *, knows_offer: bool = True, version: int | None = None, searched: Searched = NOT_TOLD,
    within: Callable[[Connection], None] | None = None,
) -> None:  # fmt: skip
    """Play the cell and, against the computer, write its answer with it.

    A move declines an open offer of a draw, but only if the one who moves knows of it. Where moves can be taken back
    the ply does not tell which board the move was made on, so the page names the version of the game too. A program
    may tell what it `searched`. What is written `within` stands if the move does.
    """
    change_game(user_id, public_id, decide_move, cell, ply, random, knows_offer, version, searched, within)


def decide_move(
    game: GameRecord, user_id: int, cell: int, ply: int, random: Random,
    knows_offer: bool = True, version: int | None = None, searched: Searched = NOT_TOLD,
    within: Callable[[Connection], None] | None = None,
) -> Change | None:  # fmt: skip
    mark = seat_of(game, user_id)
    if ply < len(game.moves) and game.moves[ply].cell == cell and mover(ply) == mark:
        return None  # The same post once more: what it asks for is done already.
    _check_turn(game, mark, ply, version)
    if not knows_offer:
        _check_no_offer(game, mark)
    position, moves = _play(game.position, cell), [move_row(ply, cell, *searched)]
    level = game.holders[position.to_move].level
    if level and position.outcome is None:
        moves += answer_of(position, level, luck(game.seed, ply + 1, random), ply + 1)
        position = position.play(moves[-1]["cell"])
    further: dict[str, Any] = {"draw_is_open": False} if not level else {}
    if not level and not game.arranged:
        further["due_at"] = next_deadline(len(game.moves) + 1)
    return Change(moves, _end_at(position), further, within=within)


def seat_of(game: GameRecord, user_id: int) -> Mark:
    """The mark that this user plays in the game; whoever only watches is told so."""
    mark = game.mark_of(user_id)
    if mark is None:
        if game.status == Status.OPEN:
            raise NotYourGame("Nobody has joined this game yet. Wait until somebody joins.")
        raise NotYourGame("You are watching this game, so you cannot do that.")
    return mark


def _check_turn(game: GameRecord, mark: Mark, ply: int, version: int | None) -> None:
    if game.is_over:
        raise GameIsOver("This game is over, so your move was not played. Start another one.")
    if ply != len(game.moves) or version not in (None, game.version):
        raise BoardMovedOn("Your page showed an older board, so your move was not played. Here is the current one.")
    if game.position.to_move != mark:
        raise NotYourTurn("It is not your turn, so your move was not played.")


def _check_no_offer(game: GameRecord, mark: Mark) -> None:
    if game.draw_is_open and game.draw_offered_by == mark.other:
        name = game.holders[mark.other].name
        raise BoardMovedOn(
            f"{name} has just offered a draw, so your move was not played. "
            "Accept the draw, or move again to decline it."
        )


def _play(position: Position, cell: int) -> Position:
    try:
        return position.play(cell)
    except CellOffBoard:
        raise BadRequest("There is no such cell on this board, so nothing was played.") from None
    except CellTaken:
        raise BoardMovedOn("That cell is taken, so your move was not played. Choose a free one.") from None


def answer_of(position: Position, level: str, random: Random, ply: int) -> list[MoveRow]:
    """The computer's move, searched for now; what the search did is kept with it."""
    started = time.perf_counter_ns()
    answer = ALL_LEVELS[level].choose(position, random)
    microseconds = (time.perf_counter_ns() - started) // 1000
    measured().search(level, microseconds / 1e6)
    return [move_row(ply, answer.cell, answer.nodes, microseconds)]


def luck(seed: int | None, ply: int, random: Random) -> Random:
    """What chance decides at this ply; with a seed it is the same however often it is asked, on every machine."""
    return random if seed is None else Random(f"{seed} {ply}")  # noqa: S311 - it chooses cells


def move_row(ply: int, cell: int, nodes: int | None = None, microseconds: int | None = None) -> MoveRow:
    return {"ply": ply, "cell": cell, "made_at": now(), "nodes": nodes, "microseconds": microseconds}


def _end_at(position: Position) -> End | None:
    outcome = position.outcome
    return None if outcome is None else End(EndReason(outcome.reason), outcome.winner)


def resign(user_id: int, public_id: str, cause: str | None = None) -> None:
    """A program that cannot go on tells its `cause`."""
    change_game(user_id, public_id, decide_resignation, cause)


def decide_resignation(game: GameRecord, user_id: int, cause: str | None = None) -> Change | None:
    mark = seat_of(game, user_id)
    if game.is_over:
        if game.reason == EndReason.RESIGNED and game.winner == mark.other:
            return None
        raise GameIsOver("This game was over before you resigned. Its result does not change.")
    return Change(end=End(EndReason.RESIGNED, mark.other), values={"cause": cause} if cause else {})


def play_again(user_id: int, game: GameRecord, random: Random, next_public_id: str) -> str:
    """A new game against the same level with the marks swapped, and with the coach again unless it is closed now."""
    mark = seat_of(game, user_id)
    level = game.holders[mark.other].level
    if level is None or not game.is_over or game.arranged:
        raise BadRequest("You can play again when this game against the computer is over.")
    coached = game.coached and may_have_coach(user_id)
    return start_against_computer(user_id, level, mark.other, None, random, next_public_id, game.board, coached)
