"""How long check-all takes for a class of the usual mix. `python3 run.py bench labs`.

The files are made up: three styles, each with the mistakes that beginners make. Processor time is measured, so that the
figure means the same on a machine that does other things too.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench._table import Table
from webapp.labs.starters import model_text, starter

ROOT = Path(__file__).resolve().parents[1]
STUDENTS = ROOT / "tests" / "labs" / "students"
PLAIN = (STUDENTS / "slow_tictactoe.py").read_text("utf-8")  # plain minimax on lists with deep copies
MEMORY = (STUDENTS / "right_tictactoe.py").read_text("utf-8")
PRUNED = model_text("tictactoe")
CORES = 2

RAISES = '    if action not in actions(board):\n        raise Exception("invalid action")\n'
TAKEN = '    if board[action[0]][action[1]] != EMPTY:\n        raise Exception("taken")\n'
SEARCH = "    if terminal(board):\n        return None\n    best_action = None"
Changes = tuple[tuple[str, str], ...]

# How many of a hundred, of which style, with which mistake.
MIX: list[tuple[int, str, Changes]] = [
    (7, PLAIN, ()),
    (6, PRUNED, ()),
    (2, MEMORY, ()),
    (5, PLAIN, ((RAISES, ""),)),
    (6, PLAIN, ((RAISES, TAKEN),)),
    (4, PLAIN, ((SEARCH, SEARCH.replace("return None", "return (0, 0)")),)),
    (8, PRUNED, (("if action not in actions(board)", "if board[action[0]][action[1]] is not EMPTY"),)),
    (4, PRUNED, (("    if action not in actions(board):\n", "    if False:\n"),)),
    (6, PLAIN, (("copy.deepcopy(board)", "copy.copy(board)"),)),
    (5, PLAIN, (("board[0][2] == board[1][1] and board[1][1] == board[2][0]", "False"),)),
    (4, PLAIN, (("            return False\n    return True", "            return False\n    return False"),)),
    (4, PLAIN, (("winner(board) == X:\n        return 1", "winner(board) == X:\n        return -1"),)),
    (5, PLAIN, (("if count_x > count_o", "if count_x >= count_o"),)),
    (4, PLAIN, (("moves = set()", "moves = []"), ("moves.add", "moves.append"))),
    (3, PLAIN, (("    return best_action", "    return best, best_action"),)),
    (3, PLAIN, (("    best_action = None\n", "    print('looking', board)\n    best_action = None\n"),)),
    (4, PLAIN, (("    best_action = None\n", "    return sorted(actions(board))[0]\n"),)),
    (4, PLAIN, (("value = max(value, min_value", "value = max(value, max_value"),)),
    (4, starter("tictactoe"), ()),
    (3, PLAIN, (("def max_value(board):\n", "def max_value(board):\n    raise NotImplementedError\n"),)),
    (3, PLAIN, (("def winner(board):", "def winner(board)"),)),
    (3, PLAIN, (("def max_value(board):\n", "def max_value(board):\n    while True:\n        pass\n"),)),
    (3, PLAIN, (("new_board = copy.deepcopy(board)", "new_board = deepcopy(board)"),)),
]  # fmt: skip
COPIES = 3  # handed in twice, to the last byte: these come on top of the first file of the mix


def main() -> int:
    table = Table("python3 run.py bench labs")
    with tempfile.TemporaryDirectory() as folder:
        count = make_class(Path(folder) / "class")
        began, before = time.perf_counter(), processor_seconds()
        program = [sys.executable, "-m", "webapp.labs", "check-all", "tictactoe", str(Path(folder) / "class")]
        subprocess.run([*program, "--csv", str(Path(folder) / "grades.csv")], cwd=ROOT, stdout=subprocess.DEVNULL)
        seconds, wall = processor_seconds() - before, time.perf_counter() - began
    note = f"{seconds / count:.1f} s of a core for each file; it took {wall / 60:.1f} minutes here, beside other work"
    what = f"minutes for {count} files of the usual mix, on {CORES} idle cores"
    table.add(what, seconds / CORES / 60, "<=", 10, note)
    table.write()
    return 0


def make_class(folder: Path) -> int:
    """Lay out the files, each with a comment of its own, and a few that are equal."""
    folder.mkdir()
    texts = [with_changes(text, changes) for count, text, changes in MIX for _ in range(count)]
    for number, text in enumerate(texts):
        (folder / f"student{number:03}.py").write_text(f"# {number}\n{text}", encoding="utf-8")
    for number in range(COPIES):
        (folder / f"copied{number}.py").write_text(f"# 0\n{texts[0]}", encoding="utf-8")
    return len(list(folder.iterdir()))


def with_changes(text: str, changes: Changes) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
