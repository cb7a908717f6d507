"""A search stopped at one of its visits: the way there, what came back meanwhile, and what it will do next.

Found by number in the recorded walk, so that a step costs the same wherever it is.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from webapp.analysis.tree import TreeNode, narrowed
from webapp.tictactoe import Branch, Counts, Walk


@dataclass(frozen=True)
class OnTheWay:
    """A node between the root and the current visit, with what is known of it by now."""

    node: TreeNode
    seen: list[TreeNode]  # the children that have come back
    going_on: TreeNode | None  # the child on the way to the current visit
    not_yet: list[str]  # the cells that were not looked at so far

    @property
    def window(self) -> tuple[float, float]:
        """Alpha and beta by now."""
        return narrowed(self.node.window, [child.value for child in self.seen], self.node.is_max)


@dataclass(frozen=True)
class Step:
    walk: Walk
    number: int  # of the visit; one more than the last is the end

    @property
    def last(self) -> int:
        return self.walk.counts.nodes

    @property
    def is_end(self) -> bool:
        return self.number == self.last

    def _seen_by_max(self, branch: Branch) -> TreeNode:
        return TreeNode(branch, self.walk.search, self.walk.position.to_move)

    @cached_property
    def way(self) -> list[OnTheWay]:
        """From the root to the current visit; empty at the end."""
        if self.is_end:
            return []
        path = self.walk.path_to(self.number)
        return [self._on_the_way(branch, child) for branch, child in zip(path, [*path[1:], None], strict=True)]

    def _on_the_way(self, branch: Branch, child: Branch | None) -> OnTheWay:
        back = list(takewhile(lambda one: one.end <= self.number, branch.children))
        known = {one.cell for one in back} | ({child.cell} if child else set())
        waiting = [cell for cell in branch.position.legal_cells if cell not in known]
        names = [branch.position.board.cell_name(cell) for cell in waiting]
        going_on = self._seen_by_max(child) if child else None
        return OnTheWay(self._seen_by_max(branch), list(map(self._seen_by_max, back)), going_on, names)

    @property
    def current(self) -> TreeNode | None:
        return self.way[-1].node if self.way else None

    @cached_property
    def left(self) -> list[TreeNode]:
        """What was left since the last visit, the deepest first."""
        return [self._seen_by_max(branch) for branch in self.walk.left_before(self.number)]

    @cached_property
    def counts(self) -> Counts:
        """Up to and with the current visit; a leaf and a cut count when they are left."""
        counts = self.walk.counts_before(self.number)
        return counts if self.is_end else counts._replace(nodes=self.number + 1)

    @cached_property
    def next_cut(self) -> int | None:
        return self.walk.next_cut(self.number)

    @property
    def round(self) -> int:
        """Which of the rounds this is, from 1, for a search that has several."""
        return sum(root.number <= self.number for root in self.walk.rounds)
