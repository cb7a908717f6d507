# ruff: noqa
# An object-oriented style: one search with a switch behind the four names, moves tried from the last cell.
import time


class Board:
    def __init__(self, rows):
        self.rows = [row[:] for row in rows]

    def lines(self):
        a, b, c, d, e, f, g, h, i = self.rows[0] + self.rows[1] + self.rows[2]
        return a + b + c, d + e + f, g + h + i, a + d + g, b + e + h, c + f + i, a + e + i, c + e + g

    def empty(self):
        return [(i, j) for i in (2, 1, 0) for j in (2, 1, 0) if self.rows[i][j] == "."]


class Game:
    VALUE = {"O": 1, "X": -1, ".": 0}

    def __init__(self):
        self.build_game([["."] * 3 for _ in range(3)])

    def build_game(self, board):
        self.board = Board(board)

    @property
    def current_state(self):
        return self.board.rows

    def is_end(self):
        lines = self.board.lines()
        for mark in "XO":
            if mark * 3 in lines:
                return mark
        return None if self.board.empty() else "."

    def search(self, mark, alpha, beta, prune):
        end = self.is_end()
        if end:
            return (self.VALUE[end], 0, 0)
        best = None
        for i, j in self.board.empty():
            self.current_state[i][j] = mark
            value = self.search("X" if mark == "O" else "O", alpha, beta, prune)[0]
            self.current_state[i][j] = "."
            if best is None or (value > best[0] if mark == "O" else value < best[0]):
                best = (value, i, j)
            if mark == "O":
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if prune and alpha >= beta:
                return best
        return best

    def Max(self):
        return self.search("O", -2, 2, False)

    def Min(self):
        return self.search("X", -2, 2, False)

    def MaxAlphaBeta(self, alpha, beta):
        return self.search("O", alpha, beta, True)

    def MinAlphaBeta(self, alpha, beta):
        return self.search("X", alpha, beta, True)

    def show(self):
        for row in self.current_state:
            print(*row)
        print()

    def play(self, prune):
        mark = "X"
        while True:
            self.show()
            end = self.is_end()
            if end:
                print("It's a tie!" if end == "." else f"The winner is {end}!")
                return
            start = time.time()
            _, i, j = self.search(mark, -2, 2, prune)
            if mark == "X":
                print(f"Evaluation time: {time.time() - start}s")
                print(f"Recommended move: Row = {i}, Column = {j}")
                i, j = int(input("Row: ")), int(input("Column: "))
                if (i, j) not in self.board.empty():
                    print("The move is not possible.")
                    continue
            self.current_state[i][j] = mark
            mark = "O" if mark == "X" else "X"

    def Play(self):
        self.play(False)

    def PlayAlphaBeta(self):
        self.play(True)


if __name__ == "__main__":
    Game().PlayAlphaBeta()
