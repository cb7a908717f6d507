"""The three kinds of question. Each is a plain value: its address says what it asks, a search what is right.

Knows the rules and the trees of analysis, and neither pages nor a database.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

from webapp.analysis.asked import link_to
from webapp.analysis.tree import TreeNode
from webapp.tictactoe import SEARCHES, Branch, Mark, Position, Search, move_value, table_of, walk_of

MOST_FREE = 5  # cells where a search of a question begins: its nodes come by in a moment, whatever the address says
IN_TREE = 3  # free cells at the node whose whole tree is drawn: 16 nodes at most
NONE, SHOWN = "none", "show"  # as answers: no child is left out; the answer was asked for
VALUES = ("1", "0", "-1")


class QuestionKind(StrEnum):
    MOVE = "move"
    VALUE = "value"
    CUT = "cut"
    MISTAKE = "mistake"


class Grade(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Stored:
    """How an answer is kept. A position that may come turned or mirrored keeps and tells it as its own kind."""

    def stored(self, answer: str) -> str:
        return answer

    def told(self, stored: str) -> str:
        return stored


@dataclass(frozen=True)
class BestMove(Stored):
    """Which move is best here? Every move that keeps what the position is worth is right."""

    position: Position
    kind: ClassVar[QuestionKind] = QuestionKind.MOVE

    @property
    def key(self) -> str:
        return f"{self.position.text} {self.position.to_move}"

    @property
    def link(self) -> dict[str, Any]:
        return {"kind": self.kind.value, **link_to(self.position)}

    @property
    def is_decision(self) -> bool:
        """Whether the moves differ in value: otherwise there is nothing to find."""
        return 0 < len(self.right_cells) < len(self.position.legal_cells)

    @property
    def right_cells(self) -> list[int]:
        return [cell for cell in self.position.legal_cells if not move_value(self.position, cell).is_mistake]

    @property
    def grade(self) -> Grade:
        """A line to complete or to block; two threats to make at once; what needs a longer look."""
        position, entry = self.position, table_of(self.position.board)[self.position]
        if position.wins or position.threats:
            return Grade.EASY
        return Grade.MEDIUM if (entry.value, entry.distance) == (1, 3) else Grade.HARD

    def can_be(self, answer: str) -> bool:
        return answer in map(str, self.position.legal_cells)

    def is_right(self, answer: str) -> bool:
        return self.can_be(answer) and int(answer) in self.right_cells


@dataclass(frozen=True)
class OwnMistake(BestMove):
    """What would have been better? A position as it was in one's own game; those alike by symmetry are one question."""

    public_id: str  # of the game
    ply: int
    played: int
    kind: ClassVar[QuestionKind] = QuestionKind.MISTAKE

    @property
    def key(self) -> str:
        return BestMove(self.position.seen_through(self._fold)).key

    @property
    def link(self) -> dict[str, Any]:
        return {"kind": self.kind.value, "game": self.public_id, "ply": self.ply}

    @cached_property
    def _fold(self) -> tuple[int, ...]:
        """The symmetry that leads to the one of all twins by which the mistake is stored."""

        def twin(symmetry: tuple[int, ...]) -> tuple[int, int]:
            seen = self.position.seen_through(symmetry)
            return seen.own, seen.other

        return min(self.position.board.symmetries, key=twin)

    def stored(self, answer: str) -> str:
        return answer if answer == SHOWN else str(self._fold[int(answer)])

    def told(self, stored: str) -> str:
        return str(self._fold.index(int(stored))) if stored.isdigit() else stored


@dataclass(frozen=True)
class NodeQuestion(Stored):
    """About a node that a search comes to, `visit` arrivals after it began at `root`."""

    root: Position
    search: Search
    visit: int
    kind: ClassVar[QuestionKind]

    @cached_property
    def node(self) -> TreeNode:
        branch = walk_of(self.search, self.root).path_to(self.visit)[-1]
        return TreeNode(branch, self.search, self.root.to_move)

    @property
    def free(self) -> int:
        return self.node.position.free.bit_count()

    @property
    def key(self) -> str:
        return f"{self.root.text} {self.root.to_move} {self.search.name} {self.visit}"

    @property
    def link(self) -> dict[str, Any]:
        link = {"kind": self.kind.value, **link_to(self.root)}
        return {**link, "search": self.search.name, "visit": self.visit}


@dataclass(frozen=True)
class NodeValue(NodeQuestion):
    """What value comes back to this node? By minimax, or at the hardest grade by alpha-beta, which leaves some out."""

    kind: ClassVar[QuestionKind] = QuestionKind.VALUE

    @property
    def is_asked(self) -> bool:
        """Whether it is one of our questions: small enough to be drawn, and not to be answered without a look."""
        if self.node.position.is_over or not 2 <= self.free <= IN_TREE:
            return False
        if self.search.cuts_when:
            return self.free == IN_TREE and self.node.branch.node.cutoffs > 0
        return len({child.value for child in self.node.children}) > 1

    @property
    def grade(self) -> Grade:
        if self.search.cuts_when:
            return Grade.HARD
        return Grade.MEDIUM if self.free == IN_TREE else Grade.EASY

    def can_be(self, answer: str) -> bool:
        return answer in VALUES

    def is_right(self, answer: str) -> bool:
        return self.can_be(answer) and int(answer) == self.node.value


@dataclass(frozen=True)
class CutChildren(NodeQuestion):
    """Which children will never be visited? The grade says which values are given: the children's, the ends', none."""

    grade: Grade
    kind: ClassVar[QuestionKind] = QuestionKind.CUT

    @property
    def is_asked(self) -> bool:
        """Where nothing can be cut, or the first child cuts whatever it is worth, there is nothing to find."""
        if self.node.position.is_over or self.node.bound in (None, -1 if self.node.is_max else 1):
            return False
        return 2 <= self.free <= 4 if self.grade is Grade.EASY else self.free == IN_TREE

    @property
    def key(self) -> str:
        return f"{super().key} {self.grade}"

    @property
    def link(self) -> dict[str, Any]:
        return {**super().link, "grade": self.grade.value}

    @property
    def never_visited(self) -> tuple[int, ...]:
        return self.node.branch.cells_passed_over

    def can_be(self, answer: str) -> bool:
        cells = answer.split("-")
        legal = [str(cell) for cell in self.node.position.legal_cells]
        return answer == NONE or [cell for cell in legal if cell in cells] == cells

    def is_right(self, answer: str) -> bool:
        return answer == ("-".join(map(str, self.never_visited)) or NONE)


Question = BestMove | NodeValue | CutChildren
MINIMAX, ALPHA_BETA = SEARCHES["minimax"], SEARCHES["alpha-beta"]
BY_HAND = {search.name: search for search in (MINIMAX, ALPHA_BETA)}


def node_question(kind: QuestionKind, root: Position, search: Search, visit: int, grade: Grade) -> Question | None:
    """None where that is none of our questions."""
    if root.is_over or root.free.bit_count() > MOST_FREE or visit >= walk_of(search, root).counts.nodes:
        return None
    value, cut = NodeValue(root, search, visit), CutChildren(root, search, visit, grade)
    question = value if kind is QuestionKind.VALUE else cut
    return question if question.is_asked else None


def question_of(kind: QuestionKind, key: str) -> Question | None:
    """The question that has this key; None if none has."""
    text, to_move, *rest = key.split(" ")
    position = Position.parse(text, Mark(to_move))
    if kind in (QuestionKind.MOVE, QuestionKind.MISTAKE):
        return None if rest or position.is_over else BestMove(position)
    name, visit, *grade = rest
    return node_question(kind, position, BY_HAND[name], int(visit), Grade(*grade or [Grade.EASY]))


def branches(branch: Branch) -> Iterator[Branch]:
    """A visit and all below it."""
    yield branch
    for child in branch.children:
        yield from branches(child)
