"""How quick the engine is, as ratios in one run: against a textbook search and three packages.

`python bench/engine.py` puts the packages into an environment of their own (bench/.venv, which git ignores)
and measures there. A package that cannot be installed or used is named and left out.
"""

import subprocess
import sys
import venv
from collections.abc import Callable, Iterable
from importlib import import_module
from math import inf
from pathlib import Path
from time import process_time
from timeit import repeat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for those who run it as a script

from bench._textbook import Textbook  # noqa: E402
from webapp.tictactoe import SEARCHES, STANDARD, Board, Position, Table, table_of  # noqa: E402
from webapp.tictactoe.board import bitboard_of  # noqa: E402

HOME = ROOT / "bench" / ".venv" / "engine"
PINS = ROOT / "bench" / "requirements-engine.txt"

Solve = Callable[[], list[int]]  # one fresh search a position; the cells chosen


def main() -> int:
    return subprocess.call([environment(), "-m", "bench.engine", "measure"], cwd=ROOT)


def environment() -> str:
    """The Python to measure with: one that has the packages, if they can be had."""
    python = HOME / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    try:
        if not python.exists():
            venv.create(HOME, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--require-hashes", "-r", str(PINS)], check=True)
    except (OSError, subprocess.CalledProcessError) as refusal:
        print(f"The packages to compare with could not be installed: {refusal}.\n")
        return sys.executable
    return str(python)


# What is measured against what


def ours(positions: list[Position]) -> Solve:
    search = SEARCHES["forced"]
    return lambda: [search.run(position).cell for position in positions]


def textbook(positions: list[Position]) -> Solve:
    boards = [([list(row(position, k)) for k in range(3)], str(position.to_move)) for position in positions]

    def solve() -> list[int]:
        moves = [Textbook().best_move(board, player) for board, player in boards]
        return [3 * row + column for row, column in moves]

    return solve


def row(position: Position, number: int) -> Iterable[str | None]:
    return (mark and str(mark) for mark in map(position.mark_at, range(3 * number, 3 * number + 3)))


def easyai(positions: list[Position]) -> Solve:
    negamax, rules = import_module("easyAI").Negamax, import_module("easyAI.games.TicTacToe").TicTacToe
    games = []
    for position in positions:
        game = rules([None, None])
        game.board = [{None: 0, "X": 1, "O": 2}[position.mark_at(cell)] for cell in range(9)]
        game.current_player = 1 if position.to_move == "X" else 2
        games.append((game, negamax(9)))
    return lambda: [search(game) - 1 for game, search in games]


def aima3(positions: list[Position]) -> Solve:
    package = import_module("aima3.games")
    rules = package.TicTacToe()
    places = rules.initial.moves
    states = []
    for position in positions:
        board = {places[cell]: str(mark) for cell in range(9) if (mark := position.mark_at(cell))}
        moves = [places[cell] for cell in position.legal_cells]
        states.append(package.GameState(to_move=str(position.to_move), utility=0, board=board, moves=moves))
    return lambda: [places.index(package.alphabeta_search(state, rules)) for state in states]


def open_spiel(positions: list[Position]) -> Solve:
    search = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search
    rules = import_module("pyspiel").load_game("tic_tac_toe")
    states = []
    for position in positions:
        state = rules.new_initial_state()
        for cell in an_order_of_play(position):
            state.apply_action(cell)
        states.append(state)
    return lambda: [search(rules, state=state)[1] for state in states]


def an_order_of_play(position: Position) -> list[int]:
    """Moves that lead here: X and O in turn. No line comes about on the way to an unfinished position."""
    x, o = ([cell for cell in range(9) if position.mark_at(cell) == mark] for mark in "XO")
    return [cell for pair in zip(x, [*o, None], strict=False) for cell in pair if cell is not None]


# Measuring


def measure() -> None:
    compare_searches()
    compare_work_from_the_empty_board()


def seconds(work: Callable[[], object], before: Callable[[], object] = lambda: None, rounds: int = 5) -> float:
    """The quickest of some rounds, in time of this process: others on the machine only ever slow it down."""
    best = inf
    for _ in range(rounds):
        before()
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def side_by_side(work: Callable[[], object], base: Callable[[], object]) -> float:
    """How many times as long the work takes, each by its quickest of some rounds taken in turn."""
    times = [(seconds(work, rounds=1), seconds(base, rounds=2)) for _ in range(4)]
    return min(time for time, _ in times) / min(time for _, time in times)


def compare_searches() -> None:
    positions = unfinished_positions()
    print(f"One fresh search for each of the {len(positions):,} unfinished positions of 3x3")
    engine = ours(positions)
    engine()
    base = seconds(engine)
    print(f"  {'the engine, forced moves, no table':<38} {base * 1e6 / len(positions):8.1f} microseconds each")
    for rival in (textbook, easyai, aima3, open_spiel):
        try:
            solve = rival(positions)
            wrong = mistakes(positions, solve())
            ratio = side_by_side(solve, engine)
        except Exception as refusal:
            print(f"  {rival.__name__:<38} could not be used: {refusal!r}")
            continue
        note = f"; {wrong} of its moves are mistakes" if wrong else ""
        line(f"{rival.__name__} takes times as long", ratio, ">=", 20, note)


def unfinished_positions() -> list[Position]:
    found, front = [], {Position.start()}
    while front:
        found += sorted(front, key=str)
        front = {after for each in front for cell in each.legal_cells if not (after := each.play(cell)).is_over}
    return found


def mistakes(positions: list[Position], cells: list[int]) -> int:
    """How many of the cells give away something, by the table."""
    table = table_of(STANDARD)
    pairs = zip(positions, cells, strict=True)
    return sum(-table[position.play(cell)].value < table[position].value for position, cell in pairs)


def compare_work_from_the_empty_board() -> None:
    print("\nFrom the empty board, root counted")
    start = Position.start()
    line("nodes with forced moves, no table", SEARCHES["forced"].run(start).nodes, "<=", 1_000)
    line("nodes with table and symmetry", SEARCHES["forced-table-symmetry"].run(start).nodes, "<=", 200)

    empty = [[None] * 3 for _ in range(3)]
    one = seconds(lambda: Textbook().best_move(empty, "X"), rounds=15)
    print(f"\nIn units of one textbook alpha-beta from the empty 3x3 board ({one * 1000:.0f} ms)")
    first = seconds(lambda: Table(Board()), bitboard_of.cache_clear, rounds=15) / one
    note = f"; {first:.2f} when the board's own look-ups must be filled first"
    line("the table of all positions", seconds(lambda: Table(STANDARD), rounds=30) / one, "<=", 0.2, note)
    # Boards share what they have worked out; forgetting it makes each round as slow as the first in a process.
    solve = SEARCHES["forced-table"]
    four = seconds(lambda: solve.run(Position.start(Board(4, 4, 4))), bitboard_of.cache_clear) / one
    line("4x4 with 4 in a row, exact", four, "<=", 5, f"; {solve.run(Position.start(Board(4, 4, 4))).nodes:,} nodes")

    print("\nIn units of one look-up in a dict of the same size")
    line("a look-up in the table of all positions", look_up(), "<=", 4)


def look_up() -> float:
    table, position = table_of(STANDARD), unfinished_positions()[2_000]
    plain = {number: number for number in range(len(table))}
    names = {"table": table, "position": position, "plain": plain, "key": 2_000}
    works = ("pass", "plain[key]", "table[position]")
    nothing, one, ours = (min(repeat(work, globals=names, repeat=20)) for work in works)
    return (ours - nothing) / (one - nothing)


def line(what: str, figure: float, sign: str, target: float, note: str = "") -> None:
    met = figure >= target if sign == ">=" else figure <= target
    shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
    print(f"  {what:<52} {shown:>8}   wanted {sign} {target:g}: {'met' if met else 'MISSED'}{note}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        measure()
    else:
        sys.exit(main())
