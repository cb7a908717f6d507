"""What is said to an answer: why a move is wrong, what came back to a node, and which comparison cut it."""

from webapp.analysis.tree import TreeNode, narrowed
from webapp.analysis.tree_words import comparison, condition, figure
from webapp.analysis.words import joined, plies, why
from webapp.practice.questions import BestMove, CutChildren
from webapp.practice.small_trees import TreeQuestion
from webapp.tictactoe import Position, move_value, table_of

WORTH = {1: "a win", 0: "a draw", -1: "a loss"}


def listed(figures: list[str]) -> str:
    *first, last = figures
    return f"{', '.join(first)} and {last}" if first else last


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


# Moves

def why_wrong(position: Position, cell: int) -> str:
    """What this move gives away, and the plain reason if there is one. Not what would be better."""
    found, name = move_value(position, cell), capital(position.board.cell_name(cell))
    against = [phrase for phrase in why(position, cell) if phrase.startswith(("leaves", "lets"))]
    loses = f": {position.to_move.other} wins in {plies(found.distance - 1)}" if found.value < 0 else ""
    reason = f". It {against[0]}" if against else loses
    return f"{name} turns {WORTH[found.before.value]} into {WORTH[found.value]}{reason}."


def why_right(question: BestMove, cell: int) -> str:
    """What the chosen move leads to, and what makes it good where that is easy to see."""
    position = question.position
    found, name = move_value(position, cell), capital(position.board.cell_name(cell))
    best = found.before
    reasons = [phrase for phrase in why(position, cell) if not phrase.startswith(("leaves", "lets"))]
    words = f"{name} {listed(reasons)}." if reasons else f"{name} leads to {WORTH[found.value]}."
    if not question.is_decision:
        words += f" Here every move leads to {WORTH[best.value]} when both play well."
    if found.value > 0 and found.distance > best.distance:
        sooner = joined(map(position.board.cell_name, best.cells), "or")
        words += f" It wins in {plies(found.distance)}; {sooner} wins in {plies(best.distance)}."
    return words


def best_moves(question: BestMove) -> str:
    """For somebody who asked for the answer."""
    position = question.position
    entry = table_of(position.board)[position]
    names = joined(map(position.board.cell_name, question.right_cells))
    if not question.is_decision:
        return f"Every move here leads to {WORTH[entry.value]} when both play well."
    one = len(question.right_cells) == 1
    return f"{capital(names)} {'keeps' if one else 'keep'} {WORTH[entry.value].replace('a ', 'the ')}."


# Nodes

def hint(question: TreeQuestion) -> str:
    """After a wrong answer: how to go on, not what comes out."""
    if isinstance(question, CutChildren):
        return f"{condition(question.node)} Look at the children in their order, one after the other."
    takes = "MAX takes the largest value of its children, MIN the smallest. Begin at the ends of the tree."
    return f"{takes} {condition(question.node)}" if question.search.cuts_when else takes


def steps(question: TreeQuestion) -> list[str]:
    """What the search does at the node, child by child, and how it ends."""
    node = question.node
    if not node.search.cuts_when:
        return [taken(node)]
    told = [came_back(node, number) for number in range(1, len(node.children) + 1)]
    if node.passed_over:
        return [*told, f"{capital(comparison(node))}.", f"Never visited: {', '.join(node.passed_over)}."]
    return [*told, f"That was the last child, so none is left out. {taken(node)}"]


def taken(node: TreeNode) -> str:
    values = listed([figure(child.value) for child in node.children])
    most = "largest" if node.is_max else "smallest"
    return f"{node.level} takes the {most} of {values}: {figure(node.value)} comes back."


def came_back(node: TreeNode, number: int) -> str:
    """The child with this number, from 1, and the window after it."""
    values = [child.value for child in node.children[:number]]
    alpha, beta = narrowed(node.window, values, node.is_max)
    name = capital(str(node.children[number - 1].move))
    return f"{name} comes back with {figure(values[-1])}: alpha is {figure(alpha)}, beta is {figure(beta)}."
