"""The tree of a search as a person reads it: MAX is the side to move at the root, and all values are MAX's.

The searches themselves value a position for its own side to move; here that is turned round where MIN is to move.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from webapp.tictactoe import Branch, Mark, Position, Search, Walk, Why


@dataclass(frozen=True)
class TreeNode:
    """A visit in MAX's eyes."""

    branch: Branch
    search: Search
    max_mark: Mark
    is_chosen: bool = False  # whether its parent's value came from it

    @property
    def number(self) -> int:
        return self.branch.number

    @property
    def position(self) -> Position:
        return self.branch.position

    @property
    def side(self) -> Mark:
        """Who is to move."""
        return self.position.to_move

    @property
    def is_max(self) -> bool:
        return self.side is self.max_mark

    @property
    def level(self) -> str:
        return "MAX" if self.is_max else "MIN"

    @property
    def move(self) -> str | None:
        """The cell that was played to come here."""
        return None if self.branch.cell is None else self.position.board.cell_name(self.branch.cell)

    @property
    def value(self) -> float:
        return self.branch.node.value if self.is_max else -self.branch.node.value

    @property
    def window(self) -> tuple[float, float]:
        """Alpha and beta on arrival."""
        node = self.branch.node
        return (node.alpha, node.beta) if self.is_max else (-node.beta, -node.alpha)

    @property
    def window_after(self) -> tuple[float, float]:
        """Alpha and beta on leaving: MAX has raised alpha, MIN has lowered beta."""
        return narrowed(self.window, [self.value], self.is_max) if self.branch.node.children else self.window

    @property
    def bound(self) -> float | None:
        """The value at which it is cut; None where nothing is looked at, or nothing can be cut.

        It is what the children are told: searches that know how much can still come tell them less than came in.
        """
        children = self.branch.node.children
        if not children or abs(children[0].alpha) == float("inf"):
            return None
        return -children[0].alpha if self.is_max else children[0].alpha

    @cached_property
    def children(self) -> "list[TreeNode]":
        """Each move that was looked at, in the order of the visits."""
        branches = list(self.branch.children)
        chosen = next((one for one in branches if -one.node.value == self.branch.node.value), None)
        return [TreeNode(one, self.search, self.max_mark, one is chosen) for one in branches]

    @property
    def passed_over(self) -> list[str]:
        """The cells that were never visited from here."""
        return [self.position.board.cell_name(cell) for cell in self.branch.cells_passed_over]

    @property
    def is_forced(self) -> bool:
        """Whether all moves but the answer to a threat were left out."""
        is_threatened = self.position.threats.bit_count() == 1
        return self.search.answers_threats and is_threatened and bool(self.branch.node.children)

    @property
    def why(self) -> Why:
        return self.branch.why


def narrowed(window: tuple[float, float], values: Iterable[float], is_max: bool) -> tuple[float, float]:
    """The window once these values have come back from the children."""
    alpha, beta = window
    return (max([alpha, *values]), beta) if is_max else (alpha, min([beta, *values]))


def roots(walk: Walk) -> list[TreeNode]:
    return [TreeNode(branch, walk.search, branch.position.to_move) for branch in walk.rounds]
