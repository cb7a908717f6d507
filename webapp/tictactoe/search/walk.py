"""The walk of a search from a position, open at any visit: none costs more to find than another.

Visits are numbered in the order of arrival. Visit k is found by stepping over whole subtrees, whose sizes are known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..bitboard import Cells, cell_of
from ..board import Board
from ..errors import BoardTooLarge
from ..position import Position
from .recording import Known, Node, Recorder
from .search import Report, Search
from .why import Why, why_cut, why_leaf

LARGEST = 9  # cells; beyond that there are too many positions to keep


@dataclass(frozen=True, slots=True)
class Branch:
    """A visit where it stands in the walk, and through its node all that lies below."""

    number: int
    parent: int | None
    cell: int | None  # the move that led here
    position: Position
    node: Node

    @property
    def end(self) -> int:
        """The number of the first visit after this one has been left."""
        return self.number + self.node.nodes

    @property
    def children(self) -> Iterator["Branch"]:
        number, position = self.number + 1, self.position
        for node in self.node.children:
            after = Position(position.board, node.own, node.other, position.to_move.other)
            yield Branch(number, self.number, cell_of(node.other ^ position.own), after, node)
            number += node.nodes

    @property
    def cells_passed_over(self) -> Cells:
        """The legal moves that were not looked at."""
        seen = {cell_of(node.other ^ self.node.own) for node in self.node.children}
        return tuple(cell for cell in self.position.legal_cells if cell not in seen)

    @property
    def why(self) -> Why:
        node = self.node
        if node.is_table_hit:
            return Why.TABLE
        if node.is_cut:
            return why_cut(node.alpha, node.beta, node.value)
        return why_leaf(self.position) if node.is_leaf else Why.ALL_MOVES


class Counts(NamedTuple):
    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    table_hits: int = 0


def total(nodes: Iterable[Node]) -> Counts:
    each = [(node.nodes, node.leaves, node.cutoffs, node.table_hits) for node in nodes]
    return Counts(*map(sum, zip(*each, strict=True)))


@dataclass(frozen=True)
class Walk:
    """All that a search does from a position, and what it chooses."""

    search: Search
    rounds: tuple[Branch, ...]  # the root; a search that begins again, looking further each time, has several
    counts: Counts
    cell: int
    score: float

    @property
    def position(self) -> Position:
        return self.rounds[0].position

    def path_to(self, number: int) -> tuple[Branch, ...]:
        """The visits from the root to the one with this number."""
        if not 0 <= number < self.counts.nodes:
            raise IndexError(f"The visits are numbered from 0 to {self.counts.nodes - 1}.")
        path: list[Branch] = []
        row: Iterable[Branch] = self.rounds
        while not path or path[-1].number < number:
            path.append(next(branch for branch in row if number < branch.end))
            row = path[-1].children
        return tuple(path)

    def left_before(self, number: int) -> tuple[Branch, ...]:
        """The visits that are left between the arrivals at the last visit and at this one, the deepest first."""
        if number == 0:
            return ()
        return tuple(branch for branch in reversed(self.path_to(number - 1)) if branch.end == number)

    def counts_before(self, number: int) -> Counts:
        """What the search has counted when it arrives at this visit; a leaf and a cut count when they are left."""
        if number == self.counts.nodes:
            return self.counts
        path = self.path_to(number)
        rows = [self.rounds, *(tuple(branch.children) for branch in path[:-1])]
        left = total(branch.node for row in rows for branch in row if branch.end <= number)
        return left._replace(nodes=number)

    def next_cut(self, number: int) -> int | None:
        """The first arrival after this one before which a position was left because of a cut."""
        ends = (end for root in self.rounds for end in cuts_after(root, number))
        return next(ends, None)


def cuts_after(branch: Branch, number: int) -> Iterator[int]:
    if branch.end <= number or not branch.node.cutoffs:
        return
    for child in branch.children:
        yield from cuts_after(child, number)
    if branch.node.is_cut:
        yield branch.end


def walk_of(search: Search, position: Position) -> Walk:
    """What the search does from here. A search without a table is not run again for what it has met before."""
    if position.board.size > LARGEST:
        raise BoardTooLarge(f"Searches are recorded on boards of at most {LARGEST} cells.")
    return _walk(search, position)


@lru_cache(4096)
def _walk(search: Search, position: Position) -> Walk:
    report = Report(position, search)
    recorder = Recorder(report, None if search.has_memory else _known(search, position.board))
    search.fill_in(report, recorder.wrap)
    recorder.end_round()
    rounds, number = [], 0
    for node in recorder.rounds:
        rounds.append(Branch(number, None, None, position, node))
        number += node.nodes
    return Walk(search, tuple(rounds), total(recorder.rounds), report.cell, report.score)


@lru_cache(32)
def _known(search: Search, board: Board) -> Known:
    """Below all positions of a small board, from every window that its searches come with: some 35,000 nodes."""
    return {}
