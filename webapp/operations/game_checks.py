"""What must hold within one game, told from its rows alone. Knows the rules, not the database."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

from webapp.games.verdicts import JudgedSides, judged_sides
from webapp.operations.broken import Broken
from webapp.tictactoe import Board, GameAlreadyOver, Mark, Position, Refused, is_proven_draw, mover

Row = Mapping[str, Any]
_board = cache(Board)  # a board works out its lines once

FINISHED, ABORTED, VOID = "finished", "aborted", "void"
NOT_OVER = ("open", "playing")
NEVER_PLAYED = ("open", "withdrawn", "declined")
# How a game may end before its board does, and whether somebody wins by it.
ENDS_WITHOUT_THE_BOARD = (
    ("resigned", True),
    ("agreed", False),
    ("claimed", True),
    ("claimed", False),
    ("abandoned", True),
    ("illegal", True),
    ("exception", True),
    ("too slow", True),
    ("gone", True),
)


@dataclass(frozen=True)
class WholeGame:
    row: Row
    agents: Collection[int]  # the users that are programs
    seats: list[Row]
    moves: list[Row]
    mistakes: list[Row]
    taken_back: list[Row]  # by the version on which that was asked for, then by ply

    @property
    def name(self) -> str:
        return str(self.row["public_id"])

    @property
    def is_over(self) -> bool:
        return self.row["status"] not in NOT_OVER

    @property
    def board(self) -> Board:
        return _board(self.row["rows"], self.row["columns"], self.row["in_a_row"])

    @cached_property
    def judged_sides(self) -> JudgedSides:
        """What it teaches, told from its moves: nothing unless it is finished and can be replayed."""
        cells = [move["cell"] for move in self.moves]
        try:
            return judged_sides(self.board, cells, self.opening_plies) if self.row["status"] == FINISHED else {}
        except Refused:
            return {}

    @property
    def opening_plies(self) -> int:
        """The first moves that are the server's; a backup of an older version has none."""
        return int(self.row.get("opening_plies", 0))

    def seat(self, mark: str) -> Row:
        return next((seat for seat in self.seats if seat["mark"] == mark), {})

    def result(self, mark: str) -> str | None:
        """What the game's end means for this mark."""
        if self.row["status"] != FINISHED:
            return VOID if self.row["status"] == ABORTED else None
        return "drawn" if self.row["winner"] is None else "won" if self.row["winner"] == mark else "lost"


def broken_in_game(game: WholeGame) -> Iterator[Broken]:
    for promise, sentences in (
        ("I2", _repeated(game, "ply")),
        ("I3", _repeated(game, "cell")),
        ("I4", _gaps(game)),
        ("I5", _strange_movers(game)),
        ("I6", _strange_take_backs(game)),
        ("I8", _strange_results(game)),
        ("I13", _missing_answer(game)),
        ("I14", _perfect_losses(game)),
        ("I15", _strange_seats(game)),
        ("I18", _strange_end(game)),
        ("I32", _strange_turn(game)),
    ):
        yield from (Broken(promise, f"game {game.name} {sentence}") for sentence in sentences)
    yield from _broken_replay(game)


def waits_for_the_deleted(game: WholeGame, deleted: set[int]) -> Iterator[Broken]:
    """A game against the computer may stay behind until the deletion of its player comes to it: nobody waits there."""
    is_between_people = all(seat["level"] is None for seat in game.seats)
    people = {game.row.get("opened_by"), game.row.get("challenged_id"), *(seat["user_id"] for seat in game.seats)}
    if is_between_people and not game.is_over and people & deleted:
        yield Broken("I33", f"game {game.name} is {game.row['status']}, and one of its two players is deleted")


def _repeated(game: WholeGame, column: str) -> Iterator[str]:
    counts = Counter(move[column] for move in game.moves)
    yield from (f"has {count} moves for {column} {value}" for value, count in counts.items() if count > 1)


def _gaps(game: WholeGame) -> Iterator[str]:
    plies = sorted({move["ply"] for move in game.moves})
    if plies != list(range(len(plies))):
        yield f"has the plies {', '.join(map(str, plies))}"


def _strange_movers(game: WholeGame) -> Iterator[str]:
    """The computer's moves carry what its search did, and no person's do; an agent may tell what it did.

    An opening is the server's.
    """
    for move in [*game.moves[game.opening_plies :], *game.taken_back]:
        seat = game.seat(mover(move["ply"]))
        is_computers, tells = seat.get("level") is not None, move["nodes"] is not None
        if seat and is_computers != tells and (is_computers or seat["user_id"] not in game.agents):
            yield f"has at ply {move['ply']} a move that {mover(move['ply'])} did not make"


def is_computers_turn(game: WholeGame) -> bool:
    return not game.is_over and bool(game.seat(mover(len(game.moves))).get("level"))


def _missing_answer(game: WholeGame) -> Iterator[str]:
    if is_computers_turn(game):
        yield f"waits for the computer after {len(game.moves)} moves"


def _perfect_losses(game: WholeGame) -> Iterator[str]:
    """From an opening that the server chose it may, and on a board that is not known to be a draw."""
    for seat in () if game.opening_plies else game.seats:
        is_lost = seat["level"] == "perfect" and "lost" in (seat["result"], game.result(seat["mark"]))
        if is_lost and _is_on_a_drawn_board(game):
            yield "was lost by the perfect level"


def _is_on_a_drawn_board(game: WholeGame) -> bool:
    try:
        return is_proven_draw(game.board)
    except Refused:  # told by the replay
        return False


def _strange_seats(game: WholeGame) -> Iterator[str]:
    marks = [seat["mark"] for seat in game.seats]
    if marks != ([] if game.row["status"] in NEVER_PLAYED else [Mark.O, Mark.X]):
        yield f"is {game.row['status']} and has the seats {', '.join(marks) or 'of nobody'}"
    users = [seat["user_id"] for seat in game.seats if seat["user_id"] is not None]
    if len(set(users)) < len(users):
        yield f"has user {users[0]} in both seats"


def _strange_end(game: WholeGame) -> Iterator[str]:
    if game.is_over != (game.row["ended_at"] is not None):
        yield f"is {game.row['status']} and ended at {game.row['ended_at']}"
    if game.is_over and game.row.get("due_at") is not None:
        yield "is over, and a deadline would end it once more"


def _strange_turn(game: WholeGame) -> Iterator[str]:
    """Who is waited for, beside what the seats and moves tell."""
    told = game.row.get("to_move_id"), game.row.get("called_id")
    if "to_move_id" in game.row and told != (known := _waited_for(game)):
        yield f"waits for the users {told}, not {known}"


def _waited_for(game: WholeGame) -> tuple[int | None, int | None]:
    """Who is to move, and who is called to the board."""
    if game.row["status"] == "open":
        return None, game.row["challenged_id"]
    if game.is_over or any(seat["level"] for seat in game.seats):
        return None, None
    to_move, opener = game.seat(mover(len(game.moves))).get("user_id"), game.row["opened_by"]
    return to_move, opener if not game.moves and opener != to_move else None


def _strange_take_backs(game: WholeGame) -> Iterator[str]:
    """Each took back a move and the computer's answer from the end of a board that play had reached."""
    if game.taken_back and not game.row["coached"]:
        yield "has moves taken back, but was played without the coach"
    if game.row.get("coached") and not any(seat["level"] for seat in game.seats):
        yield "was played with the coach, but between people"
    later = {move["ply"]: move for move in game.moves}  # what stood on each ply after the take-back
    for version, rows in groupby(reversed(game.taken_back), key=itemgetter("version")):
        taken = sorted(rows, key=itemgetter("ply"))
        first = taken[0]["ply"]
        before = [later[ply] for ply in range(first) if ply in later]
        is_pair = [move["ply"] for move in taken] == [first, first + 1] and version < game.row["version"]
        if not is_pair or len(before) < first or not _can_go_on(game, [*before, *taken]):
            yield f"cannot have been played as it was taken back at version {version}"
        later |= {move["ply"]: move for move in taken}


def _can_go_on(game: WholeGame, moves: Sequence[Row]) -> bool:
    try:
        return not _replayed(game, moves).is_over
    except Refused:
        return False


def _replayed(game: WholeGame, moves: Sequence[Row]) -> Position:
    position = Position.start(game.board)
    for move in moves:
        position = position.play(move["cell"])
    return position


def _broken_replay(game: WholeGame) -> Iterator[Broken]:
    """Moments are not compared: clocks are set back, and two machines have two of them."""
    name = f"game {game.name}"
    try:
        position = _replayed(game, game.moves)
    except GameAlreadyOver:
        yield Broken("I7", f"{name} has moves after its last line or on a full board")
    except Refused as refused:
        yield Broken("I6", f"{name} cannot be replayed ({str(refused).rstrip('.')})")
    else:
        yield from (Broken("I8", f"{name} {sentence}") for sentence in _strange_status(game, position))


def _strange_status(game: WholeGame, position: Position) -> Iterator[str]:
    status, winner, reason = (game.row[column] for column in ("status", "winner", "reason"))
    told, outcome = f"is {status} with winner {winner} and reason {reason}", position.outcome
    if outcome is not None:
        if (status, winner, reason) != (FINISHED, outcome.winner, "line" if outcome.winner else "full"):
            yield f"{told}, but {outcome}"
    elif status == FINISHED:
        if (reason, winner is not None) not in ENDS_WITHOUT_THE_BOARD:
            yield f"{told}, which is no end of a game"
    elif winner is not None or (reason is not None and not game.is_over):
        yield told
    if game.moves and status in NEVER_PLAYED:
        yield f"is {status}, but has moves"


def _strange_results(game: WholeGame) -> Iterator[str]:
    for seat in game.seats:
        if seat["result"] is None and game.row["status"] == ABORTED:
            continue  # a backup from before cancelled games had a result
        if seat["result"] != game.result(seat["mark"]):
            yield f"has {seat['result']} as the result of {seat['mark']}, not {game.result(seat['mark'])}"
        elif seat["result"] and "opponent_id" in seat:
            other = game.seat(Mark(seat["mark"]).other)
            if (seat["opponent_id"], seat["opponent_level"]) != (other.get("user_id"), other.get("level")):
                yield f"tells another opponent of {seat['mark']} than the one who held the other mark"
            if bool(seat.get("coached", game.row.get("coached"))) != bool(game.row.get("coached")):
                yield f"tells of {seat['mark']} otherwise than of the game whether it was with the coach"
