"""A game played with a student's program in its own terminal: who types what, and what came on the screen.

Knows the rules; the two labs with a terminal decide what is right."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from webapp.labs.checker.positions import SIDE, move_at
from webapp.tictactoe import Position

RECOMMENDED = re.compile(r"(?:recommend|suggest|best move|advice)\D*(\d)\D+(\d)", re.IGNORECASE)
NAMES = {"X": "you|player|human", "O": "ai|computer|bot|machine|agent"}  # in both labs a person plays X
LOSES = {"X": r"\b(?:ai|computer|bot|machine|agent) los[et]", "O": r"\byou (?:have )?los[et]"}
Typist = Callable[[str], str | None]


@dataclass
class Transcript:
    """What was typed, and what the screen said before the first line and after each one."""

    typist: Typist
    typed: list[str] = field(default_factory=list)
    read: list[int] = field(default_factory=list)

    def __call__(self, output: str) -> str | None:
        line = self.typist(output)
        if line is not None:
            self.read.append(len(output))
            self.typed.append(line)
        return line

    def exchanges(self, output: str) -> Iterator[tuple[str, str]]:
        """Each typed line with what came on the screen until the next; the first has none typed."""
        ends = [*self.read, len(output)]
        yield "", output[: ends[0]]
        for line, start, end in zip(self.typed, ends, ends[1:], strict=False):
            yield line, output[start:end].removeprefix(line)


def types(lines: list[str]) -> Typist:
    """Type these lines one after the other, whatever the screen says."""
    left = iter(lines)
    return lambda output: next(left, None)


def follows_advice() -> Typist:
    """Type the row and then the column of the move that the screen recommended last."""
    waiting: list[str] = []

    def type_next(output: str) -> str | None:
        if not waiting:
            advice = RECOMMENDED.findall(output)
            if not advice:
                return None
            waiting.extend(advice[-1])
        return waiting.pop(0)

    return type_next


def moved(position: Position, board: str) -> int | None:
    """The cell that leads from a position to a printed board, or None if no single move does."""
    return next((cell for cell in position.legal_cells if position.play(cell).text == board), None)


def announces(position: Position, screen: str) -> bool:
    """Tell whether the screen says how a finished game ended."""
    winner = position.outcome.winner if position.outcome else None
    if winner is None:
        return bool(re.search(r"draw|tie|no winner|nobody w[io]n", screen, re.IGNORECASE))
    who = rf"\b(?:{winner}|{NAMES[winner]})\b"
    return bool(re.search(rf"{who}.*\bw[io]n|winn\w+\W.*{who}|{LOSES[winner]}", screen, re.IGNORECASE))


def typed_cell(line: str) -> int | None:
    """The cell that a typed "row column" names, or None."""
    numbers = line.split()
    if len(numbers) == 2 and all(number in ("0", "1", "2") for number in numbers):
        return int(numbers[0]) * SIDE + int(numbers[1])
    return None


def all_cells() -> list[str]:
    return [" ".join(map(str, move_at(cell))) for cell in range(SIDE * SIDE)]
