"""The Bradley-Terry strength of each player, fitted to all results at once: their order does not matter. Pure."""

from collections import Counter
from collections.abc import Hashable, Iterable
from math import exp, fsum, log
from typing import TypeVar

Player = TypeVar("Player", bound=Hashable)
# Two who met, the half points that the first took, and in how many games.
Halves = tuple[Player, Player, int, int]
PRECISION = 1e-7
MOST_STEPS = 20_000


def strengths(results: Iterable[Halves[Player]]) -> dict[Player, float]:
    """Logarithms with mean 0: who is stronger by d takes e^d points for each point of the other.

    A draw is half a win for each. Each two count as having drawn one game more, whether or not they met, so that who
    has won everything stays finite and nobody is measured by a first game alone. fsum makes the sums exact: neither
    the order of the games nor the players' names change the last digit.
    """
    won: Counter[Player] = Counter()  # half points
    met: Counter[tuple[Player, Player]] = Counter()
    for one, other, halves, games in results:
        won.update({one: halves, other: 2 * games - halves})
        met.update({(one, other): games, (other, one): games})
    strength = dict.fromkeys(won, 1.0)
    for _ in range(MOST_STEPS if len(strength) > 1 else 0):
        better = _better(strength, won, met)
        change = max(abs(log(better[one] / strength[one])) for one in strength)
        strength = better
        if change < PRECISION:
            break
    return {one: log(value) for one, value in strength.items()}


def _better(
    strength: dict[Player, float], won: Counter[Player], met: Counter[tuple[Player, Player]]
) -> dict[Player, float]:
    """One step of the fit: nearer to what the results say, with the mean of the logarithms at 0."""
    drawn = len(strength) - 1  # half points of the games that all are given
    better = {
        one: (won[one] + drawn)
        / 2
        / fsum((met[one, other] + 1) / (strength[one] + strength[other]) for other in strength if other != one)
        for one in strength
    }
    mean = exp(fsum(map(log, better.values())) / len(better))
    return {one: value / mean for one, value in better.items()}
