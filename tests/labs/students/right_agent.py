# ruff: noqa
# A beginner's style: long, everything spelled out, marks set and taken back, quick wins preferred.
import math


def print_board(board):
    for i in range(3):
        line = ""
        for j in range(3):
            line = line + " " + board[i][j] + " "
            if j < 2:
                line = line + "|"
        print(line)
        if i < 2:
            print("---+---+---")


def check_winner(board):
    for player in ["X", "O"]:
        for i in range(3):
            if board[i][0] == player and board[i][1] == player and board[i][2] == player:
                return player
            if board[0][i] == player and board[1][i] == player and board[2][i] == player:
                return player
        if board[0][0] == player and board[1][1] == player and board[2][2] == player:
            return player
        if board[0][2] == player and board[1][1] == player and board[2][0] == player:
            return player
    for row in board:
        for cell in row:
            if cell == " ":
                return None
    return "Draw"


def available_moves(board):
    moves = []
    for i in range(3):
        for j in range(3):
            if board[i][j] == " ":
                moves.append((i, j))
    return moves


def minimax(board, depth, is_maximizing):
    result = check_winner(board)
    if result == "O":
        return 1
    elif result == "X":
        return -1
    elif result == "Draw":
        return 0
    if is_maximizing:
        best_score = -math.inf
        for (i, j) in available_moves(board):
            board[i][j] = "O"
            score = minimax(board, depth + 1, False)
            board[i][j] = " "
            if score > best_score:
                best_score = score
            if best_score == 1:
                break
        return best_score
    else:
        best_score = math.inf
        for (i, j) in available_moves(board):
            board[i][j] = "X"
            score = minimax(board, depth + 1, True)
            board[i][j] = " "
            if score < best_score:
                best_score = score
            if best_score == -1:
                break
        return best_score


def best_move(board):
    for (i, j) in available_moves(board):
        board[i][j] = "O"
        wins = check_winner(board) == "O"
        board[i][j] = " "
        if wins:
            return (i, j)
    best_score = -math.inf
    move = None
    for (i, j) in available_moves(board):
        board[i][j] = "O"
        score = minimax(board, 0, False)
        board[i][j] = " "
        if score >= best_score:
            best_score = score
            move = (i, j)
    return move


def play_game():
    board = [[" ", " ", " "], [" ", " ", " "], [" ", " ", " "]]
    print("Welcome to Tic-Tac-Toe!")
    print("You are X, AI is O")
    print_board(board)
    while True:
        try:
            row, col = map(int, input("Enter your move (row and col: 0-2 0-2): ").split())
        except ValueError:
            print("Invalid input.")
            continue
        if row < 0 or row > 2 or col < 0 or col > 2 or board[row][col] != " ":
            print("Invalid move")
            continue
        board[row][col] = "X"
        print_board(board)
        if check_winner(board) is not None:
            break
        print("AI is thinking...")
        move = best_move(board)
        board[move[0]][move[1]] = "O"
        print_board(board)
        if check_winner(board) is not None:
            break
    if check_winner(board) == "Draw":
        print("It's a draw!")
    else:
        print(check_winner(board) + " wins!")


if __name__ == "__main__":
    play_game()
