"""Assignment #1, model answer: tic-tac-toe for either side, by minimax with alpha-beta pruning.

Stands alone: what a student is asked to write, standard library only."""

import copy
import math

X = "X"
O = "O"  # noqa: E741  (the assignment's own name)
EMPTY = None

Cell = str | None
Board = list[list[Cell]]
Action = tuple[int, int]


def initial_state() -> Board:
    """Return the starting state of the game: three rows of three empty cells."""
    return [[EMPTY] * 3 for _ in range(3)]


def player(board: Board) -> str:
    """Return the player whose turn it is, X or O. X has the first move."""
    marks = [cell for row in board for cell in row if cell is not EMPTY]
    return X if len(marks) % 2 == 0 else O


def actions(board: Board) -> set[Action]:
    """Return the set of all possible actions (i, j): row i, cell j."""
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board: Board, action: Action) -> Board:
    """Return the new board after the player to move takes `action`; the given board stays as it is.

    Raise an exception if the action is not possible on this board.
    """
    if action not in actions(board):
        raise ValueError(f"{action} is not a free cell of the board")
    after = copy.deepcopy(board)
    after[action[0]][action[1]] = player(board)
    return after


def winner(board: Board) -> str | None:
    """Return X or O if that player has three in a row, otherwise None."""
    top, middle, bottom = board
    columns = zip(top, middle, bottom, strict=True)
    diagonals = (top[0], middle[1], bottom[2]), (top[2], middle[1], bottom[0])
    for first, second, third in [*board, *columns, *diagonals]:
        if first == second == third != EMPTY:
            return first
    return None


def terminal(board: Board) -> bool:
    """Return True if the game is over, won or with all cells filled, otherwise False."""
    return winner(board) is not None or not actions(board)


def utility(board: Board) -> int:
    """Return 1 if X has won the finished game, -1 if O has won it, 0 for a tie."""
    if winner(board) == X:
        return 1
    return -1 if winner(board) == O else 0


def minimax(board: Board) -> Action | None:
    """Return an optimal action for the player to move, or None if the game is over."""
    search = max_value if player(board) == X else min_value
    return search(board, -math.inf, math.inf)[1]


def max_value(board: Board, alpha: float, beta: float) -> tuple[float, Action | None]:
    """Return the best X can reach here, and how; look no further once O would not allow it."""
    if terminal(board):
        return utility(board), None
    best, best_action = -math.inf, None
    for action in sorted(actions(board)):
        value, _ = min_value(result(board, action), alpha, beta)
        if value > best:
            best, best_action = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_action


def min_value(board: Board, alpha: float, beta: float) -> tuple[float, Action | None]:
    """Return the best O can reach here, and how; look no further once X would not allow it."""
    if terminal(board):
        return utility(board), None
    best, best_action = math.inf, None
    for action in sorted(actions(board)):
        value, _ = max_value(result(board, action), alpha, beta)
        if value < best:
            best, best_action = value, action
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best, best_action
