# ruff: noqa
# Right, but slow: plain minimax on lists, a deep copy for each board, everything counted anew.
import copy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    count_x = 0
    count_o = 0
    for row in board:
        for cell in row:
            if cell == X:
                count_x += 1
            elif cell == O:
                count_o += 1
    if count_x > count_o:
        return O
    return X


def actions(board):
    moves = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                moves.add((i, j))
    return moves


def result(board, action):
    if action not in actions(board):
        raise Exception("invalid action")
    new_board = copy.deepcopy(board)
    new_board[action[0]][action[1]] = player(board)
    return new_board


def winner(board):
    for i in range(3):
        if board[i][0] != EMPTY and board[i][0] == board[i][1] and board[i][1] == board[i][2]:
            return board[i][0]
        if board[0][i] != EMPTY and board[0][i] == board[1][i] and board[1][i] == board[2][i]:
            return board[0][i]
    if board[1][1] != EMPTY and board[0][0] == board[1][1] and board[1][1] == board[2][2]:
        return board[1][1]
    if board[1][1] != EMPTY and board[0][2] == board[1][1] and board[1][1] == board[2][0]:
        return board[1][1]
    return None


def terminal(board):
    if winner(board) is not None:
        return True
    for row in board:
        if EMPTY in row:
            return False
    return True


def utility(board):
    if winner(board) == X:
        return 1
    elif winner(board) == O:
        return -1
    return 0


def minimax(board):
    if terminal(board):
        return None
    best_action = None
    if player(board) == X:
        best = -2
        for action in actions(board):
            value = min_value(result(board, action))
            if value > best:
                best = value
                best_action = action
    else:
        best = 2
        for action in actions(board):
            value = max_value(result(board, action))
            if value < best:
                best = value
                best_action = action
    return best_action


def max_value(board):
    if terminal(board):
        return utility(board)
    value = -2
    for action in actions(board):
        value = max(value, min_value(result(board, action)))
    return value


def min_value(board):
    if terminal(board):
        return utility(board)
    value = 2
    for action in actions(board):
        value = min(value, max_value(result(board, action)))
    return value
