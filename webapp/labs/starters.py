"""The starter file of each lab: the model answer's names and docstrings, without the bodies.

Knows the model answers by their text only."""

import ast
from importlib.resources import files

HIDDEN = {"ask_move", "max_value", "min_value", "free_cells", "play_with", "draw_board"}  # one way among many
LABS = {
    "agent": '"""Lab Session #4: build an agent that plays tic-tac-toe in the terminal."""',
    "tictactoe": '"""Assignment #1: tic-tac-toe with minimax, for either side."""',
    "pruning": '"""Project 1: tic-tac-toe with minimax and with alpha-beta pruning."""',
}


def model_text(lab: str) -> str:
    """The model answer as text, also out of a zip."""
    return (files("webapp.labs") / f"{lab}.py").read_text(encoding="utf-8")


def starter(lab: str) -> str:
    """The text of a lab's starter file."""
    kept = [node for node in ast.parse(model_text(lab)).body[1:] if is_kept(node)]
    constants = [ast.unparse(node) for node in kept if isinstance(node, ast.Assign)]
    rest = [ast.unparse(emptied(node)) for node in kept if not isinstance(node, ast.Assign)]
    text = "\n\n\n".join([LABS[lab] + "\n\n" + "\n".join(constants), *rest]) + "\n"
    return text.replace("=None)", " = None)").replace("'__main__'", '"__main__"')


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
