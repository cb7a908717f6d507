"""The worksheet for a hand calculation: the whole game tree of a position on one page, and what a search fills in."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from webapp.analysis.tree import TreeNode, roots
from webapp.tictactoe import SEARCHES, Position, Search, Walk, walk_of
from webapp.tictactoe.bitboard import cell_of

MOST_FREE = 4  # cells: their tree has at most 24 ends, which is what a page has room for
PAPERS = {"a4": "A4", "letter": "Letter"}
PARTS = {"worksheet": "Only the worksheet", "answers": "Only the answers"}
BY_HAND = {name: search for name, search in SEARCHES.items() if not search.answers_threats}

WIDTH, ROW = 744, 34  # quarters of a millimetre
BOARD, GAP, LINE = 30, 4, 14


def fits(position: Position) -> bool:
    return not position.is_over and position.free.bit_count() <= MOST_FREE


@dataclass(frozen=True)
class SheetNode:
    """A position of the whole tree, with the search's visit there if it made one."""

    position: Position
    search: Search
    visit: TreeNode | None

    @cached_property
    def children(self) -> "list[SheetNode]":
        """In the order in which the search looks at the moves."""
        visits = {child.branch.cell: child for child in self.visit.children} if self.visit else {}
        if self.position.is_over:
            return []
        moves = map(cell_of, self.search.order(self.position.board.bits)[self.position.free])
        return [SheetNode(self.position.play(cell), self.search, visits.get(cell)) for cell in moves]

    @cached_property
    def rows(self) -> int:
        return sum(child.rows for child in self.children) or 1


@dataclass(frozen=True)
class Placed:
    number: int  # from the top of the tree, whether it is visited or not
    x: float
    y: float
    node: SheetNode
    parent: tuple[float, float] | None = None


@dataclass(frozen=True)
class Worksheet:
    position: Position
    search: Search

    @property
    def walk(self) -> Walk:
        return walk_of(self.search, self.position)

    @property
    def whole(self) -> int:
        """How many nodes the whole tree has."""
        return walk_of(SEARCHES["minimax"], self.position).counts.nodes

    @cached_property
    def root(self) -> SheetNode:
        return SheetNode(self.position, self.search, roots(self.walk)[0])

    @property
    def has_window(self) -> bool:
        """Whether there are boxes for alpha and beta."""
        return bool(self.search.cuts_when)

    @property
    def levels(self) -> int:
        return 1 + max(depth for depth, _, _ in placed_below(self.root))

    @property
    def column(self) -> float:
        return WIDTH / self.levels

    @property
    def box(self) -> float:
        """The width of a box to write in."""
        space = self.column - BOARD - LINE - 4 * GAP
        return min(30, space / 3)

    @property
    def placed(self) -> list[Placed]:
        places = [((depth * self.column, row * ROW), node) for depth, row, node in placed_below(self.root)]
        parents = {id(child): point for point, node in places for child in node.children}
        return [Placed(number, *point, node, parents.get(id(node))) for number, (point, node) in enumerate(places)]

    @property
    def height(self) -> int:
        return self.root.rows * ROW

    @property
    def cuts(self) -> list[tuple[int, TreeNode]]:
        """The nodes at which the search stopped before all moves were looked at, with their numbers on the sheet."""
        visits = ((one.number, one.node.visit) for one in self.placed)
        return [(number, visit) for number, visit in visits if visit and visit.passed_over]


def placed_below(node: SheetNode, depth: int = 0, row: float = 0) -> Iterator[tuple[int, float, SheetNode]]:
    """Each node in the middle of its children, and them below one another."""
    yield depth, row + (node.rows - 1) / 2, node
    for child in node.children:
        yield from placed_below(child, depth + 1, row)
        row += child.rows
