"""The running totals beside a recount of all games. Does not know the database."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from webapp.operations.broken import Broken
from webapp.operations.game_checks import WholeGame
from webapp.tictactoe import Mark

RESULTS = ("won", "lost", "drawn")
COUNTS = (*RESULTS, "decisions", "kept")
# The user, the level or the opponent, the user's mark, the shape of the board, whether with the coach
Key = tuple[int, str | int, str, str, bool]


class Recount:
    def __init__(self) -> None:
        self.counts: dict[Key, list[int]] = defaultdict(lambda: [0] * len(COUNTS))

    def add(self, game: WholeGame) -> None:
        for mark in Mark:
            seat, opponent, result = game.seat(mark), game.seat(mark.other), game.result(mark)
            if result in RESULTS and seat and opponent and seat["user_id"] is not None:
                against = opponent["level"] or opponent["user_id"]
                shape = "{rows}x{columns}x{in_a_row}".format(**game.row)
                counts = self.counts[seat["user_id"], against, mark, shape, bool(game.row.get("coached"))]
                counts[RESULTS.index(result)] += 1
                if (side := game.judged_sides.get(mark)) and seat.get("decisions") is not None:
                    counts[3:] = counts[3] + side.decisions, counts[4] + side.kept

    def broken_tallies(self, tallies: Iterable[Mapping[str, Any]], deleted: set[int]) -> Iterator[Broken]:
        """Who deleted their account has no totals any more; those who played them keep theirs."""
        kept: dict[Key, list[int]] = defaultdict(lambda: [0] * len(COUNTS))
        for row in tallies:
            shape = row.get("shape", "3x3x3")  # a backup of an older version knows no other
            coached = bool(row.get("coached"))
            counts = kept[row["user_id"], row["level"] or row["opponent_id"], row["mark"], shape, coached]
            counts[:] = [count + row.get(name, 0) for count, name in zip(counts, COUNTS, strict=True)]
        for key in sorted(self.counts.keys() | kept.keys(), key=str):
            if key[0] in deleted:
                if any(kept[key]):
                    yield Broken("I33", f"{_words(key)}, who is deleted, {_of(kept[key])} are kept")
            elif kept[key] != self.counts[key]:
                promise = "I9" if kept[key][:3] != self.counts[key][:3] else "I32"
                where = f"{_words(key)} {_of(kept[key])} are kept, but {_of(self.counts[key])} were played"
                yield Broken(promise, where)
        yield from _unequal(kept, deleted)


def _unequal(kept: Mapping[Key, list[int]], deleted: set[int]) -> Iterator[Broken]:
    for (user, opponent, mark, shape, coached), (won, *_) in list(kept.items()):
        if isinstance(opponent, int) and not {user, opponent} & deleted:
            lost = kept.get((opponent, user, Mark(mark).other, shape, coached), [0, 0])[1]
            if won != lost:
                where = f"user {user} won {won} with {mark} against user {opponent}, who lost {lost}"
                yield Broken("I9", where)


def _words(key: Key) -> str:
    user, opponent, mark, shape, coached = key
    against = opponent if isinstance(opponent, str) else f"user {opponent}"
    return f"for user {user} with {mark} against {against} on {shape}{' with the coach' if coached else ''}"


def _of(counts: list[int]) -> str:
    return "{} won, {} lost, {} drawn, {} decisions, {} of them right".format(*counts)
