"""What players do in games. Knows no Flask request; each function is one unit of work.

A unit reads and searches first, without the write lock, and then writes with `WHERE version = ?`. If somebody
else was quicker, no row changes, and the whole is read again and decided afresh.
"""

import secrets
import time
from random import Random
from typing import Any

from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import IntegrityError

from webapp.clock import now
from webapp.database import added_id, begin_writing, changed_rows
from webapp.errors import BadRequest, NotThere
from webapp.extensions import db
from webapp.games import tallies
from webapp.games.models import DRAWN, FINISHED, LOST, PLAYING, WON, Game, Move, Seat
from webapp.games.queries import GameRecord, game_seen_by
from webapp.games.refusals import BoardMovedOn, GameIsOver, NotYourTurn
from webapp.tictactoe import LEVELS, STANDARD, Board, CellOffBoard, CellTaken, Mark, Position

_END_OF_SEAT = update(Seat.__table__).where(  # type: ignore[arg-type]  # a mapped class's table is a Table
    Seat.game_id == bindparam("of_game"), Seat.mark == bindparam("of_mark")
)


class _SomebodyWasQuicker(Exception):
    """The version that we decided on is no longer the present one."""


def start_against_computer(
    user_id: int, level: str, mark: Mark, cell: int | None, random: Random, public_id: str
) -> str:
    """A new game against the computer, with the first moves made: the human's cell, or the computer's start.

    The page that asks chose the public id, so that two clicks on one page begin one game.
    """
    position, moves = Position.start(STANDARD), []
    if cell is not None:
        position = _play(position, cell)
        moves.append(_move_row(0, cell))
    if position.to_move != mark:
        moves += _answer(position, level, random, ply=len(moves))
    begin_writing()
    try:
        _add_game(public_id, STANDARD, {mark: {"user_id": user_id}, mark.other: {"level": level}}, moves)
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        if not _is_same_start(user_id, public_id, mark, cell):
            return start_against_computer(user_id, level, mark, cell, random, new_public_id())
    return public_id


def check_first_cell(mark: Mark, cell: int | None) -> None:
    """Said before anything is made: a form that cannot be played makes no guest either."""
    if cell is not None:
        if mark == Mark.O:
            raise BadRequest("The computer has X and begins, so you cannot choose the first cell.")
        _play(Position.start(STANDARD), cell)


def _is_same_start(user_id: int, public_id: str, mark: Mark, cell: int | None) -> bool:
    try:
        game = game_seen_by(user_id, public_id)
    except NotThere:
        return False
    return game.mark_of(user_id) == mark and (cell is None or game.moves[0].cell == cell)


def new_public_id() -> str:
    return secrets.token_urlsafe(9)


def _add_game(
    public_id: str, board: Board, holders: dict[Mark, dict[str, Any]], moves: list[dict[str, Any]]
) -> None:
    shape = {"rows": board.rows, "columns": board.columns, "in_a_row": board.in_a_row}
    values = {"public_id": public_id, "visibility": "private", "version": len(moves), **shape}
    game_id = added_id(insert(Game).values(values))
    none = {"game_id": game_id, "user_id": None, "level": None}
    seats = [none | {"mark": mark.value} | holder for mark, holder in holders.items()]
    db.session.execute(insert(Seat), seats)
    _add_moves(game_id, moves)


def play_move(user_id: int, public_id: str, cell: int, ply: int, random: Random) -> None:
    """Play the cell and, against the computer, write its answer with it."""
    while True:
        game = game_seen_by(user_id, public_id)
        db.session.rollback()
        mark = game.mark_of(user_id)
        if ply < len(game.moves) and game.moves[ply].cell == cell and _mover(game, ply) == mark:
            return None  # The same post once more: what it asks for is done already.
        _check_turn(game, mark, ply)
        position = _play(game.position, cell)
        moves = [_move_row(ply, cell)]
        level = game.holders[position.to_move].level
        if level and position.outcome is None:
            moves += _answer(position, level, random, ply + 1)
        try:
            return _write(game, moves, _end_after(game, moves))
        except _SomebodyWasQuicker:
            continue


def _mover(game: GameRecord, ply: int) -> Mark:
    """X begins, and the marks take turns."""
    return Mark.X if ply % 2 == 0 else Mark.O


def _check_turn(game: GameRecord, mark: Mark | None, ply: int) -> None:
    if game.is_over:
        raise GameIsOver("This game is over, so your move was not played. Start another one.")
    if ply != len(game.moves):
        raise BoardMovedOn("Your page showed an older board, so your move was not played. Here is the present one.")
    if game.position.to_move != mark:
        raise NotYourTurn("It is not your turn, so your move was not played.")


def _play(position: Position, cell: int) -> Position:
    try:
        return position.play(cell)
    except CellOffBoard:
        raise BadRequest("There is no such cell on this board, so nothing was played.") from None
    except CellTaken:
        raise BoardMovedOn("That cell is taken, so your move was not played. Choose a free one.") from None


def _answer(position: Position, level: str, random: Random, ply: int) -> list[dict[str, Any]]:
    """The computer's move, searched for now; what the search did is kept with it."""
    started = time.perf_counter_ns()
    answer = LEVELS[level].choose(position, random)
    microseconds = (time.perf_counter_ns() - started) // 1000
    return [_move_row(ply, answer.cell, answer.nodes, microseconds)]


def _move_row(ply: int, cell: int, nodes: int | None = None, microseconds: int | None = None) -> dict[str, Any]:
    return {"ply": ply, "cell": cell, "made_at": now(), "nodes": nodes, "microseconds": microseconds}


def _end_after(game: GameRecord, moves: list[dict[str, Any]]) -> tuple[Mark | None, str] | None:
    """Winner and reason if these moves end the game."""
    position = game.position
    for move in moves:
        position = position.play(move["cell"])
    outcome = position.outcome
    return None if outcome is None else (outcome.winner, "line" if outcome.winner else "full")


def _add_moves(game_id: int, moves: list[dict[str, Any]]) -> None:
    if moves:
        db.session.execute(insert(Move), [{"game_id": game_id, **move} for move in moves])


def _write(game: GameRecord, moves: list[dict[str, Any]], end: tuple[Mark | None, str] | None) -> None:
    """The one door through which a game changes: moves, and with them the end if there is one."""
    changes: dict[str, Any] = {"version": game.version + 1}
    if end is not None:
        winner, reason = end
        changes |= {"status": FINISHED, "winner": winner, "reason": reason, "ended_at": now()}
    begin_writing()
    this_version = (Game.id == game.id, Game.version == game.version, Game.status == PLAYING)
    if not changed_rows(update(Game).where(*this_version).values(changes)):
        db.session.rollback()
        raise _SomebodyWasQuicker
    _add_moves(game.id, moves)
    if end is not None:
        _write_results(game, end[0])
    db.session.commit()


def _write_results(game: GameRecord, winner: Mark | None) -> None:
    results = {mark: DRAWN if winner is None else WON if mark == winner else LOST for mark in game.holders}
    rows = [_seat_at_the_end(game, mark, result) for mark, result in results.items()]
    db.session.connection().execute(_END_OF_SEAT, rows)
    tallies.count(game.holders, results)


def _seat_at_the_end(game: GameRecord, mark: Mark, result: str) -> dict[str, Any]:
    opponent = game.holders[mark.other]
    copy = {"opponent_id": opponent.user_id, "opponent_level": opponent.level}
    return {"of_game": game.id, "of_mark": mark.value, "result": result, **copy}


def resign(user_id: int, public_id: str) -> None:
    while True:
        game = game_seen_by(user_id, public_id)
        db.session.rollback()
        mark = game.mark_of(user_id)
        assert mark is not None  # noqa: S101 - game_seen_by shows it to nobody else
        if game.is_over:
            if game.reason == "resigned" and game.winner == mark.other:
                return None
            raise GameIsOver("This game was over before you resigned; its result stands.")
        try:
            return _write(game, [], (mark.other, "resigned"))
        except _SomebodyWasQuicker:
            continue


def play_again(user_id: int, public_id: str, random: Random, new_id: str) -> str:
    """A new game against the same level with the marks swapped."""
    game = game_seen_by(user_id, public_id)
    db.session.rollback()
    mark = game.mark_of(user_id)
    assert mark is not None  # noqa: S101 - game_seen_by shows it to nobody else
    level = game.holders[mark.other].level
    if level is None or not game.is_over:
        raise BadRequest("You can play again when this game against the computer is over.")
    return start_against_computer(user_id, level, mark.other, None, random, new_id)
