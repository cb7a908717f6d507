"""Puts a move into words: what each move is worth, and the line that refutes a wrong one.

Knows the rules, and nothing of students' files."""

from webapp.labs.checker.positions import best_cells, line_name, move_at
from webapp.tictactoe import Position, move_value


def in_moves(plies: int) -> str:
    """A number of plies until somebody wins, in that side's own moves."""
    moves = (plies + 1) // 2
    return "at once" if moves == 1 else f"in {moves} moves"


def worth(position: Position, cell: int) -> str:
    """What a move is worth to the side that makes it."""
    judged = move_value(position, cell)
    if judged.value > 0:
        return f"wins {in_moves(judged.distance)}"
    if judged.value < 0:
        return f"loses: {position.to_move.other} then wins {in_moves(judged.distance - 1)}"
    return "draws"


def table_of_moves(position: Position, chosen: int | None) -> tuple[str, ...]:
    """One row for each free cell: the move, its worth, and whether it is the student's or a best one."""
    best = best_cells(position)
    return tuple(
        f"  {move_at(cell)}  {worth(position, cell)}"
        + ("   <- your move" if cell == chosen else "   <- best" if cell in best else "")
        for cell in position.legal_cells
    )


def line(position: Position, cell: int) -> str:
    """The game from here when a move is made and both then play their best, in words."""
    said = []
    for move in (cell, *move_value(position, cell).line):
        said.append(f"{position.to_move} {move_at(move)}")
        position = position.play(move)
    outcome = position.outcome
    end = f"{outcome.winner} has the {line_name(position)}" if outcome and outcome.winner else "it is a draw"
    return ", ".join(said) + f": {end}."


def why_wrong(position: Position, cell: int) -> str:
    """One sentence that sets the student's move against a best one."""
    best = best_cells(position)[0]
    theirs = "loses" if move_value(position, cell).value < 0 else "only draws"
    return f"{move_at(best)} {worth(position, best)}, but {move_at(cell)} {theirs}."


def refutation(position: Position, cell: int) -> tuple[str, ...]:
    """The values of all moves, how the student's move goes wrong, and how a best one goes."""
    best = best_cells(position)[0]
    return (
        f"What each move is worth to {position.to_move}:",
        *table_of_moves(position, cell),
        f"After your move:  {line(position, cell)}",
        f"After {move_at(best)}:  {line(position, best)}",
    )


def best_play(position: Position) -> tuple[str, ...]:
    """The values of all moves, and how a best one goes."""
    if position.is_over:
        return ()
    best = best_cells(position)[0]
    heading = f"What each move is worth to {position.to_move}:"
    return heading, *table_of_moves(position, None), f"Best play:  {line(position, best)}"
