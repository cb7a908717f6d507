"""Alpha-beta as textbooks print it, on a list of lists: what bench/engine.py measures the engine against."""

from math import inf

Board = list[list[str | None]]


class Textbook:
    """MAX plays X, MIN plays O. Counts its nodes, the root included."""

    def __init__(self) -> None:
        self.nodes = 0

    def best_move(self, board: Board, player: str) -> tuple[int, int]:
        self.nodes += 1
        best, best_move = -inf, (0, 0)
        for row, column in free_cells(board):
            board[row][column] = player
            x = player == "X"
            value = self.value(board, "O", best, inf) if x else -self.value(board, "X", -inf, -best)
            board[row][column] = None
            if value > best:
                best, best_move = value, (row, column)
        return best_move

    def value(self, board: Board, player: str, alpha: float, beta: float) -> float:
        self.nodes += 1
        won_by = winner(board)
        if won_by is not None:
            return 1 if won_by == "X" else -1
        cells = free_cells(board)
        if not cells:
            return 0
        return self.max_value(board, cells, alpha, beta) if player == "X" else self.min_value(board, cells, alpha, beta)

    def max_value(self, board: Board, cells: list[tuple[int, int]], alpha: float, beta: float) -> float:
        value = -inf
        for row, column in cells:
            board[row][column] = "X"
            value = max(value, self.value(board, "O", alpha, beta))
            board[row][column] = None
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value

    def min_value(self, board: Board, cells: list[tuple[int, int]], alpha: float, beta: float) -> float:
        value = inf
        for row, column in cells:
            board[row][column] = "O"
            value = min(value, self.value(board, "X", alpha, beta))
            board[row][column] = None
            beta = min(beta, value)
            if alpha >= beta:
                break
        return value


def free_cells(board: Board) -> list[tuple[int, int]]:
    return [(row, column) for row in range(3) for column in range(3) if board[row][column] is None]


def winner(board: Board) -> str | None:
    for k in range(3):
        if board[k][0] is not None and board[k][0] == board[k][1] == board[k][2]:
            return board[k][0]
        if board[0][k] is not None and board[0][k] == board[1][k] == board[2][k]:
            return board[0][k]
    if board[1][1] is not None:
        if board[0][0] == board[1][1] == board[2][2]:
            return board[1][1]
        if board[0][2] == board[1][1] == board[2][0]:
            return board[1][1]
    return None


if __name__ == "__main__":
    textbook = Textbook()
    textbook.best_move([[None] * 3 for _ in range(3)], "X")
    print(f"Textbook alpha-beta visits {textbook.nodes:,} nodes from the empty board.")
