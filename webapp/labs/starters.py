"""The starter file of each lab: the model answer's names and docstrings, without the bodies.

Knows the model answers by their text only."""

import ast
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
HIDDEN = {"ask_move", "max_value", "min_value", "free_cells", "play_with", "draw_board"}  # one way among many
OPENING = {
    "agent": '"""Lab Session #4: build an agent that plays tic-tac-toe in the terminal."""',
    "tictactoe": '"""Assignment #1: tic-tac-toe with minimax, for either side."""',
    "pruning": '"""Project 1: tic-tac-toe with minimax and with alpha-beta pruning."""',
}


def starter(lab: str) -> str:
    """The text of a lab's starter file."""
    tree = ast.parse((FOLDER / f"{lab}.py").read_text(encoding="utf-8"))
    body = [ast.unparse(emptied(node)) for node in tree.body[1:] if is_kept(node)]
    return "\n\n".join([OPENING[lab], *compact(body)]) + "\n"


def is_kept(node: ast.stmt) -> bool:
    """Imports and helpers are the student's own affair; constants, functions and the entry point stay."""
    return not isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "name", "") not in HIDDEN


def emptied(node: ast.stmt) -> ast.stmt:
    """Leave the docstring of a function, or of each method, and nothing else."""
    if isinstance(node, ast.FunctionDef):
        has_docstring = ast.get_docstring(node) is not None
        node.body = node.body[:has_docstring] + ast.parse("raise NotImplementedError").body
    if isinstance(node, ast.ClassDef):
        node.body = [emptied(item) for item in node.body if is_kept(item)]
    if isinstance(node, ast.If):
        node.body = [item.body[0] if isinstance(item, ast.With) else item for item in node.body]
    return node


def compact(parts: list[str]) -> list[str]:
    """Keep constants together, and two empty lines before what is longer."""
    joined: list[str] = []
    for part in parts:
        if "\n" not in part and joined and "\n" not in joined[-1].splitlines()[-1] and not joined[-1].startswith("def"):
            joined[-1] += "\n" + part
        else:
            joined.append("\n" + part if "\n" in part else part)
    return joined
