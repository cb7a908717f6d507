"""Points: how many each test of a lab gives, what a result earns, and how that adds up for each function.

Knows a report as the checker writes it for machines."""

import csv
from pathlib import Path
from typing import Any, NamedTuple

Points = dict[str, float]
Report = dict[str, Any]

RUBRICS: dict[str, Points] = {
    "agent": {
        "the file": 4, "the names": 4, "print_board": 8, "check_winner": 16, "available_moves": 10, "minimax": 24,
        "best_move": 18, "play_game": 16,
    },
    "tictactoe": {
        "the file": 4, "the names": 4, "initial_state": 4, "player": 8, "actions": 8, "result": 10,
        "result, taken": 3, "result, too high": 3, "result, negative": 4, "winner": 12, "terminal": 8, "utility": 8,
        "minimax, game over": 4, "minimax": 20,
    },
    "pruning": {
        "the file": 4, "the names": 4, "is_end": 16, "Max and Min": 24, "MaxAlphaBeta and MinAlphaBeta": 24,
        "pruning": 8, "Play": 10, "PlayAlphaBeta": 10,
    },
}  # fmt: skip


class BadRubric(Exception):
    """What is wrong with a rubric file, in words."""


class Score(NamedTuple):
    points: float
    maximum: float


def function_of(test: str) -> str:
    """Tests of one function carry its name before a comma."""
    return test.partition(",")[0]


def earned(test: dict[str, Any], points: Points) -> Score:
    """A right test gives all its points; a wrong one the share that its partial credit is."""
    maximum = points[test["name"]]
    return Score(round(maximum * test["credit"], 1), maximum)


def by_function(report: Report, points: Points) -> dict[str, Score]:
    scores = dict.fromkeys(map(function_of, points), Score(0, 0))
    for test in report["tests"]:
        name, score = function_of(test["name"]), earned(test, points)
        scores[name] = Score(scores[name].points + score.points, scores[name].maximum + score.maximum)
    return scores


def total(report: Report, points: Points) -> Score:
    scores = by_function(report, points).values()
    return Score(round(sum(score.points for score in scores), 1), sum(score.maximum for score in scores))


def plain(number: float) -> str:
    return f"{number:g}"


def as_rubric(lab: str) -> str:
    """The usual points, in the form in which --rubric reads them."""
    rows = [f'"{name}",{plain(points)}' if "," in name else f"{name},{plain(points)}"
            for name, points in RUBRICS[lab].items()]  # fmt: skip
    return "\n".join(["test,points", *rows]) + "\n"


def read_rubric(path: Path, lab: str) -> Points:
    """Points per test out of a table with the columns test and points; separated by commas or semicolons."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRubric(f"{path} is not saved as UTF-8.") from None
    separator = ";" if text.partition("\n")[0].count(";") else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines(), delimiter=separator) if any(row)]
    points = {row[0]: points_in(row, path) for row in rows if row[:2] != ["test", "points"]}
    if wrong := set(points) ^ set(RUBRICS[lab]):
        names = ", ".join(sorted(wrong))
        raise BadRubric(f"{path} and lab {lab} do not agree on these tests: {names}. Give 0 points to leave one out.")
    return {name: points[name] for name in RUBRICS[lab]}


def points_in(row: list[str], path: Path) -> float:
    try:
        number = float(row[1].replace(",", "."))
    except (IndexError, ValueError):
        raise BadRubric(f'{path}: "{row[0]}" needs a number of points.') from None
    if not 0 <= number < 1e6:
        raise BadRubric(f'{path}: "{row[0]}" has {plain(number)} points. Give it 0 or more.')
    return number
