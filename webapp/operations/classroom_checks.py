"""The totals of classrooms beside a recount of the games that count for them. Knows no database."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from webapp.operations.broken import Broken
from webapp.operations.game_checks import WholeGame
from webapp.tictactoe import Mark, moves_by

RESULTS = ("won", "drawn", "lost")
SUMS = (*RESULTS, "decisions", "kept", "moves")
Row = Mapping[str, Any]
Key = tuple[Any, ...]  # the classroom, the user, the lesson, the day, and the kind of games


class ClassroomRecount:
    def __init__(self) -> None:
        self.sums: dict[Key, list[int]] = defaultdict(lambda: [0] * len(SUMS))

    def add(self, game: WholeGame, counted: Iterable[Row]) -> Iterator[Broken]:
        """A game, and the rows that say for which classrooms it counts."""
        for place in counted:
            one = _one(game, place["user_id"])
            if one is None:
                sentence = f"game {game.name} counts for a classroom, but user {place['user_id']} has no result in it"
                yield Broken("I9", sentence)
            else:
                sums = self.sums[_key(place)]
                sums[:] = map(sum, zip(sums, one, strict=True))

    def broken_tallies(self, tallies: Iterable[Row]) -> Iterator[Broken]:
        kept = {_key(row): [row[name] for name in SUMS] for row in tallies}
        for key in sorted(self.sums.keys() | kept.keys(), key=str):
            stored, counted = kept.get(key, [0] * len(SUMS)), self.sums.get(key, [0] * len(SUMS))
            if stored != counted:
                classroom, user, lesson, day, kind = key
                where = f"in classroom {classroom} for user {user} on {day}, lesson {lesson}, {kind}"
                yield Broken("I9", f"{where}: {_of(stored)} are kept, but {_of(counted)} were played")


def _one(game: WholeGame, user_id: int) -> list[int] | None:
    """What the game adds to the sums of this user."""
    mark = next((mark for mark in Mark if game.seat(mark).get("user_id") == user_id), None)
    if mark is None or (result := game.result(mark)) not in RESULTS:
        return None
    seat = game.seat(mark)
    moves = moves_by(mark, len(game.moves)) - moves_by(mark, game.opening_plies)
    return [*(int(result == name) for name in RESULTS), seat["decisions"] or 0, seat["kept"] or 0, moves]


def _key(row: Row) -> Key:
    return (row["classroom_id"], row["user_id"], row["lesson_id"], str(row["day"]), row["kind"])


def _of(sums: list[int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in zip(SUMS, sums, strict=True))
