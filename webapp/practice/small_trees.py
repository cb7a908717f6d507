"""The tree below a node as a question shows it, and as its answer does: what is not to be known yet is not in it."""

from collections.abc import Callable
from dataclasses import dataclass

from webapp.analysis.worksheet import SheetNode
from webapp.practice.questions import CutChildren, Grade, NodeValue, QuestionKind
from webapp.tictactoe import Mark, Position, table_of

TreeQuestion = NodeValue | CutChildren
ValueOf = Callable[[SheetNode], float | None]


@dataclass(frozen=True)
class SmallTree:
    position: Position
    cell: int | None  # the move that led here; None at the top
    level: str  # MAX or MIN; empty where the game is over
    value: float | None  # None where it is to be found, or never was
    is_never_visited: bool
    children: "list[SmallTree]"

    @property
    def move(self) -> str:
        return "" if self.cell is None else self.position.board.cell_name(self.cell)


def question_tree(question: TreeQuestion) -> SmallTree:
    """What is given is the same whether a node will be visited or not."""
    top, mark = _sheet_of(question), question.root.to_move
    if question.kind is QuestionKind.CUT and question.grade is Grade.EASY:
        return _drawn(top, mark, lambda node: None if node is top else _worth(node.position, mark), levels=1)
    if question.kind is QuestionKind.CUT and question.grade is Grade.HARD:
        return _drawn(top, mark, lambda node: None)
    return _drawn(top, mark, lambda node: _worth(node.position, mark) if node.position.is_over else None)


def answer_tree(question: TreeQuestion) -> SmallTree:
    """Each node with the value that came back, and those that were never visited as such."""
    top = _sheet_of(question)
    return _drawn(top, question.root.to_move, lambda node: node.visit.value if node.visit else None, tells_visits=True)


def _sheet_of(question: TreeQuestion) -> SheetNode:
    return SheetNode(question.node.position, question.search, question.node)


def _worth(position: Position, mark: Mark) -> int:
    """To this mark, when both play their best. Where a visit comes back with a bound instead, it cuts as this would."""
    value = table_of(position.board)[position].value
    return value if position.to_move is mark else -value


def _drawn(
    node: SheetNode, mark: Mark, value_of: ValueOf, levels: int = 9, tells_visits: bool = False, before: int = 0
) -> SmallTree:
    position = node.position
    taken = position.own | position.other
    level = "" if position.is_over else "MAX" if position.to_move is mark else "MIN"
    below = node.children if levels else []
    return SmallTree(
        position,
        (taken ^ before).bit_length() - 1 if before else None,
        level,
        value_of(node),
        tells_visits and node.visit is None,
        [_drawn(child, mark, value_of, levels - 1, tells_visits, taken) for child in below],
    )
