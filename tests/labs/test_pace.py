"""Limits that follow the machine's speed, and files that are slow but not endless."""

import queue
from pathlib import Path

import pytest

from webapp.labs.checker.checking import Round
from webapp.labs.checker.findings import Question
from webapp.labs.loading.pace import EVERY, USUAL, Pace
from webapp.labs.loading.student import TIMEOUT, Call, Reply, Student


class Machine:
    """A clock that goes on while work is done."""

    def __init__(self) -> None:
        self.now, self.seconds_a_piece = 0.0, USUAL

    def clock(self) -> float:
        return self.now

    def work(self) -> None:
        self.now += self.seconds_a_piece


def test_limits_grow_with_a_busy_machine_and_never_shrink() -> None:
    machine = Machine()
    pace = Pace(machine.work, machine.clock)
    seen = []
    for factor in (1, 3, 0.1):
        machine.seconds_a_piece = factor * USUAL
        machine.now += 2 * EVERY
        seen.append(round(pace.slowness(), 6))
    assert seen == [1, 3, 1]


def test_the_speed_is_measured_now_and_then_not_each_time() -> None:
    machine = Machine()
    pace = Pace(machine.work, machine.clock)
    pace.slowness()
    before = machine.now
    assert [pace.slowness() for _ in range(100)] == [1] * 100
    assert machine.now == before


class Silent(queue.SimpleQueue[str]):
    """Answers that never come, while the machine gets busier; how long they were waited for."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine, self.waits = machine, list[float]()

    def get(self, block: bool = True, timeout: float | None = None) -> str:
        self.waits.append(round(timeout or 0, 6))
        self.machine.seconds_a_piece += USUAL
        raise queue.Empty


def test_who_waits_while_the_machine_gets_busier_waits_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, student = Machine(), Student(Path("mine.py"))
    monkeypatch.setattr("webapp.labs.loading.student.PACE", Pace(machine.work, machine.clock))
    student.answers = silent = Silent(machine)
    assert student.wait(10, None).trouble == TIMEOUT
    assert silent.waits == [10, 10, 10, 10]  # four times as slow in the end: forty seconds in all


def finding_after(answered: list[tuple[int, float]], nodes: int) -> tuple[str, str]:
    """What is said when no answer comes within a minute, after others: each with its boards and its seconds."""
    questions = [Question(Call("minimax"), lambda _: None, nodes=visited) for visited, _ in answered]
    work = Round([*questions, Question(Call("minimax"), lambda _: None, nodes=nodes)], 1.0, lambda _: None)
    for index, (_, seconds) in enumerate(answered):
        assert not work.hear(index, work.questions[index], Reply(1, seconds=seconds))
    assert work.hear(len(answered), work.questions[-1], Reply(trouble=TIMEOUT, seconds=60.0))
    finding = work.wrong[len(answered)]
    return finding.mistake, finding.came + " " + finding.why


def test_a_file_that_is_only_slow_is_called_slow_with_its_figure() -> None:
    mistake, words = finding_after([(60, 0.06), (1000, 1.0)], 549_946)
    assert mistake == "slow"
    assert "about 1,000 microseconds for each board" in words
    assert "At this speed this board takes about 9 minutes." in words


def test_a_quick_file_that_does_not_answer_is_not_called_slow() -> None:
    assert finding_after([(60, 0.0006), (1000, 0.01)], 549_946)[0] == "never-ends"
    assert finding_after([], 549_946)[0] == "never-ends"


def test_a_test_that_takes_too_long_as_a_whole_is_slow_too() -> None:
    work = Round([Question(Call("minimax"), lambda _: None, nodes=1000)] * 3, 1.0, lambda _: None)
    work.hear(0, work.questions[0], Reply(1, seconds=2.0))
    work.began -= 10_000
    assert work.take() is None
    assert (work.wrong[0].mistake, "1 right answers of 3" in work.wrong[0].came) == ("slow", True)
