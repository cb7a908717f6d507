"""A series of games between a student's file and one of our levels. Knows the rules; the dice are handed in."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from webapp.labs.loading.student import Student
from webapp.labs.playing import WAYS, Clock, ask
from webapp.tictactoe import LEVELS, Mark, O, Position, X, move_value


class Game(NamedTuple):
    """How one game of a series went, seen from the file; a game without an end was cut off by what it did."""

    mark: Mark
    position: Position
    trouble: str = ""
    trace: str = ""

    @property
    def result(self) -> str:
        outcome = self.position.outcome
        if outcome is None:
            return "gave no move"
        return "drawn" if outcome.winner is None else "won" if outcome.winner is self.mark else "lost"


def series(lab: str, student: Student, level: str, count: int, random: Random, clock: Clock) -> Iterator[Game]:
    """Game after game, with X and with O in turn."""
    for number in range(count):
        yield one_game(lab, student, X if number % 2 == 0 else O, lambda p: answer_of(level, p, random), clock)


def one_game(lab: str, student: Student, mark: Mark, opponent: Callable[[Position], int], clock: Clock) -> Game:
    position = Position.start()
    while not position.is_over:
        if position.to_move is not mark:
            position = position.play(opponent(position))
            continue
        turn = ask(WAYS[lab], student, position, clock, counted_within=0)  # the score tells of no nodes
        if turn.cell is None:
            return Game(mark, position, turn.sentence, turn.trace)
        position = position.play(turn.cell)
    return Game(mark, position)


def answer_of(level: str, position: Position, random: Random) -> int:
    """Perfect takes any of its best moves, or each game would be the same."""
    if level == "perfect":
        return random.choice([cell for cell in position.legal_cells if move_value(position, cell).is_best])
    return LEVELS[level].choose(position, random).cell


def score(games: list[Game]) -> str:
    counts = Counter(game.result for game in games)
    said = [f"{counts[result]} {result}" for result in ("won", "drawn", "lost")]
    if counts["gave no move"]:
        said.append(f"{counts['gave no move']} cut off")
    return ", ".join(said)
