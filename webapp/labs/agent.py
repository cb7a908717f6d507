"""Lab Session #4, model answer: a person plays X in the terminal against an agent that plays O.

Stands alone: what a student is asked to write, standard library only."""
# ruff: noqa: T201  (a game in the terminal prints)

import contextlib
import math

Board = list[list[str]]
Move = tuple[int, int]


def print_board(board: Board) -> None:
    """Print the board: bars between the cells, a line between the rows."""
    print("\n-----\n".join(" | ".join(row) for row in board))


def check_winner(board: Board) -> str | None:
    """Return "X" or "O" for three in a row, "Draw" for a full board, None while the game goes on."""
    top, middle, bottom = board
    columns = zip(top, middle, bottom, strict=True)
    diagonals = (top[0], middle[1], bottom[2]), (top[2], middle[1], bottom[0])
    for first, second, third in [*board, *columns, *diagonals]:
        if first == second == third != " ":
            return first
    return None if available_moves(board) else "Draw"


def available_moves(board: Board) -> list[Move]:
    """Return the empty cells as (row, col) pairs, in reading order."""
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == " "]


def minimax(board: Board, depth: int, is_maximizing: bool) -> float:
    """Return what the board is worth with best play: +1 if O wins, -1 if X wins, 0 for a draw.

    `is_maximizing` tells that O is to move; `depth` counts the moves made since the search began.
    """
    winner = check_winner(board)
    if winner is not None:
        return {"O": 1, "X": -1, "Draw": 0}[winner]
    best_score = -math.inf if is_maximizing else math.inf
    for i, j in available_moves(board):
        board[i][j] = "O" if is_maximizing else "X"
        score = minimax(board, depth + 1, not is_maximizing)
        board[i][j] = " "
        best_score = max(best_score, score) if is_maximizing else min(best_score, score)
    return best_score


def best_move(board: Board) -> Move | None:
    """Return the first best move for O as (row, col), or None when the game is over."""
    if check_winner(board) is not None:
        return None
    best_score, move = -math.inf, None
    for i, j in available_moves(board):
        board[i][j] = "O"
        score = minimax(board, 0, False)
        board[i][j] = " "
        if score > best_score:
            best_score, move = score, (i, j)
    return move


def ask_move(board: Board) -> Move:
    """Ask the person for a row and a column until they name an empty cell."""
    while True:
        try:
            row, col = map(int, input("Enter your move (row and col: 0-2 0-2): ").split())
        except ValueError:
            row, col = -1, -1
        if (row, col) in available_moves(board):
            return row, col
        print("Invalid input. Use two numbers between 0 and 2 separated by a space.")


def play_game() -> None:
    """Play one game in the terminal, the person first, and say how it ended."""
    board = [[" "] * 3 for _ in range(3)]
    print("Welcome to Tic-Tac-Toe!\nYou are X, AI is O\n")
    print_board(board)
    mark = "X"
    while check_winner(board) is None:
        if mark == "O":
            print("AI is thinking...")
        move = ask_move(board) if mark == "X" else best_move(board)
        if move:
            board[move[0]][move[1]] = mark
        print_board(board)
        mark = "O" if mark == "X" else "X"
    result = check_winner(board)
    print("It's a draw!" if result == "Draw" else f"{result} wins!")


if __name__ == "__main__":
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        play_game()
