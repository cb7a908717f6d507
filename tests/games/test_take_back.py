"""Taking back: one's last move with the answer, once for each form, and recorded; on both databases."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.conftest import Browser
from tests.games.records import ANN, EVE, game
from tests.meanwhile import all_at_once
from tests.operations.answer_checks import check_beside
from tests.tables import all_rows, rows_of
from webapp.errors import Refusal
from webapp.games.changes import Change
from webapp.games.game_record import GameRecord, TakenBackMove
from webapp.games.refusals import BoardMovedOn, CannotNow, GameIsOver, NotYourGame
from webapp.games.services import decide_move
from webapp.games.states import Status
from webapp.games.take_back import MOST, can_take_back, decide_take_back
from webapp.privacy.services import delete_account

ONE_EACH = "X.. .O. ..."


def coached(board: str = ONE_EACH, **values: Any) -> GameRecord:
    return game(board, level="perfect", **{"coached": True, "version": 7, **values})


def test_the_last_move_goes_with_its_answer() -> None:
    assert decide_take_back(coached(), ANN, 7) == Change(takes_back=2)


def test_the_same_form_once_more_is_done_already_even_after_other_moves_and_the_end() -> None:
    taken = (TakenBackMove(5, 0, 0), TakenBackMove(5, 1, 4))
    for values in ({}, {"status": Status.FINISHED}):
        assert decide_take_back(coached(taken_back=taken, **values), ANN, 5) is None


@pytest.mark.parametrize(
    ("user", "version", "values", "refusal"),
    [
        (EVE, 7, {}, NotYourGame),
        (ANN, 6, {}, BoardMovedOn),
        (ANN, 8, {}, BoardMovedOn),
        (ANN, 7, {"coached": False}, CannotNow),
        (ANN, 7, {"status": Status.FINISHED}, GameIsOver),
        (ANN, 7, {"board": "... ... ..."}, CannotNow),
        (ANN, 7, {"taken_back": (TakenBackMove(1, 0, 0), TakenBackMove(1, 1, 4)) * MOST}, CannotNow),
    ],
)
def test_what_cannot_be_taken_back_is_refused(
    user: int, version: int, values: dict[str, Any], refusal: type[Refusal]
) -> None:
    with pytest.raises(refusal):
        decide_take_back(coached(**values), user, version)
    assert refusal in (NotYourGame, BoardMovedOn) or not can_take_back(coached(**values))


def test_a_move_made_on_a_board_from_before_a_take_back_is_refused(settings_alone: None) -> None:
    """Its ply fits again, but it was not meant for this board."""
    with pytest.raises(BoardMovedOn):
        decide_move(coached(), ANN, 8, 2, None, version=6)  # type: ignore[arg-type]


class Playing:
    """Somebody in a coached game against Perfect, who has X."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self.address = browser, browser.start(cell=0, level="perfect", coach="yes")

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.browser.get(f"{self.address}/state").get_json()
        return found

    def move(self, cell: int, **fields: Any) -> int:
        state = self.state
        sent = {"cell": cell, "ply": len(state["moves"]), "version": state["version"], **fields}
        return self.browser.send(f"{self.address}/moves", **sent).status_code

    def take_back(self, version: int | None = None) -> int:
        asked = self.state["version"] if version is None else version
        return self.browser.send(f"{self.address}/take-back", version=asked).status_code


@pytest.fixture
def playing(client: Browser) -> Playing:
    client.sign_up("ann")
    return Playing(client)


def is_sound(app: Flask, *answers: dict[str, Any]) -> bool:
    found = check_beside(str(app.config["SQLALCHEMY_DATABASE_URI"]), answers)
    assert not found, found
    return True


def test_moves_taken_back_stay_recorded_and_others_can_be_played(app: Flask, playing: Playing) -> None:
    assert playing.move(1) == 303
    assert playing.state["moves"] == [0, 4, 1, 2]
    assert playing.take_back() == 303
    assert playing.state["moves"] == [0, 4]
    assert "You took back the top centre" in playing.browser.get(playing.address).text
    assert playing.move(8) == 303 and playing.state["moves"][:3] == [0, 4, 8]
    assert [(row["version"], row["ply"], row["cell"]) for row in rows_of(app, "taken_back")] == [(3, 2, 1), (3, 3, 2)]
    assert "2 moves taken back" in playing.browser.get(playing.address).text
    told = playing.browser.get("/account/export").get_json()["games"][0]["taken_back"]
    assert [(one["ply"], one["cell"]) for one in told] == [(2, 1), (3, 2)]
    assert is_sound(app)


def test_all_moves_can_be_taken_back_and_no_more(app: Flask, playing: Playing) -> None:
    playing.move(8)
    assert [playing.take_back(), playing.take_back(), playing.take_back()] == [303, 303, 409]
    assert playing.state["moves"] == []
    assert "Take back" not in playing.browser.get(playing.address).text
    assert is_sound(app)


def test_two_presses_take_back_one_move(app: Flask, playing: Playing, browser_of: Callable[[], Browser]) -> None:
    playing.move(8)
    version = playing.state["version"]
    assert [playing.take_back(version), playing.take_back(version)] == [303, 303]
    assert len(playing.state["moves"]) == 2
    playing.move(8)
    version, token = playing.state["version"], playing.browser.csrf_token()
    cookie = playing.browser.session_cookie()

    def press() -> int:
        other = browser_of()
        other.set_cookie(app.config["SESSION_COOKIE_NAME"], cookie)
        form = {"csrf_token": token, "version": version}
        return other.post(f"{playing.address}/take-back", data=form).status_code

    assert all_at_once([press] * 8) == [303] * 8
    assert len(playing.state["moves"]) == 2
    assert is_sound(app)


def test_a_move_and_a_take_back_at_once_leave_one_of_them_or_both_in_order(
    app: Flask, playing: Playing, browser_of: Callable[[], Browser]
) -> None:
    version, token, cookie = playing.state["version"], playing.browser.csrf_token(), playing.browser.session_cookie()

    def press(path: str, **fields: Any) -> int:
        other = browser_of()
        other.set_cookie(app.config["SESSION_COOKIE_NAME"], cookie)
        return other.post(f"{playing.address}/{path}", data={"csrf_token": token, **fields}).status_code

    answers = all_at_once([
        lambda: press("moves", cell=8, ply=2, version=version),
        lambda: press("take-back", version=version),
    ])  # fmt: skip
    assert sorted(answers) == [303, 409]
    assert len(playing.state["moves"]) == (4 if answers[0] == 303 else 0)
    assert is_sound(app)


def test_a_post_from_before_a_take_back_changes_nothing(app: Flask, playing: Playing) -> None:
    """The same form again, sent by a slow network, or by going back in the browser."""
    old = playing.state["version"]
    playing.move(8)
    playing.take_back()
    before = all_rows(app, "session", "user")
    assert playing.move(8, ply=2, version=old) == 409
    assert playing.take_back(old) == 409
    assert all_rows(app, "session", "user") == before


def test_a_finished_game_is_final(app: Flask, playing: Playing) -> None:
    version = playing.state["version"]
    playing.browser.send(f"{playing.address}/resign")
    before = all_rows(app, "session", "user")
    for asked in (version, version + 1, 0):
        assert playing.take_back(asked) == 409, asked
    assert all_rows(app, "session", "user") == before


def test_a_wrong_version_is_refused_and_nobody_else_takes_back(
    app: Flask, playing: Playing, browser_of: Callable[[], Browser]
) -> None:
    for version in ("", "-1", "x", "1.5", "99999"):
        assert playing.browser.send(f"{playing.address}/take-back", version=version).status_code == 400, version
    assert playing.browser.send(f"{playing.address}/take-back").status_code == 400
    eve = browser_of()
    eve.sign_up("eve")
    assert eve.send(f"{playing.address}/take-back", version=2).status_code == 404
    plain = playing.browser.start(cell=0)
    assert playing.browser.send(f"{plain}/take-back", version=2).status_code == 409


def test_what_was_taken_back_goes_with_its_game(app: Flask, playing: Playing) -> None:
    playing.take_back()
    with app.app_context():
        delete_account(rows_of(app, "user")[0]["id"])
    assert rows_of(app, "taken_back") == [] and is_sound(app)
