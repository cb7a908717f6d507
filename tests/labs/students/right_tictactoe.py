# ruff: noqa
# A functional style: tuples, a memory of all boards, any of the best moves by lot.
import random
from functools import lru_cache

X, O, EMPTY = "X", "O", None
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

flat = lambda board: tuple(cell for row in board for cell in row)
unflat = lambda cells: [list(cells[k : k + 3]) for k in (0, 3, 6)]
free = lambda cells: [k for k, cell in enumerate(cells) if cell is EMPTY]
turn = lambda cells: X if cells.count(X) == cells.count(O) else O


def initial_state():
    return unflat((EMPTY,) * 9)


def player(board):
    return turn(flat(board))


def actions(board):
    return frozenset(divmod(k, 3) for k in free(flat(board)))


def result(board, action):
    i, j = action
    assert 0 <= i < 3 and 0 <= j < 3 and board[i][j] is EMPTY
    return unflat(after(flat(board), 3 * i + j))


def after(cells, k):
    return cells[:k] + (turn(cells),) + cells[k + 1 :]


def won(cells):
    return next((cells[a] for a, b, c in LINES if cells[a] and cells[a] == cells[b] == cells[c]), None)


def winner(board):
    return won(flat(board))


def terminal(board):
    return bool(winner(board)) or EMPTY not in flat(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


@lru_cache(maxsize=None)
def worth(cells):
    if won(cells):
        return -1
    return max((-worth(after(cells, k)) for k in free(cells)), default=0)


def minimax(board):
    if terminal(board):
        return None
    cells = flat(board)
    best = max(-worth(after(cells, k)) for k in free(cells))
    return divmod(random.choice([k for k in free(cells) if -worth(after(cells, k)) == best]), 3)
