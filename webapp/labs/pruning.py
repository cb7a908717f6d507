"""Project 1, model answer: minimax and alpha-beta side by side; X is the person (Min), O the computer (Max).

Stands alone: what a student is asked to write, standard library only."""
# ruff: noqa: N802, T201  (the project's own names; a game in the terminal prints)

import contextlib
import time
from collections.abc import Callable

Board = list[list[str]]
Choice = tuple[int, int | None, int | None]


class Game:
    """One game on a board of 'X', 'O' and '.', and the searches that play it."""

    def __init__(self) -> None:
        """Begin with an empty board."""
        self.build_game()

    def build_game(self, board: Board | None = None) -> None:
        """Set the board up, empty unless one is given. X moves next; no node has been visited."""
        self.current_state = [list(row) for row in board] if board else [["."] * 3 for _ in range(3)]
        self.nodes = 0

    def is_end(self) -> str | None:
        """Return 'X' or 'O' for three in a row, '.' for a tie, None while the game goes on."""
        top, middle, bottom = self.current_state
        columns = zip(top, middle, bottom, strict=True)
        diagonals = (top[0], middle[1], bottom[2]), (top[2], middle[1], bottom[0])
        for first, second, third in [*self.current_state, *columns, *diagonals]:
            if first == second == third != ".":
                return first
        return None if self.free_cells() else "."

    def free_cells(self) -> list[tuple[int, int]]:
        """Return the free cells as (row, column), in reading order."""
        return [(i, j) for i in range(3) for j in range(3) if self.current_state[i][j] == "."]

    def Max(self) -> Choice:
        """Return (value, row, column) of O's best move: 1 O wins, 0 tie, -1 X wins."""
        self.nodes += 1
        result = self.is_end()
        if result is not None:
            return {"X": -1, "O": 1, ".": 0}[result], 0, 0
        best: Choice = (-2, None, None)
        for i, j in self.free_cells():
            self.current_state[i][j] = "O"
            value = self.Min()[0]
            self.current_state[i][j] = "."
            if value > best[0]:
                best = (value, i, j)
        return best

    def Min(self) -> Choice:
        """Return (value, row, column) of X's best move: -1 X wins, 0 tie, 1 O wins."""
        self.nodes += 1
        result = self.is_end()
        if result is not None:
            return {"X": -1, "O": 1, ".": 0}[result], 0, 0
        best: Choice = (2, None, None)
        for i, j in self.free_cells():
            self.current_state[i][j] = "X"
            value = self.Max()[0]
            self.current_state[i][j] = "."
            if value < best[0]:
                best = (value, i, j)
        return best

    def MaxAlphaBeta(self, alpha: int, beta: int) -> Choice:
        """Return what Max returns, but stop once the value reaches beta: X would not come here."""
        self.nodes += 1
        result = self.is_end()
        if result is not None:
            return {"X": -1, "O": 1, ".": 0}[result], 0, 0
        best: Choice = (-2, None, None)
        for i, j in self.free_cells():
            self.current_state[i][j] = "O"
            value = self.MinAlphaBeta(alpha, beta)[0]
            self.current_state[i][j] = "."
            if value > best[0]:
                best = (value, i, j)
            if best[0] >= beta:
                break
            alpha = max(alpha, best[0])
        return best

    def MinAlphaBeta(self, alpha: int, beta: int) -> Choice:
        """Return what Min returns, but stop once the value reaches alpha: O would not come here."""
        self.nodes += 1
        result = self.is_end()
        if result is not None:
            return {"X": -1, "O": 1, ".": 0}[result], 0, 0
        best: Choice = (2, None, None)
        for i, j in self.free_cells():
            self.current_state[i][j] = "X"
            value = self.MaxAlphaBeta(alpha, beta)[0]
            self.current_state[i][j] = "."
            if value < best[0]:
                best = (value, i, j)
            if best[0] <= alpha:
                break
            beta = min(beta, best[0])
        return best

    def Play(self) -> None:
        """Play in the terminal with plain minimax."""
        self.play_with(self.Min, self.Max, "It is a tie!")

    def PlayAlphaBeta(self) -> None:
        """Play in the terminal with alpha-beta pruning."""
        self.play_with(lambda: self.MinAlphaBeta(-2, 2), lambda: self.MaxAlphaBeta(-2, 2), "It's a tie!")

    def play_with(self, search_x: Callable[[], Choice], search_o: Callable[[], Choice], tie: str) -> None:
        """Let the person (X) and the computer (O) move in turn until the game ends, and say how."""
        self.draw_board()
        mark = "X"
        while self.is_end() is None:
            row, column = self.ask_move(search_x) if mark == "X" else search_o()[1:]
            if row is not None and column is not None:
                self.current_state[row][column] = mark
            self.draw_board()
            mark = "O" if mark == "X" else "X"
        result = self.is_end()
        print(tie if result == "." else f"The winner is {result}!")

    def ask_move(self, search: Callable[[], Choice]) -> tuple[int, int]:
        """Recommend a move to the person, then ask until they name a free cell."""
        self.nodes = 0
        start = time.perf_counter()
        _, row, column = search()
        print(f"Evaluation time: {time.perf_counter() - start:.7f}s")
        print(f"Nodes visited: {self.nodes}")
        print(f"Recommended move: Row = {row}, Column = {column}")
        while True:
            with contextlib.suppress(ValueError):
                move = int(input("Row: ")), int(input("Column: "))
                if move in self.free_cells():
                    return move
            print("That is not a free cell. Use two numbers from 0 to 2.")

    def draw_board(self) -> None:
        """Print the three rows and an empty line."""
        print("\n".join(" ".join(row) for row in self.current_state) + "\n")


if __name__ == "__main__":
    print("Tic Tac Toe!\n")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        Game().PlayAlphaBeta()
