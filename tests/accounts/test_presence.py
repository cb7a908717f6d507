"""Who is here, as it is written down."""

from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.exc import IntegrityError

from tests.conftest import SetClock, own_database, sqlite_only
from tests.factories import make_user
from tests.tables import rows_of
from webapp.accounts.presence import note_page
from webapp.extensions import db


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


@sqlite_only
@own_database
def test_a_database_out_of_reach_is_tried_once_a_quarter_of_a_minute(
    app: Flask, tmp_path: Path, set_clock: SetClock
) -> None:
    user_id, file = make_user(app), tmp_path / "noughts.db"
    with app.app_context():
        db.engine.dispose()
    file.rename(tmp_path / "away.db")
    with app.app_context():
        note_page(user_id)  # no page fails because of it
    (tmp_path / "away.db").rename(file)
    for seconds, rows in ((14, 0), (1, 1)):
        set_clock.pass_time(seconds=seconds)
        with app.app_context():
            note_page(user_id)
        assert len(rows_of(app, "presence")) == rows
