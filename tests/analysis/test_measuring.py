"""Evaluation times: on a press, within the budget, one at a time, and nobody can make them up."""

import re
import subprocess
import sys

import pytest

from tests.conftest import Browser
from webapp.analysis import measuring
from webapp.analysis.measuring import BUDGET, FEWEST_RUNS, Measuring, OneAtATime, measure
from webapp.config import ROOT
from webapp.tictactoe import SEARCHES, Position, Report, Search, X

DOCUMENT = {"position": "..OXOO..X", "to_move": "X"}


class Machine:
    """A machine on which a node takes a known time, and the clock that goes with it."""

    def __init__(self, seconds_a_node: float) -> None:
        self.now, self.seconds_a_node, self.ran = 0.0, seconds_a_node, []

    def clock(self) -> float:
        return self.now

    def run(self, search: Search, position: Position) -> Report:
        report = SEARCHES[search.name].__class__.fill_in(search, Report(position, search), lambda value: value)
        self.now += report.nodes * self.seconds_a_node
        self.ran.append((search.name, report.nodes))
        return report


@pytest.fixture(params=[1e-8, 1e-6, 3e-6, 1e-5], ids="{:.0e} s a node".format)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(request.param)
    monkeypatch.setattr(Search, "run", lambda search, position: machine.run(search, position))
    return machine


@pytest.mark.parametrize("text", [".........", "X........", "X...O....", "..OXOO..X"])
def test_the_budget_is_kept_on_quick_and_on_slow_machines(machine: Machine, text: str) -> None:
    found = measure(Position.parse(text), machine.clock)
    assert machine.now <= BUDGET
    assert all(times.runs >= FEWEST_RUNS and times.smallest <= times.largest for times in found)
    assert len(found) >= 3


def test_plain_minimax_from_the_empty_board_is_never_run(machine: Machine) -> None:
    measure(Position.start(), machine.clock)
    assert max(nodes for _, nodes in machine.ran) < 100_000


def test_a_short_tree_is_measured_by_every_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "BUDGET", 30)
    found = measure(Position.parse("..OXOO..X", X))
    assert {times.name for times in found} == set(SEARCHES)


def test_the_end_of_a_game_needs_no_time() -> None:
    assert measure(Position.parse("XXXOO....")) == []


def press(client: Browser, **fields: str) -> str:
    answer = client.send("/analysis/measure", page="/analysis", **fields)
    assert answer.status_code == 303
    return str(answer.location)


def times_on(page: str) -> dict[str, str]:
    part = page.partition("Minimum time")[2].partition("</table>")[0]
    return dict(re.findall(r'scope="row">([^<]+)</th>\s*<td[^>]*>([^<]+)<', part))


def test_a_press_of_measure_shows_the_times(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "BUDGET", 30)
    page = client.get(press(client, **DOCUMENT)).text
    assert set(times_on(page)) == {search.title for search in SEARCHES.values()}
    assert all(re.match(r"[\d,.]+ ms$", time) for time in times_on(page).values())
    assert "Measure again" in page


def test_what_is_not_measured_says_how_to_get_it(client: Browser) -> None:
    page = client.get(press(client, position=".........")).text
    assert times_on(page)["Minimax"] == "Not measured: 549,946 nodes would take too long."
    assert "python3 -m webapp.labs compare ......... --to-move X" in page


def test_the_page_itself_runs_no_search(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a search was run")

    monkeypatch.setattr(Search, "run", refuse)
    for query in ("", "?position=X........", "?position=..OXOO..X&to_move=X"):
        assert client.get(f"/analysis{query}").status_code == 200


def test_times_that_are_not_ours_or_of_another_position_are_not_shown(client: Browser) -> None:
    address = press(client, **DOCUMENT)
    for other in (address.replace("..OXOO..X", "X...O...X"), address.replace("times=", "times=A"), "/analysis?times=x"):
        assert times_on(client.get(other).text) == {}


def test_somebody_who_presses_meanwhile_is_told_to_press_again(client: Browser) -> None:
    with client.application.extensions["noughts_measuring"].turn():
        page = client.get(press(client, **DOCUMENT)).text
    assert "Press Measure again." in page
    assert times_on(page) == {}


def test_another_process_has_to_wait_too(tmp_path: object) -> None:
    script = f"from webapp.analysis.measuring import OneAtATime\nwith OneAtATime({str(tmp_path)!r}).turn(): pass"
    command = [sys.executable, "-c", script]
    with OneAtATime(str(tmp_path)).turn():
        refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Measuring" in refused.stderr
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_one_folder_that_cannot_be_written_to_does_not_stop_anybody() -> None:
    one = OneAtATime("/no/such/folder")
    with one.turn(), pytest.raises(Measuring), one.turn():
        pass
    with one.turn():
        assert measuring.BUDGET == 0.1


def test_a_network_that_measures_all_the_time_is_stopped(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.analysis.views.MEASUREMENTS", 1)
    press(client, **DOCUMENT)
    answer = client.send("/analysis/measure", page="/analysis", **DOCUMENT)
    assert answer.status_code == 429
    assert "Too many measurements from this network." in answer.text


@pytest.mark.parametrize("fields", [{"position": "XX......."}, {"position": "", "to_move": "X"}])
def test_what_cannot_be_is_not_measured(client: Browser, fields: dict[str, str]) -> None:
    answer = client.send("/analysis/measure", page="/analysis", **fields)
    assert answer.status_code == 400
    assert "This position is not possible" in answer.text
