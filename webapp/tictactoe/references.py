"""Levels that nobody chooses: with the others they are the opponents that every competition of programs has."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from .counting import can_count_tree
from .levels import LEVELS, ChosenMove, Level, best_cell
from .position import Position
from .search import SEARCHES
from .search.forced import Forced

PLIES_AHEAD = 2


def best_within_two_plies(position: Position, random: Random) -> ChosenMove:
    """Wins and threats that it sees, else a guess from the lines that are open; the first of the best cells."""
    horizon = max(0, position.free.bit_count() - PLIES_AHEAD)
    report = Forced("lookahead", "Lookahead", "", horizon=horizon).run(position)
    return ChosenMove(report.cell, report)


def any_best_cell(position: Position, random: Random) -> ChosenMove:
    """Plain minimax knows values only: a quick win is no better to it than a slow one. Where it would not come to an
    end, the strongest search chooses.
    """
    if not can_count_tree(position):
        return best_cell(position, random)
    report = SEARCHES["minimax"].run(position)
    best = [cell for cell, score in report.scores.items() if score == report.score]
    return ChosenMove(random.choice(best), report)


REFERENCES: Mapping[str, Level] = MappingProxyType(
    {
        level.name: level
        for level in (
            Level(
                "lookahead",
                "Lookahead",
                "Searches two plies deep and guesses what lies beyond from the lines that are still open.",
                best_within_two_plies,
            ),
            Level(
                "minimax",
                "Minimax",
                "Plain minimax to the end of the game. Plays any of its best moves at random.",
                any_best_cell,
            ),
        )
    }
)
ALL_LEVELS: Mapping[str, Level] = MappingProxyType({**LEVELS, **REFERENCES})
