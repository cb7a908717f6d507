"""Recording a search: every visit as a node that holds what lies below it, and equal nodes only once.

What a search without a table does below a position depends on the position and the window alone, so each such pair
is walked once and kept with the size of its subtree: the 549,946 visits of minimax are 5,478 nodes. What a search
with a table does depends on what it has met before, so nothing of it is kept for another time.
"""

from math import inf
from typing import NamedTuple

from .search import Report, Value

Key = tuple[int, int, float, float]  # own cells, other cells, alpha, beta
Known = dict[Key, "Node"]
Counted = tuple[int, int, int, int]  # nodes, leaves, cut-offs, table hits


class Node(NamedTuple):
    """A visit with all that lies below it."""

    own: int
    other: int
    alpha: float
    beta: float
    value: float
    nodes: int  # of the whole subtree, itself included; the other counts likewise
    leaves: int
    cutoffs: int
    table_hits: int
    children: tuple["Node", ...]  # in the order of the visits

    @property
    def is_cut(self) -> bool:
        return self.cutoffs > sum(child.cutoffs for child in self.children)

    @property
    def is_leaf(self) -> bool:
        return self.leaves > sum(child.leaves for child in self.children)

    @property
    def is_table_hit(self) -> bool:
        return self.table_hits > sum(child.table_hits for child in self.children)


class Recorder:
    """Wraps the recursive function of a search, and makes the nodes from below."""

    def __init__(self, report: Report, known: Known | None) -> None:
        self.report, self.known = report, known
        self.rounds: list[Node] = []  # the root; a search that begins again, looking further each time, has several
        self.path: list[list[Node]] = [[]]  # the finished children of each node on the way down, the root's first
        self.before = self.counts()

    def counts(self) -> Counted:
        report = self.report
        return report.nodes, report.leaves, report.cutoffs, report.table_hits

    def wrap(self, value: Value) -> Value:
        """Called once for each round, before its root is counted."""
        self.end_round()

        def recorded(own: int, other: int, alpha: float, beta: float) -> float:
            key = own, other, alpha, beta
            node = self.known.get(key) if self.known is not None else None
            if node is None:
                node = self.visit(value, key)
            else:
                self.count(node)
            self.path[-1].append(node)
            return node.value

        return recorded

    def visit(self, value: Value, key: Key) -> Node:
        before = self.counts()
        self.path.append([])
        found = value(*key)
        node = self.node(key, found, before, self.path.pop())
        if self.known is not None:
            self.known[key] = node
        return node

    def node(self, key: Key, value: float, before: Counted, children: list[Node]) -> Node:
        (nodes, leaves, cutoffs, hits), report = before, self.report  # one by one: this runs for every node
        counts = report.nodes - nodes, report.leaves - leaves, report.cutoffs - cutoffs, report.table_hits - hits
        return Node(*key, value, *counts, tuple(children))

    def count(self, node: Node) -> None:
        """What the search would have counted below here, had it walked."""
        self.report.nodes += node.nodes
        self.report.leaves += node.leaves
        self.report.cutoffs += node.cutoffs

    def end_round(self) -> None:
        if self.counts() != self.before:
            position = self.report.position
            root = position.own, position.other, -inf, inf
            self.rounds.append(self.node(root, self.report.score, self.before, self.path[0]))
            self.path, self.before = [[]], self.counts()
