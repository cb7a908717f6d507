"""The table of a competition among people, counted from its games alone, in whatever order. Knows no database.

Points first; then what the opponents were worth (Buchholz in the Swiss system, Sonneborn-Berger where all play all);
then the games of those who are level against each other, if they all met; then they share the rank.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from webapp.competitions.states import Format, Score
from webapp.tictactoe import Mark

WIN, DRAW = 2, 1  # in halves of a point


class Played(NamedTuple):
    """A pairing that is over, or a bye. Entries are told by their ids."""

    round: int
    x: int
    o: int | None
    score: Score
    is_forfeit: bool = False


def half_points(game: Played, mark: Mark) -> int:
    if game.score is Score.BYE:
        return WIN if mark == Mark.X else 0
    return DRAW if game.score is Score.DRAWN else WIN if game.score == mark.value else 0


class Standing(NamedTuple):
    """`points` are in halves and `tie_break` in quarters of a point, so that they stay whole and exact."""

    entry: int
    rank: int
    points: int
    tie_break: int
    won: int
    drawn: int
    lost: int
    byes: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


class _Sums(NamedTuple):
    points: Mapping[int, int]
    tie_break: Mapping[int, int]
    direct: Mapping[tuple[int, int], int]  # what the one took off the other
    meetings: Mapping[frozenset[int], int]
    results: Mapping[int, list[int]]  # the half points of each game, byes apart
    byes: Mapping[int, int]


def standings(entries: Iterable[int], games: Sequence[Played], form: Format) -> list[Standing]:
    sums = _sums(games, form)
    order = sorted(entries, key=lambda entry: (-sums.points[entry], -sums.tie_break[entry], entry))
    table: list[Standing] = []
    for _, level in groupby(order, key=lambda entry: (sums.points[entry], sums.tie_break[entry])):
        for alike in _by_direct_games(list(level), sums):
            rank = len(table) + 1
            table += [_standing(entry, rank, sums) for entry in alike]
    return table


def _sums(games: Sequence[Played], form: Format) -> _Sums:
    points, byes, results = Counter[int](), Counter[int](), defaultdict[int, list[int]](list)
    direct, meetings = Counter[tuple[int, int]](), Counter[frozenset[int]]()
    for game in games:
        points[game.x] += half_points(game, Mark.X)
        if game.o is None:
            byes[game.x] += 1
            continue
        points[game.o] += half_points(game, Mark.O)
        meetings[frozenset((game.x, game.o))] += 1
        for mark, one, other in ((Mark.X, game.x, game.o), (Mark.O, game.o, game.x)):
            direct[one, other] += half_points(game, mark)
            results[one].append(half_points(game, mark))
    weigh = _buchholz if form is Format.SWISS else _sonneborn_berger
    return _Sums(points, weigh(games, points), direct, meetings, results, byes)


def _buchholz(games: Sequence[Played], points: Mapping[int, int]) -> Counter[int]:
    """The points of all opponents. A bye counts like an opponent who has as many points as oneself."""
    total = Counter[int]()
    for game in games:
        total[game.x] += 2 * points[game.x if game.o is None else game.o]
        if game.o is not None:
            total[game.o] += 2 * points[game.x]
    return total


def _sonneborn_berger(games: Sequence[Played], points: Mapping[int, int]) -> Counter[int]:
    """The points of those who were beaten, and half the points of those who were drawn with."""
    total = Counter[int]()
    for game in games:
        if game.o is not None:
            total[game.x] += half_points(game, Mark.X) * points[game.o]
            total[game.o] += half_points(game, Mark.O) * points[game.x]
    return total


def _by_direct_games(level: list[int], sums: _Sums) -> list[list[int]]:
    """Those who are level, parted by their games among themselves if each of them met each."""
    have_met = all(sums.meetings[frozenset(pair)] for pair in combinations(level, 2))
    if len(level) == 1 or not have_met:
        return [level]
    taken = {one: sum(sums.direct[one, other] for other in level if other != one) for one in level}
    order = sorted(level, key=lambda one: (-taken[one], one))
    return [list(alike) for _, alike in groupby(order, key=lambda one: taken[one])]


def _standing(entry: int, rank: int, sums: _Sums) -> Standing:
    won, drawn, lost = (sums.results.get(entry, []).count(result) for result in (WIN, DRAW, 0))
    points, tie_break = sums.points[entry], sums.tie_break[entry]
    return Standing(entry, rank, points, tie_break, won, drawn, lost, sums.byes[entry])
