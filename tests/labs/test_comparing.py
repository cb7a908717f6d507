"""The comparison of all searches in the terminal: counts as on the site, real times, and progress."""

import json
import re
from pathlib import Path

import pytest

from tests.labs.test_checker import MODEL, run, written
from webapp.labs.comparing import as_table, compare
from webapp.tictactoe import SEARCHES, Position, X, walk_of


def test_every_search_is_run_and_its_counts_are_those_of_the_site() -> None:
    position = Position.parse("..OXOO..X", X)
    done = run("compare", "..O/XOO/..X", "--to-move", "X")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("..OXOO..X, X to move\n")
    rows = {words[0]: words[1:] for line in done.stdout.splitlines() if len(words := line.split()) == 9}
    for name, search in SEARCHES.items():
        counts = walk_of(search, position).counts
        assert rows[name][:4] == [str(count) for count in counts]
        assert " ".join(rows[name][4:6]) == "(2, 0)"
        assert 0 < float(rows[name][6]) <= float(rows[name][7])


def test_progress_and_the_smallest_and_largest_time_are_told() -> None:
    ticks, told = iter(range(1000)), []
    compared = compare(Position.parse("XO......."), 2, lambda: next(ticks) ** 2, lambda *now: told.append(now))
    assert [done for done, _, _ in told] == list(range(18))
    assert {total for _, total, _ in told} == {18}
    assert compared[0].seconds == [1, 5]
    assert re.search(r"minimax .* 1,000\.000 +5,000\.000\n", as_table(Position.parse("XO......."), compared))
    assert "of 2 runs" in as_table(Position.parse("XO......."), compared)


def test_what_is_no_position_or_over_is_a_sentence() -> None:
    for text, sentence in {
        "XX.......": "X and O move in turn, so their counts differ by one at most; here X has 2 and O has 0.\n",
        "XXXOO....": "There is nothing to search: X has won.\n",
    }.items():
        done = run("compare", text)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


@pytest.mark.slow
def test_with_the_address_of_a_site_each_board_is_a_link_to_its_analysis(tmp_path: Path) -> None:
    file = written(tmp_path, MODEL.replace("return X if len(marks) % 2 == 0 else O", "return O"))
    link = "https://noughts.example/analysis?position=XOXOXOOX.&to_move=X"
    done = run("check", "tictactoe", file, "--only", "player", "--site", "https://noughts.example/")
    assert f"Analysis:         {link}\n" in done.stdout
    done = run("check", "tictactoe", file, "--only", "player", "--site", "https://noughts.example", "--json")
    assert json.loads(done.stdout)["tests"][-1]["finding"]["analysis"] == link


def test_the_address_of_a_site_must_be_one() -> None:
    done = run("check", "tictactoe", "run.py", "--site", "noughts.example")
    assert done.returncode == 2
    assert "begins with http:// or https://" in done.stderr
