"""Judges that the labs share: a move, the end of a game, the board left as it was; and their diagnoses.

Knows the rules and how a student's file answers; each lab says how its answers are to be read."""

from collections.abc import Callable
from typing import Any

from webapp.labs.checker.checking import Ask
from webapp.labs.checker.explaining import best_play, refutation, why_wrong
from webapp.labs.checker.findings import Finding, shown
from webapp.labs.checker.hypotheses import name_of_choice, name_of_value, probes
from webapp.labs.checker.positions import (
    Rows,
    best_cells,
    cell_at,
    finished,
    line_name,
    move_at,
    rows,
    value_for,
)
from webapp.labs.loading.student import Call, Reply
from webapp.tictactoe import STANDARD, Mark, O, Position, X, table_of

SLOWER = "depth-ignored"
MakeCall = Callable[[Position], Call]
Read = Callable[[Reply], Any]


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def changed(reply: Reply, given: Rows, mistake: str) -> Finding | None:
    """Find out whether the board that was handed over has been left changed."""
    if reply.trouble or reply.after is None or reply.after == given:
        return None
    why = "The board that was handed over must be the same afterwards, to its inner rows."
    return Finding(f"the board changed to {shown(reply.after)}", f"it stays {shown(given)}", why, mistake)


def judge_cell(position: Position, move: Any) -> Finding | None:
    """Judge a (row, column): a cell, free, and one of the best."""
    cell = cell_at(move)
    if isinstance(move, tuple) and cell in best_cells(position):
        return slower(position, cell)
    best = ", ".join(str(move_at(cell)) for cell in best_cells(position))
    right = f"one of {best}" if ", (" in best else best
    if cell is None:
        why = "A move is a tuple (row, column) of two numbers from 0 to 2."
        return Finding(shown(move), right, why, name_of_form(move), is_answer=False)
    if cell not in position.legal_cells:
        taken = f"There is an {position.mark_at(cell)} in {move_at(cell)} already."
        return Finding(shown(move), right, taken, "taken-cell")
    if not isinstance(move, tuple):
        return Finding(shown(move), right, "The cell is right, but not its form.", "lists-for-tuples")
    return Finding(shown(move), right, why_wrong(position, cell), details=refutation(position, cell))


def name_of_form(move: Any) -> str:
    parts = list(move) if isinstance(move, tuple | list) else []
    if any(cell_at(part) is not None for part in parts) or cell_at(parts[1:]) is not None:
        return "more-than-the-move"
    return "negative-index" if any(is_number(part) and part < 0 for part in parts) else ""


def slower(position: Position, cell: int) -> Finding | None:
    """Remark, without calling it wrong, that a win was there at once and was not taken."""
    best = table_of(STANDARD)[position]
    if best.distance > 1 or cell in best.cells:
        return None
    quick = move_at(best.cells[0])
    why = f"{quick} wins at once; {move_at(cell)} wins, too, but later."
    return Finding(str(move_at(cell)), f"{quick} is quicker", why, SLOWER, is_wrong=False)


def judge_value(position: Position, side: Mark, value: Any) -> Finding | None:
    """Judge what a position is said to be worth to a side."""
    right = value_for(side, position)
    if is_number(value) and value == right:
        return None
    mistake = "infinity" if is_number(value) and abs(value) == float("inf") else ""
    details = best_play(position)
    return Finding(shown(value), str(right), why_value(position, side), mistake, details, is_answer=is_number(value))


def why_value(position: Position, side: Mark) -> str:
    """Say who wins with best play, and by which first move."""
    outcome = position.outcome
    if outcome:
        return f"{end_of(position)}. That is worth {value_for(side, position)} here."
    mover, best = position.to_move, move_at(best_cells(position)[0])
    ends = {1: f"{mover} wins with {best}", 0: f"{best} leads to a draw", -1: f"{mover} loses whatever it does"}
    return f"{mover} is to move, and with best play {ends[value_for(mover, position)]}."


def end_of(position: Position) -> str:
    """How a position stands, in words."""
    outcome = position.outcome
    if outcome is None:
        return "Nobody has a line, and there are empty cells: the game goes on"
    if outcome.winner is None:
        return "The board is full and nobody has a line: a draw"
    return f"{outcome.winner} has the {line_name(position)}"


def answers_of(call: MakeCall, ask: Ask, boards: list[Position]) -> dict[Position, Reply]:
    """Ask about one board after the other, up to the first accident: the next might take as long."""
    replies: dict[Position, Reply] = {}
    for position in boards:
        reply = ask(call(position))
        if reply.trouble:
            break
        replies[position] = reply
    return replies


def name_choices(call: MakeCall, read: Read, side: Mark | None = None) -> Callable[[Ask], str]:
    """Return a diagnosis: ask for moves on boards that tell mistakes apart, and see which one fits them all."""

    def diagnose(ask: Ask) -> str:
        cells = {p: cell_at(read(reply)) for p, reply in answers_of(call, ask, probes(side)).items()}
        return name_of_choice({position: cell for position, cell in cells.items() if cell is not None})

    return diagnose


def name_values(call: MakeCall, read: Read, side: Mark) -> Callable[[Ask], str]:
    """Return a diagnosis of wrong values, by asking for those of the same boards."""

    def diagnose(ask: Ask) -> str:
        values = {p: read(reply) for p, reply in answers_of(call, ask, probes()).items()}
        return name_of_value({p: value for p, value in values.items() if is_number(value)}, side)

    return diagnose


def name_ends(call: Callable[[Position], Call]) -> Callable[[Ask], str]:
    """Return a diagnosis of a wrong end: which won boards are not seen as won?"""

    def diagnose(ask: Ask) -> str:
        won = [position for position in finished() if position.outcome and position.outcome.winner][::5]
        replies = answers_of(call, ask, won)
        missed = [position for position, reply in replies.items() if reply.value != position.to_move.other]
        if not missed or len(replies) < len(won):
            return ""
        if not any(position.free for position in missed):
            return "draw-too-early"
        if all(map(has_empty_line, missed)):
            return "empty-line"
        return "line-forgotten" if are_those_of_lines(missed, won) else ""

    return diagnose


def are_those_of_lines(missed: list[Position], won: list[Position]) -> bool:
    """Tell whether it depends on the line alone which boards are missed."""
    alone = [position for position in won if len(lines_in(position)) == 1]
    seen = {line for position in alone if position not in missed for line in lines_in(position)}
    return bool(seen) and all(seen.isdisjoint(lines_in(position)) for position in missed)


def lines_in(position: Position) -> set[tuple[int, ...]]:
    """The lines that the winner has."""
    winner = position.to_move.other
    return {line for line in STANDARD.lines if all(position.mark_at(cell) is winner for cell in line)}


def has_empty_line(position: Position) -> bool:
    return any(all(position.mark_at(cell) is None for cell in line) for line in STANDARD.lines)


def judge_end(position: Position, reply: Reply, draw: str, empty: str) -> Finding | None:
    """Who has won, or this word for a draw, or None while the game goes on; and the board as it was."""
    outcome = position.outcome
    right = None if outcome is None else outcome.winner or draw
    if reply.value == right:
        return changed(reply, rows(position, empty), "changed-in-place")
    mistake, is_answer = name_of_end(position, reply.value, empty), reply.value in (X, O, draw, None)
    why = end_of(position) + "."
    return Finding(shown(reply.value), shown(right and str(right)), why, mistake, is_answer=is_answer)


def name_of_end(position: Position, value: Any, empty: Any) -> str:
    """Name a wrong end by itself, where one answer is enough."""
    if position.outcome is None and value not in (X, O) and value == empty:
        return "empty-line"
    return name_of_draw(position, value is None)


def name_of_draw(position: Position, goes_on: bool) -> str:
    """Name what is wrong where a game that ended in a draw is said to go on."""
    return "draw-forgotten" if goes_on and position.outcome and position.outcome.winner is None else ""

