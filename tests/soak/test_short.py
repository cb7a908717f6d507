"""The soak in short, in every run of the tests: each fault once on SQLite; with --whole on PostgreSQL, too."""

import pytest

from tests.postgres import CannotStart
from tests.soak.endurance import soak
from tests.soak.report import as_text, is_good

SECONDS, STUDENTS = 20, 8
REST = 2  # seconds; whether memory grows, no short soak can tell


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    is_whole = metafunc.config.getoption("whole")  # it takes more than a minute for each
    metafunc.parametrize("kind", ["SQLite", "PostgreSQL"] if is_whole else ["SQLite"])


@pytest.mark.slow
@pytest.mark.long
def test_a_class_plays_on_whatever_breaks_and_nothing_acknowledged_is_lost(kind: str) -> None:
    try:
        outcome = soak(kind, SECONDS, STUDENTS, think=0.3, rest=REST)
    except CannotStart as reason:
        pytest.skip(f"PostgreSQL could not be started: {reason}")
    assert is_good(outcome), as_text([outcome])
    assert outcome.moves > STUDENTS, "nobody played"
    assert {stretch.name for stretch in outcome.stretches} >= {"calm", "workers killed", "server killed", "undisturbed"}
