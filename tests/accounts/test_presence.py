"""Who is here, as it is written down."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy.exc import IntegrityError

from tests.conftest import SetClock
from tests.factories import make_user
from tests.tables import rows_of
from webapp.accounts.presence import note_page


def test_a_page_is_noted_once_a_quarter_of_a_minute(app: Flask, set_clock: SetClock) -> None:
    user_id = make_user(app)
    begun = set_clock()
    for seconds, noted in ((0, 0), (14, 0), (1, 15)):
        set_clock.pass_time(seconds=seconds)
        with app.app_context():
            note_page(user_id)
        assert [row["seen_at"] for row in rows_of(app, "presence")] == [begun + timedelta(seconds=noted)]


@pytest.mark.usefixtures("set_clock")
def test_what_could_not_be_written_is_written_for_the_next_page(app: Flask) -> None:
    with app.app_context(), pytest.raises(IntegrityError):
        note_page(1)  # of whom the database knows nothing yet
    assert make_user(app) == 1
    with app.app_context():
        note_page(1)
    assert [row["user_id"] for row in rows_of(app, "presence")] == [1]
