"""Every search under its name, for tables that compare them and pages that run one."""

from .alphabeta import AlphaBeta
from .deepening import Deepening
from .forced import Forced
from .minimax import Minimax
from .search import CENTRE_FIRST, Report, Search

__all__ = ["SEARCHES", "Report", "Search"]

SEARCHES: dict[str, Search] = {
    search.name: search
    for search in (
        Minimax("minimax", "Minimax", "Plays every game to its end and takes the best for each side."),
        AlphaBeta(
            "alpha-beta",
            "Alpha-beta",
            "Leaves a position once the opponent has something at least as good elsewhere.",
        ),
        AlphaBeta(
            "alpha-beta-strict",
            "Alpha-beta without cutting on equality",
            "Leaves a position only once the opponent has something better elsewhere.",
            cut_on_equality=False,
        ),
        AlphaBeta(
            "alpha-beta-ordered",
            "Alpha-beta, centre first",
            "Tries the cells with most lines through them first, and so can leave sooner.",
            order=CENTRE_FIRST,
        ),
        AlphaBeta(
            "alpha-beta-ordered-strict",
            "Alpha-beta, centre first, without cutting on equality",
            "Good order, but leaves a position only once the opponent has something better elsewhere.",
            order=CENTRE_FIRST,
            cut_on_equality=False,
        ),
        Forced(
            "forced",
            "Alpha-beta with forced moves",
            "Takes a win, answers a threat and prefers the quicker win. The computer plays with this.",
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
            "Looks one ply further each time, guesses what lies beyond, and stops after 20,000 nodes.",
            most_nodes=20_000,
        ),
    )
}
