"""Wrong searches that students write, played through: whose moves fit one on every probe is named after it.

Knows the rules and the names of mistakes."""

from collections.abc import Callable, Iterable
from functools import cache, partial

from webapp.labs.checker.positions import best_cells, unfinished, value_for
from webapp.tictactoe import Mark, O, Outcome, Position, Reason, X

Pick = Callable[[Iterable[int]], int]
Worth = Callable[[Position, Mark], float]
Cells = set[int]
Chooser = Callable[[Position], Cells]

PLACES = ({4}, {0, 2, 6, 8}, {1, 3, 5, 7})
DRAW = Outcome(None, Reason.FULL_BOARD)
MOST_FREE = 5  # cells: enough to look ahead, few enough to be asked in no time
PROBES = 150
LEAST_SHOWN = 3  # probes on which the mistake must differ from right play, before it is named


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
def played_on(position: Position, me: Mark, first: Mark | None = None) -> int:
    """Minimax that only ends on a full board; of two lines it then sees that of `first`, or the first line."""
    if not position.free:
        owners = [{position.mark_at(cell) for cell in line} for line in position.board.lines]
        lines = [mark for marks in owners if len(marks) == 1 for mark in marks]
        return 0 if not lines else 1 if (first if first in lines else lines[0]) is me else -1
    pick = max if position.to_move is me else min
    free = [cell for cell in range(position.board.size) if position.free >> cell & 1]
    return pick(played_on(after(position, cell), me, first) for cell in free)


def after(position: Position, cell: int) -> Position:
    """As `play`, but the game may be over."""
    return Position(position.board, position.other, position.own | 1 << cell, position.to_move.other)


@cache
def alone(position: Position, me: Mark) -> int:
    """A search in which one side makes all the moves, since nobody's turn ever changes."""
    if outcome := position.outcome:
        return 0 if outcome.winner is None else 1 if outcome.winner is me else -1
    pick = max if position.to_move is me else min
    children = [position.play(cell) for cell in position.legal_cells]
    return pick(alone(child if child.is_over else again(child), me) for child in children)


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


def always(name: str, x: Worth, pick: Callable[..., float] = max) -> tuple[str, Chooser]:
    """A chooser that sees everything with the eyes of X."""
    return name, lambda p: choose(p, lambda child: x(child, X), pick)


def one_eyed(me: Mark, p: Position) -> Cells:
    """Right for one side; for the other, the same search with max and min at the wrong places."""
    if p.to_move is me:
        return set(best_cells(p))
    return choose(p, lambda child: searched(child, p.to_move, mine=min, theirs=max), min)


def first_winning(p: Position) -> Cells:
    """The first cell after which some game is won; where there is none, any."""
    hopeful = [cell for cell in p.legal_cells if searched(p.play(cell), p.to_move, theirs=max) == 1]
    return {hopeful[0]} if hopeful else set(p.legal_cells)


def by_thumb(p: Position) -> Cells:
    """Win if you can, block if you must, else the centre, a corner, an edge."""
    for side in (p, again(p)):
        won = {cell for cell in p.legal_cells if after(side, cell).is_over and after(side, cell).outcome != DRAW}
        if won:
            return won
    return next(wanted for places in PLACES if (wanted := places & set(p.legal_cells)))


def draws_bent(draw: int, p: Position) -> Cells:
    """Both sides value a draw as X would."""
    pick = max if p.to_move is X else min
    return choose(p, lambda child: searched(child, X, draw=draw), pick)


def choosers() -> list[tuple[str, Chooser]]:
    """The wrong ways to choose a move, each under the name of its mistake."""
    return [
        ("no-search", lambda p: {p.legal_cells[0]}),
        ("no-search", lambda p: {p.legal_cells[-1]}),
        by("swapped", lambda child, me: value_for(me, child), min),
        by("swapped", partial(searched, mine=min, theirs=max), min),
        always("turn-ignored", lambda child, x: value_for(x, child)),
        always("turn-ignored", lambda child, x: value_for(x, child), min),
        ("turn-ignored", partial(one_eyed, X)),
        ("turn-ignored", partial(one_eyed, O)),
        by("turn-ignored", lambda child, me: searched(child if child.is_over else again(child), me)),
        by("turn-ignored", lambda child, me: alone(child if child.is_over else again(child), me)),
        ("bound-as-value", lambda p: {loose_alphabeta(p, -2, 2, hard=False)[1]}),
        ("bound-as-value", lambda p: {loose_alphabeta(p, -2, 2, hard=True)[1]}),
        by("first-win", partial(searched, theirs=max)),
        ("first-win", first_winning),
        ("rules-of-thumb", by_thumb),
        by("plays-on", played_on),
        by("plays-on", partial(played_on, first=X)),
        by("plays-on", partial(played_on, first=O)),
        by("draw-as-loss", partial(searched, draw=-1)),
        ("draw-as-loss", partial(draws_bent, -1)),
        by("draw-as-win", partial(searched, draw=1)),
        ("draw-as-win", partial(draws_bent, 1)),
        by("looks-one-ahead", partial(searched, depth=0)),
        *[by("looks-few-ahead", partial(searched, depth=depth)) for depth in (1, 2, 3)],
    ]


@cache
def chosen_wrongly(position: Position) -> list[Cells]:
    """What each of the wrong ways leads to, worked out once for all files of a class."""
    return [chooser(position) for _, chooser in choosers()]


def probes(side: Mark | None = None) -> list[Position]:
    """Boards to tell mistakes apart by, spread over those that are quick to search."""
    quick = [p for p in unfinished() if 2 <= p.free.bit_count() <= MOST_FREE and side in (None, p.to_move)]
    telling = [p for p in quick if len(best_cells(p)) < len(p.legal_cells)]
    return telling[:: max(1, len(telling) // PROBES)]


def name_of_choice(answers: dict[Position, int]) -> str:
    """Name the mistake that explains every answer, and shows in several; "" if there is none.

    Of equally good cells a student takes any, or always the first, or always the last.
    """
    wrong = {position: chosen_wrongly(position) for position in answers}
    for of_equals in (set, lambda cells: {min(cells)}, lambda cells: {max(cells)}):
        fitting: dict[int, str] = {}
        for way, (name, _) in enumerate(choosers()):
            taken = {position: of_equals(ways[way]) for position, ways in wrong.items()}
            fits = all(answers[position] in cells for position, cells in taken.items())
            shows = sum(cells.isdisjoint(best_cells(position)) for position, cells in taken.items())
            if fits and shows >= LEAST_SHOWN:
                fitting.setdefault(sum(map(len, taken.values())), name)
        if fitting:
            return fitting[min(fitting)]  # the one that leaves the least open
    return ""


def valuations() -> list[tuple[str, Worth]]:
    """The wrong ways to value a position, each under the name of its mistake."""
    return [
        ("signs-reversed", lambda position, me: -value_for(me, position)),
        ("swapped", partial(searched, mine=min, theirs=max)),
        ("first-win", partial(searched, theirs=max)),
        ("first-win", partial(searched, mine=min)),
        ("plays-on", played_on),
        ("plays-on", partial(played_on, first=X)),
        ("plays-on", partial(played_on, first=O)),
        ("draw-as-loss", partial(searched, draw=-1)),
        ("draw-as-win", partial(searched, draw=1)),
        ("turn-ignored", lambda position, me: searched(again(position), me)),
        ("turn-ignored", alone),
        ("turn-ignored", lambda position, me: alone(again(position), me)),
        *[("looks-few-ahead", partial(searched, depth=depth)) for depth in (0, 1, 2, 3)],
    ]


def name_of_value(answers: dict[Position, float], side: Mark) -> str:
    """Name the mistake that explains every value, all given from the view of one side."""
    right = {position: value_for(side, position) for position in answers}
    if sum(value != right[position] for position, value in answers.items()) < LEAST_SHOWN:
        return ""
    for name, worth in valuations():
        if all(value == worth(position, side) for position, value in answers.items()):
            return name
    is_sign_right = all((value > 0) - (value < 0) == right[position] for position, value in answers.items())
    return "depth-in-score" if is_sign_right else ""
