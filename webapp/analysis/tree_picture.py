"""Where the nodes of a tree stand in its picture: the root on the left, every end on a row of its own."""

from collections.abc import Iterator
from dataclasses import dataclass

from webapp.analysis.open_tree import OpenTree
from webapp.analysis.tree import TreeNode
from webapp.tictactoe import Position

COLUMN, ROW = 208, 62

Point = tuple[float, float]


@dataclass(frozen=True)
class Placed:
    """A node, or a position that was never visited, and where the line to its parent begins."""

    x: float
    y: float
    position: Position
    node: TreeNode | None = None  # None if it was never visited
    parent: Point | None = None


@dataclass(frozen=True)
class Picture:
    placed: list[Placed]
    width: int
    height: int


def picture_of(tree: OpenTree) -> Picture:
    rows, placed = 0, []
    for root in tree.roots:
        found = list(laid_out(tree, root, 0, rows))
        placed += found
        rows = 1 + round(max(one.y for one in found) / ROW)
    width = COLUMN * round(1 + max(one.x for one in placed) / COLUMN)
    return Picture(placed, width, ROW * rows)


def laid_out(tree: OpenTree, node: TreeNode, depth: int, row: int, parent: Point | None = None) -> Iterator[Placed]:
    """A node in the middle of its children, and them below one another from this row on."""
    own = (depth * COLUMN, ROW * (row + (rows_of(tree, node) - 1) / 2))
    yield Placed(*own, node.position, node, parent)
    if not tree.is_open(node):
        return
    for child in node.children:
        yield from laid_out(tree, child, depth + 1, row, own)
        row += rows_of(tree, child)
    for cell in node.branch.cells_passed_over:
        yield Placed((depth + 1) * COLUMN, ROW * row, node.position.play(cell), None, own)
        row += 1


def rows_of(tree: OpenTree, node: TreeNode) -> int:
    if not tree.is_open(node):
        return 1
    return max(1, sum(rows_of(tree, child) for child in node.children) + len(node.branch.cells_passed_over))
