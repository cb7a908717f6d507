"""Wrong searches that students write, played through: whose moves fit one on every probe is named after it.

Knows the rules and the names of mistakes."""

from collections.abc import Callable, Iterable
from functools import cache, partial

from webapp.labs.checker.positions import best_cells, unfinished, value_for
from webapp.tictactoe import Mark, O, Position, X

Pick = Callable[[Iterable[int]], int]
Worth = Callable[[Position, Mark], float]
Cells = set[int]
Chooser = Callable[[Position], Cells]

MOST_FREE = 5  # cells: enough to look ahead, few enough to be asked in no time
PROBES = 60
LEAST_SHOWN = 4  # probes on which the mistake must differ from right play, before it is named


def choose(position: Position, worth: Callable[[Position], float], pick: Callable[..., float] = max) -> Cells:
    """The cells whose worth is the picked one."""
    worths = {cell: worth(position.play(cell)) for cell in position.legal_cells}
    return {cell for cell, value in worths.items() if value == pick(worths.values())}


@cache
def searched(
    position: Position, me: Mark, mine: Pick = max, theirs: Pick = min, draw: int = 0, depth: int = 9
) -> int:
    """Minimax with something bent: who picks what, what a draw is worth, how deep it looks."""
    if outcome := position.outcome:
        return draw if outcome.winner is None else 1 if outcome.winner is me else -1
    if depth == 0:
        return 0
    pick = mine if position.to_move is me else theirs
    children = [position.play(cell) for cell in position.legal_cells]
    return pick(searched(child, me, mine, theirs, draw, depth - 1) for child in children)


@cache
def played_on(position: Position, me: Mark, first: Mark) -> int:
    """Minimax that only ends on a full board; of two lines it then sees that of `first`."""
    if not position.free:
        has_line = position.board.bits.has_line
        lines = [mark for mark in (first, first.other) if has_line(position.cells_of(mark))]
        return 0 if not lines else 1 if lines[0] is me else -1
    pick = max if position.to_move is me else min
    free = [cell for cell in range(position.board.size) if position.free >> cell & 1]
    return pick(played_on(after(position, cell), me, first) for cell in free)


def after(position: Position, cell: int) -> Position:
    """As `play`, but the game may be over."""
    return Position(position.board, position.other, position.own | 1 << cell, position.to_move.other)


def again(position: Position) -> Position:
    """The same board with the side that has just moved to move once more."""
    return Position(position.board, position.other, position.own, position.to_move.other)


def loose_alphabeta(position: Position, alpha: float, beta: float, hard: bool) -> tuple[float, int]:
    """Alpha-beta, for the side to move, that takes an equal value for a better one."""
    if outcome := position.outcome:
        return (-1 if outcome.winner else 0), -1
    best, chosen = -2.0, -1
    for cell in position.legal_cells:
        value = -loose_alphabeta(position.play(cell), -beta, -alpha, hard)[0]
        if hard:
            value = max(alpha, min(beta, value))
        if value >= best:
            best, chosen = value, cell
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, chosen


def by(name: str, worth: Worth, pick: Callable[..., float] = max) -> tuple[str, Chooser]:
    """A chooser that compares what the moves are worth to the side that makes them."""
    return name, lambda p: choose(p, lambda child: worth(child, p.to_move), pick)


def choosers() -> list[tuple[str, Chooser]]:
    """The wrong ways to choose a move, each under the name of its mistake; the sharper ones first."""
    return [
        ("no-search", lambda p: {p.legal_cells[0]}),
        ("no-search", lambda p: {p.legal_cells[-1]}),
        ("bound-as-value", lambda p: {loose_alphabeta(p, -2, 2, hard=False)[1]}),
        ("bound-as-value", lambda p: {loose_alphabeta(p, -2, 2, hard=True)[1]}),
        by("swapped", lambda child, me: value_for(me, child), min),
        by("swapped", partial(searched, mine=min, theirs=max), min),
        ("turn-ignored", lambda p: choose(p, lambda child: value_for(X, child))),
        ("turn-ignored", lambda p: choose(p, lambda child: value_for(O, child))),
        by("turn-ignored", lambda child, me: searched(again(child) if not child.is_over else child, me)),
        by("first-win", partial(searched, theirs=max)),
        by("plays-on", partial(played_on, first=X)),
        by("plays-on", partial(played_on, first=O)),
        by("draw-as-loss", partial(searched, draw=-1)),
        by("draw-as-win", partial(searched, draw=1)),
        by("looks-one-ahead", partial(searched, depth=0)),
        *[by("looks-few-ahead", partial(searched, depth=depth)) for depth in (1, 2, 3)],
    ]


def probes(side: Mark | None = None) -> list[Position]:
    """Boards to tell mistakes apart by, spread over those that are quick to search."""
    quick = [p for p in unfinished() if 2 <= p.free.bit_count() <= MOST_FREE and side in (None, p.to_move)]
    telling = [p for p in quick if len(best_cells(p)) < len(p.legal_cells)]
    return telling[:: max(1, len(telling) // PROBES)]


def name_of_choice(answers: dict[Position, int]) -> str:
    """Name the mistake that explains every answer, and shows in several; "" if there is none."""
    for name, chooser in choosers():
        chosen = {position: chooser(position) for position in answers}
        shows = [position for position, cells in chosen.items() if cells.isdisjoint(best_cells(position))]
        if len(shows) >= LEAST_SHOWN and all(answers[position] in cells for position, cells in chosen.items()):
            return name
    return ""


def name_of_value(answers: dict[Position, float], side: Mark) -> str:
    """Name the mistake that explains every value, all given from the view of one side."""
    right = {position: value_for(side, position) for position in answers}
    if all(value == -right[position] for position, value in answers.items()):
        return "signs-reversed"
    if all((value > 0) - (value < 0) == right[position] for position, value in answers.items()):
        return "depth-in-score"
    wrong: list[tuple[str, Worth]] = [
        ("swapped", partial(searched, mine=min, theirs=max)),
        ("first-win", partial(searched, theirs=max)),
        ("first-win", partial(searched, mine=min)),
        ("plays-on", partial(played_on, first=X)),
        ("plays-on", partial(played_on, first=O)),
        ("draw-as-loss", partial(searched, draw=-1)),
        ("draw-as-win", partial(searched, draw=1)),
        ("turn-ignored", lambda position, me: searched(again(position), me)),
        *[("looks-few-ahead", partial(searched, depth=depth)) for depth in (0, 1, 2, 3)],
    ]
    for name, worth in wrong:
        if all(answers[position] == worth(position, side) for position in answers):
            return name
    return ""
