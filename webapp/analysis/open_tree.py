"""A tree with some of its nodes open, as its page and its picture show it; which, stands in the address."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from webapp.analysis.tree import TreeNode, roots
from webapp.errors import BadRequest
from webapp.tictactoe import Walk

MOST_SHOWN = 120  # nodes at once: more would make no picture, and a long page


@dataclass(frozen=True)
class OpenTree:
    walk: Walk
    opened: Collection[int]  # numbers of visits

    def __post_init__(self) -> None:
        """Counting goes no deeper than what is open, so even an address that asks for too much costs little."""
        if len(self.opened) > MOST_SHOWN or self.shown > MOST_SHOWN:
            raise BadRequest(f"At most {MOST_SHOWN} nodes are shown at once. Open the tree level by level.")

    @cached_property
    def roots(self) -> list[TreeNode]:
        return roots(self.walk)

    @property
    def can_be_opened_whole(self) -> bool:
        return self.walk.counts.nodes <= MOST_SHOWN

    def is_open(self, node: TreeNode) -> bool:
        return node.number in self.opened

    def can_be_opened(self, node: TreeNode) -> bool:
        return self.shown + len(node.branch.node.children) <= MOST_SHOWN

    def toggled(self, node: TreeNode) -> str:
        """What the address says once this node is opened, or closed."""
        return "-".join(map(str, sorted(set(self.opened) ^ {node.number})))

    @cached_property
    def shown(self) -> int:
        """How many visits it shows."""
        return sum(1 + self._below(root) for root in self.roots)

    def _below(self, node: TreeNode) -> int:
        return sum(1 + self._below(child) for child in node.children) if self.is_open(node) else 0
