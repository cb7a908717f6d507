"""Who plays whom: all against all by the circle method, or the Swiss system by a matching. Knows no database."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from webapp.competitions.standings import Played, half_points
from webapp.tictactoe import Mark

# What makes a pairing of two a bad one, the worst first. Each outweighs all that follows it in a field of hundreds.
MET_BEFORE, MARKS_UNEQUAL_BY_THREE = 10**12, 10**9
POINTS_APART, MARKS_UNEQUAL, RANKS_APART = 10**5, 300, 1


class Pair(NamedTuple):
    """Of two entries. One without an opponent has a bye."""

    x: int
    o: int | None


@dataclass(frozen=True)
class Candidate:
    """Somebody to be paired, and what they have behind them. `balance` is how often more X than O was held."""

    entry: int
    number: int
    points: int = 0  # halves
    balance: int = 0
    last_mark: Mark | None = None
    byes: int = 0
    met: Counter[int] = field(default_factory=Counter)


def candidates(numbers: dict[int, int], played: Iterable[Played]) -> list[Candidate]:
    """Of these entries, by what was played so far: the best first, then by the number that was drawn."""
    points, balance, byes = Counter[int](), Counter[int](), Counter[int]()
    last: dict[int, Mark] = {}
    met: dict[int, Counter[int]] = {entry: Counter() for entry in numbers}
    for game in sorted(played, key=lambda game: game.round):
        for mark, entry, other in ((Mark.X, game.x, game.o), (Mark.O, game.o, game.x)):
            if entry not in numbers:
                continue
            points[entry] += half_points(game, mark)
            if other is None:
                byes[entry] += 1
                continue
            met[entry][other] += 1
            if not game.is_forfeit:
                balance[entry] += 1 if mark == Mark.X else -1
                last[entry] = mark
    everybody = [
        Candidate(entry, number, points[entry], balance[entry], last.get(entry), byes[entry], met[entry])
        for entry, number in numbers.items()
    ]
    return sorted(everybody, key=lambda one: (-one.points, one.number))


def swiss_round(ranked: Sequence[Candidate]) -> list[Pair]:
    """Each with somebody who has as many points if that can be, best first. A rematch is the last resort, but no
    dead end: there is always a round.
    """
    bye = _bye(ranked) if len(ranked) % 2 else None
    playing = [one for one in ranked if one is not bye]
    import networkx  # a tenth of what there is to import, and only who pairs a round needs it

    graph = networkx.Graph()
    for (rank, one), (other_rank, other) in combinations(enumerate(playing), 2):
        graph.add_edge(rank, other_rank, weight=-_badness(one, other, other_rank - rank))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = [_with_marks(playing[one], playing[other]) for one, other in sorted(map(sorted, matching))]
    return [*pairs, *([Pair(bye.entry, None)] if bye else [])]


def _bye(ranked: Sequence[Candidate]) -> Candidate:
    """For the lowest of those who had the fewest."""
    fewest = min(one.byes for one in ranked)
    return [one for one in ranked if one.byes == fewest][-1]


def _badness(one: Candidate, other: Candidate, ranks_apart: int) -> int:
    after = _balances_after(one, other)
    return (
        MET_BEFORE * one.met[other.entry]
        + MARKS_UNEQUAL_BY_THREE * sum(abs(balance) > 2 for balance in after)
        + POINTS_APART * (one.points - other.points) ** 2
        + MARKS_UNEQUAL * sum(balance**2 for balance in after)
        + RANKS_APART * ranks_apart
    )


def _balances_after(one: Candidate, other: Candidate) -> tuple[int, int]:
    step = 1 if _is_x(one, other) else -1
    return one.balance + step, other.balance - step


def _is_x(one: Candidate, other: Candidate) -> bool:
    """Whoever had X less often; then who had O last; then by the numbers, which chance has given."""
    if one.balance != other.balance:
        return one.balance < other.balance
    if one.last_mark != other.last_mark:
        return one.last_mark == Mark.O or other.last_mark == Mark.X
    return (one.number + other.number) % 2 == (one.number < other.number)


def _with_marks(one: Candidate, other: Candidate) -> Pair:
    return Pair(one.entry, other.entry) if _is_x(one, other) else Pair(other.entry, one.entry)


def round_robin(entries: Sequence[int]) -> list[list[Pair]]:
    """Every round: all but one stand in a circle that turns. With an odd number one is free in each round."""
    circle = len(entries) - 1 + len(entries) % 2
    return [_circle_round(entries, circle, turn) for turn in range(circle)]


def _circle_round(entries: Sequence[int], circle: int, turn: int) -> list[Pair]:
    steps = [((turn + step) % circle, (turn - step) % circle) for step in range(1, circle // 2 + 1)]
    pairs = [_circle_pair(entries, *sorted(places)) for places in steps]
    if len(entries) % 2 == 0:  # the last of them stands beside the circle, and has each mark in turn
        first, last = entries[turn], entries[circle]
        pairs.append(Pair(last, first) if turn % 2 else Pair(first, last))
    return pairs


def _circle_pair(entries: Sequence[int], low: int, high: int) -> Pair:
    """So everybody in the circle has X as often as O."""
    one, other = entries[low], entries[high]
    return Pair(one, other) if (low + high) % 2 else Pair(other, one)


def plays_all(rounds: int, players: int) -> bool:
    """So many rounds are enough for all to meet, so no system has to choose who does."""
    return rounds >= players - 1


def rounds_of_all(players: int) -> int:
    return players - 1 + players % 2
