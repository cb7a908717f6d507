"""Every search under its name, for tables that compare them and pages that run one."""

from .alphabeta import AlphaBeta
from .deepening import Deepening
from .forced import Forced
from .minimax import Minimax
from .search import Report, Search

__all__ = ["SEARCHES", "Report", "Search"]

SEARCHES: dict[str, Search] = {
    search.name: search
    for search in (
        Minimax(),
        AlphaBeta(
            "alpha-beta",
            "Alpha-beta",
            "Stops looking at a position once the opponent would not let it come about.",
        ),
        AlphaBeta(
            "alpha-beta-strict",
            "Alpha-beta, cutting only when worse",
            "The same, but goes on looking when the opponent has something equally good.",
            cut_on_equality=False,
        ),
        AlphaBeta(
            "alpha-beta-ordered",
            "Alpha-beta, centre first",
            "Tries the cells with most lines through them first, so that it can stop sooner.",
            central_first=True,
        ),
        AlphaBeta(
            "alpha-beta-ordered-strict",
            "Alpha-beta, centre first, cutting only when worse",
            "Good order, but goes on looking when the opponent has something equally good.",
            central_first=True,
            cut_on_equality=False,
        ),
        Forced(
            "forced",
            "Alpha-beta with forced moves",
            "Takes a win and answers a threat at once, and prefers quick wins. The computer plays with this.",
        ),
        Forced(
            "forced-table",
            "Forced moves and a table",
            "The same, and remembers the positions it has seen.",
            remember=True,
        ),
        Forced(
            "forced-table-symmetry",
            "Forced moves, a table and symmetry",
            "The same, and knows a position again when it is turned or reflected.",
            remember=True,
            fold=True,
        ),
        Deepening(
            "deepening",
            "Step by step",
            "Looks one ply further each time, guesses beyond, and stops after 20,000 nodes.",
            nodes=20_000,
        ),
    )
}
