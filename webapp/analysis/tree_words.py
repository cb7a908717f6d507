"""What happens at a node, in words: why it was left, what was cut by which comparison, and when it will be cut."""

from math import inf

from webapp.analysis.tree import TreeNode
from webapp.tictactoe import Why

WITHOUT_A_LOOK = {
    Why.FULL_BOARD: "The board is full: a draw.",
    Why.TABLE: "It was met before: the table knows enough of its value.",
    Why.HORIZON: "This round looks no further: the value is a guess.",
}


def figure(value: float) -> str:
    if value in (inf, -inf):
        return "+∞" if value > 0 else "-∞"
    return f"{value:.2f}" if value % 1 else str(int(value))


def why_left(node: TreeNode) -> str:
    """Why the search had seen enough of a node."""
    side, other = node.side, node.side.other
    match node.why:
        case Why.ALL_MOVES if node.is_forced:
            return f"{other} threatens to win, so only the answer was looked at."
        case Why.ALL_MOVES:
            return "All its moves were looked at."
        case Why.CUT | Why.NO_GAIN | Why.BEST_FOUND:
            return f"Cut: {comparison(node)}."
        case Why.LINE:
            return f"{other} has won."
        case Why.WIN_AT_HAND:
            return f"{side} completes a line with the next move."
        case Why.TWO_THREATS:
            return f"{other} has two threats, and {side} can answer only one."
        case why:
            return WITHOUT_A_LOOK[why]


def comparison(node: TreeNode) -> str:
    """What was compared when a node was cut."""
    (alpha, beta), value = node.window, figure(node.value)
    bound, limit, sign = ("beta", beta, ">") if node.is_max else ("alpha", alpha, "<")
    if node.why is Why.CUT:
        sign += "=" if "=" in node.search.cuts_when else ""
        return f"value {value} {sign} {bound} {figure(limit)}: {node.side.other} would never let it come to this"
    most = "at most" if node.is_max else "at least"
    if node.why is Why.NO_GAIN:
        own, limit = ("alpha", alpha) if node.is_max else ("beta", beta)
        return f"{most} {value} can still come here, and {own} is {figure(limit)} already"
    return f"value {value} is reached, and {most} {value} can come here"


def why_never(node: TreeNode) -> str:
    """Why the moves that were passed over were not looked at."""
    if node.is_forced:
        return f"{node.side.other} threatens to win, and they do not answer that."
    if node.branch.node.is_cut:
        compared = comparison(node)
        return f"{compared[0].upper()}{compared[1:]}."
    return why_left(node)


def condition(node: TreeNode) -> str:
    """On arrival: when this node will be cut."""
    if outcome := node.position.outcome:
        end = f"{outcome.winner} has won" if outcome.winner else "the board is full"
        return f"The game is over here: {end}. The value {figure(node.value)} comes back."
    if not node.search.cuts_when:
        return "Minimax cuts nothing: it will look at every move."
    if not node.branch.node.children:
        return "It is valued at once, without looking at its moves."
    if node.bound is None:
        rival = "MIN" if node.is_max else "MAX"
        return f"Nothing can be cut here: {rival} has nothing elsewhere yet."
    sign = (">" if node.is_max else "<") + ("=" if "=" in node.search.cuts_when else "")
    return f"Cut as soon as a child is {sign} {figure(node.bound)}."
