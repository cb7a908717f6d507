"""The one place where a game is changed: moves, the end with its results and totals, and all else.

A change is decided on what was read, without the write lock, and written with `WHERE version = ?`. If somebody
else was quicker, no row changes, and it is read again and decided afresh.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Concatenate, ParamSpec

from sqlalchemy import Case, Connection, bindparam, case, insert, null, update

from webapp.accounts.locking import lock_users
from webapp.clock import now
from webapp.database import announce_change, writing
from webapp.games import tallies
from webapp.games.announcing import EndedGame, EndedSeat, after_arranged_game, announce_end, announce_move
from webapp.games.game_record import GameRecord
from webapp.games.models import Game, Mistake, Seat
from webapp.games.move_rows import MoveRow, add_moves, take_back
from webapp.games.queries import game_seen_by
from webapp.games.refusals import PlayerIsGone
from webapp.games.states import EndReason, Result, Status
from webapp.games.tallies import NOTHING_JUDGED
from webapp.games.unfinished import Against, check_unfinished
from webapp.games.verdicts import JudgedSides, judged_sides, mistake_row
from webapp.prepared import Prepared
from webapp.tictactoe import Mark, mover, moves_by

P = ParamSpec("P")


class SomebodyWasQuicker(Exception):
    """The version that we decided on is no longer the present one."""


@dataclass(frozen=True)
class End:
    """How a game ends. Only a finished one counts; one that was aborted or withdrawn counts nowhere."""

    reason: EndReason
    winner: Mark | None = None
    status: Status = Status.FINISHED


@dataclass(frozen=True)
class Change:
    moves: Sequence[MoveRow] = ()
    end: End | None = None
    values: Mapping[str, Any] = field(default_factory=dict)  # further columns of the game
    seats: Sequence[dict[str, Any]] = ()  # of a game that begins
    takes_back: int = 0  # so many of the last moves
    joined_by: int | None = None  # whose own open game is withdrawn, because a player waits in one place only
    within: Callable[[Connection], None] | None = None  # what else its unit writes


# What is asked for, by this user, of a game as it stands. None means that it is done already; a refusal is raised.
Decide = Callable[Concatenate[GameRecord, int, P], Change | None]


def change_game(user_id: int, public_id: str, decide: Decide[P], *asked: P.args, **named: P.kwargs) -> None:
    """Load the game as this user may see it, decide, write; if somebody else was quicker, all of it again."""
    while True:
        game = game_seen_by(user_id, public_id)
        change = decide(game, user_id, *asked, **named)
        if change is None:
            return None
        try:
            return write(game, change)
        except SomebodyWasQuicker:
            continue


@cache
def _update_game(names: tuple[str, ...]) -> Prepared:
    this_version = (Game.id == bindparam("game_id"), Game.version == bindparam("from_version"))
    return Prepared(update(Game).where(*this_version).values({name: bindparam(f"new_{name}") for name in names}))


_ADD_SEAT = Prepared(insert(Seat).values({name: bindparam(name) for name in ("game_id", "mark", "user_id", "level")}))
def _by_mark(name: str) -> Case[Any]:
    of_x, of_o = (bindparam(f"{name}_of_{mark}", type_=Seat.__table__.c[name].type) for mark in Mark)
    return case((Seat.mark == Mark.X, of_x), else_=of_o)


_END_SEATS = Prepared(
    update(Seat)
    .where(Seat.game_id == bindparam("of_game"))
    .values({name: _by_mark(name) for name in ("result", "opponent_id", "opponent_level", "decisions", "kept")})
)
_ADD_MISTAKE = Prepared(insert(Mistake).values({column.key: bindparam(column.key) for column in Mistake.__table__.c}))


def write(game: GameRecord, change: Change) -> None:
    judged = judged_sides_of(game, change)
    with writing() as connection:
        write_within(connection, game, change, lock_users(connection, people_in(game, change)), judged)
    if change.end and game.arranged:
        after_arranged_game(game.id)


def judged_sides_of(game: GameRecord, change: Change) -> JudgedSides:
    """What the game teaches each side, if the change ends it and it counts."""
    if change.end is None or change.end.status != Status.FINISHED:
        return {}
    cells = [move.cell for move in game.moves] + [move["cell"] for move in change.moves]
    return judged_sides(game.board, cells, game.opening_plies)


def people_in(game: GameRecord, change: Change) -> set[int]:
    """Who gets a seat or a result."""
    holders = game.holders.values() if change.end and change.end.status == Status.FINISHED else ()
    seated = [seat["user_id"] for seat in change.seats] + [holder.user_id for holder in holders]
    return {user_id for user_id in seated if user_id is not None}


def write_within(
    connection: Connection, game: GameRecord, change: Change, present: Collection[int], judged: JudgedSides
) -> None:
    """Write the change in a unit that has begun; of the people in it only those `present` are not deleted."""
    values = values_after(game, change)
    new_values = {f"new_{name}": value for name, value in values.items()}
    update_game = _update_game(tuple(values))
    if not update_game.run(connection, game_id=game.id, from_version=game.version, **new_values):
        raise SomebodyWasQuicker
    if change.seats:
        _seat(connection, game, change, present)
    if change.takes_back:
        take_back(connection, game, len(game.moves) - change.takes_back)
    add_moves(connection, game.id, change.moves)
    if game.arranged and change.moves:
        announce_move(connection, game, change.moves[0])
    if change.within:
        change.within(connection)
    if change.end is not None and game.holders:
        _write_results(connection, game, change.end, present, judged)
        _write_mistakes(connection, game, present, judged)
        if change.end.status == Status.FINISHED or game.arranged:
            announce_end(connection, _ended(game, change, values["ended_at"], present, judged))
    announce_change(connection)


def values_after(game: GameRecord, change: Change) -> dict[str, Any]:
    """The columns of the game's row that the change writes."""
    values = {"version": game.version + 1, **change.values, **_turn_after(game, change)}
    if end := change.end:
        values |= {"status": end.status, "winner": end.winner, "reason": end.reason}
        values |= {"ended_at": _end_of(game, change), "due_at": None, "draw_is_open": False}
    return values


def _seat(connection: Connection, game: GameRecord, change: Change, present: Collection[int]) -> None:
    if change.joined_by is not None:
        withdraw_open_game_of(connection, change.joined_by)
        check_unfinished(connection, change.joined_by, Against.PEOPLE)
    for seat in change.seats:
        if seat["user_id"] not in present:
            raise PlayerIsGone
        _ADD_SEAT.run(connection, game_id=game.id, **seat)


def _ended(
    game: GameRecord, change: Change, ended_at: datetime, present: Collection[int], judged: JudgedSides
) -> EndedGame:
    end = change.end
    assert end is not None  # noqa: S101 - else nobody asks
    plies = len(game.moves) + len(change.moves)
    seats = []
    for mark, holder in game.holders.items():
        if holder.user_id is not None and holder.user_id in present:
            other, side = game.holders[mark.other], judged.get(mark, NOTHING_JUDGED)
            result = _result(mark, end)
            learned = (side.decisions, side.kept, moves_by(mark, plies) - moves_by(mark, game.opening_plies))
            seats.append(EndedSeat(holder.user_id, other.user_id, other.level, result, *learned))
    is_finished, made = end.status == Status.FINISHED, plies - game.opening_plies
    how = (game.arranged, is_finished, end.reason, end.winner, made, change.values.get("cause"))
    return EndedGame(game.id, ended_at, game.coached, tuple(seats), *how)


def _end_of(game: GameRecord, change: Change) -> datetime:
    """Never before a move: the clock may have been set back since, and another machine may have another one."""
    made: list[datetime] = [move.made_at for move in game.moves] + [move["made_at"] for move in change.moves]
    return max([now(), *made])


def _turn_after(game: GameRecord, change: Change) -> dict[str, Any]:
    """Who is waited for, as the columns of the game tell it: nobody after its end, and only people."""
    if change.end is not None:
        return {"to_move_id": None, "called_id": None}
    players = {seat["mark"]: seat["user_id"] for seat in change.seats} or {
        mark: holder.user_id for mark, holder in game.holders.items()
    }
    if None in players.values() or not (change.moves or change.seats):
        return {}
    to_move = players[mover(len(game.moves) + len(change.moves))]
    opener = game.opener.id if game.opener and change.seats else to_move
    return {"to_move_id": to_move, "called_id": opener if opener != to_move else None, "turn_began_at": now()}


_WITHDRAW = Prepared(
    update(Game)
    .where(Game.opened_by == bindparam("user_id"), Game.status == Status.OPEN)
    .values(version=Game.version + 1, status=Status.WITHDRAWN, reason=EndReason.REPLACED,
            ended_at=bindparam("moment"), due_at=null(), rematch_of=null(), called_id=null())
)  # fmt: skip


def withdraw_open_game_of(connection: Connection, user_id: int) -> None:
    """Nobody is waited for any more in the game that this user has open."""
    _WITHDRAW.run(connection, user_id=user_id, moment=now())


def _write_results(
    connection: Connection, game: GameRecord, end: End, present: Collection[int], judged: JudgedSides
) -> None:
    results = {mark: _result(mark, end) for mark in game.holders}
    values: dict[str, Any] = {}
    for mark, result in results.items():
        other = game.holders[mark.other]
        row = {"result": result, "opponent_id": other.user_id, "opponent_level": other.level}
        side = judged.get(mark)
        row |= {"decisions": side and side.decisions, "kept": side and side.kept}
        values |= {f"{name}_of_{mark.value}": value for name, value in row.items()}
    _END_SEATS.run(connection, of_game=game.id, **values)
    if end.status == Status.FINISHED:
        tallies.count(connection, game, results, present, judged)


def _write_mistakes(
    connection: Connection, game: GameRecord, present: Collection[int], judged: JudgedSides
) -> None:
    """Of people who are present; the computer learns nothing from its own."""
    owners = {mark: holder.user_id for mark, holder in game.holders.items() if holder.user_id in present}
    mistakes = [(owners[mark], move) for mark in owners if mark in judged for move in judged[mark].mistakes]
    rows = [{"game_id": game.id, "user_id": user_id, **mistake_row(move)} for user_id, move in mistakes]
    _ADD_MISTAKE.run_all(connection, rows)


def _result(mark: Mark, end: End) -> Result:
    return Result.of(mark, end.winner) if end.status == Status.FINISHED else Result.VOID
