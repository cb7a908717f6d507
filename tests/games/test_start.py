"""Starting a game against the computer."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from random import Random

import pytest
from flask import Flask

from tests.conftest import Browser, MakeApp, Pair, SetClock
from tests.factories import make_user
from tests.meanwhile import Result, all_at_once
from tests.tables import rows_of
from webapp.errors import NotThere
from webapp.games import services
from webapp.games.refusals import TooManyUnfinished
from webapp.games.services import new_public_id
from webapp.tictactoe import X


def test_a_visitor_plays_at_once_and_the_computer_answers(client: Browser) -> None:
    page = client.get(client.start(cell=0, level="perfect"))
    assert "Your turn" in page.text
    assert "The computer took the centre" in page.text


def test_who_wants_to_be_o_presses_any_cell_and_the_computer_moves_first(client: Browser) -> None:
    page = client.get(client.start(cell=4, level="perfect", mark="O"))
    assert "You are <b class=\"pen-o\">O</b>. The computer took the" in page.text
    assert page.text.count('class="cell" name="cell"') == 8


def test_somebody_elses_game_is_not_there(client: Browser, browser_of: Callable[[], Browser]) -> None:
    address = client.start(cell=0)
    assert browser_of().get(address).status_code == 404


def test_with_guest_play_off_a_guest_of_before_needs_an_account_too(client: Browser, make_app: MakeApp) -> None:
    client.start(cell=0)
    later = make_app(NOUGHTS_GUESTS=False).test_client()
    kept = client.get_cookie("noughts")
    assert kept is not None
    later.set_cookie("noughts", kept.value)
    answer = later.send("/games", cell=0)
    assert answer.status_code == 303 and "/sign-up" in answer.location


def test_a_guest_who_was_purged_in_the_meantime_is_told_to_begin_anew(app: Flask) -> None:
    with app.app_context(), pytest.raises(NotThere, match="no longer logged in"):
        services.start_against_computer(999, "perfect", X, 0, Random(1), "abcdefghijkl")


# The public id, which the page chose for the new game

CHOSEN = "abcdefghijkl"


def one_after_another(actions: Iterable[Callable[[], Result]]) -> list[Result]:
    return [action() for action in actions]


def test_two_presses_of_a_visitor_make_one_guest_and_one_game_whichever_answer_the_browser_keeps(
    app: Flask, browser_of: Callable[[], Browser]
) -> None:
    for press_together in (one_after_another, *[all_at_once] * 4):
        presses = [browser_of(), browser_of()]
        fields = {"csrf_token": presses[0].csrf_token(), "cell": 4, "level": "perfect", "public_id": new_public_id()}
        presses[1].set_cookie("noughts", presses[0].session_cookie())
        answers = press_together([partial(press.post, "/games", data=fields) for press in presses])
        assert [answer.location for answer in answers] == [f"/games/{fields['public_id']}"] * 2
        assert [press.get(answers[0].location).status_code for press in presses] == [200, 200]
    assert [len(rows_of(app, table)) for table in ("user", "session", "game")] == [5, 5, 5]


def test_a_key_makes_a_visitor_the_guest_of_nobody_else(app: Flask, browser_of: Callable[[], Browser]) -> None:
    """Nor of their own browser's guest of before, on another page."""
    first, stranger, later = [browser_of() for _ in range(3)]
    first.csrf_token()
    later.set_cookie("noughts", first.session_cookie())
    begun = [first.start(public_id=CHOSEN), stranger.start(public_id=CHOSEN), later.start(public_id="another-key1")]
    assert len({*begun}) == len(rows_of(app, "user")) == 3


def test_a_key_sent_again_with_another_wish_begins_another_game(client: Browser) -> None:
    client.sign_up()
    first = client.start(public_id=CHOSEN, mark="X", level="casual")
    assert first == f"/games/{CHOSEN}"
    assert client.start(public_id=CHOSEN, mark="X", level="casual") == first
    others = ({"cell": 4}, {"mark": "O"}, {"level": "perfect"})
    begun = [client.start(public_id=CHOSEN, **{"mark": "X", "level": "casual", **other}) for other in others]
    assert len({first, *begun}) == 4


def test_two_presses_with_a_mark_by_chance_begin_one_game(client: Browser) -> None:
    client.sign_up()
    for number in range(8):
        public_id = f"by-chance-{number:02}"
        assert client.start(public_id=public_id, mark="random") == client.start(public_id=public_id, mark="random")


def test_a_key_that_is_somebody_elses_game_begins_one_of_ones_own(pair: Pair) -> None:
    theirs = pair[0].start(public_id=CHOSEN, cell=0)
    mine = pair[1].start(public_id=CHOSEN, cell=0)
    assert mine != theirs
    assert pair[1].get(theirs).status_code == 404


# As many unfinished games as a person can want

FULL = "You have 3 unfinished games against the computer."


@pytest.fixture
def player(make_app: MakeApp) -> Browser:
    """Who may have three unfinished games, and has them."""
    browser = make_app(NOUGHTS_UNFINISHED_GAMES=3).test_client()
    assert isinstance(browser, Browser)
    browser.sign_up()
    for number in range(3):
        browser.start(public_id=f"unfinished-{number}", cell=4)
    return browser


def test_beyond_the_limit_one_is_told_to_finish_a_game_first(player: Browser) -> None:
    answer = player.send("/games", opponent="computer", cell=4)
    assert answer.status_code == 409
    assert f"{FULL} Finish or resign one of them, then start another." in answer.text
    again = player.send("/games", opponent="computer", cell=4, public_id="unfinished-0")
    assert again.location == "/games/unfinished-0"
    player.send("/games/unfinished-1/resign")
    assert player.start(cell=4).startswith("/games/")


def test_to_play_again_counts_too(player: Browser) -> None:
    player.send("/games/unfinished-1/resign")
    player.start(cell=4)
    answer = player.send("/games/unfinished-1/rematch")
    assert answer.status_code == 409
    assert FULL in answer.text


def test_only_so_many_games_are_started_in_a_quarter_of_an_hour_however_they_end(
    make_app: MakeApp, set_clock: SetClock
) -> None:
    """Else who starts and resigns without end fills the disk."""
    app = make_app(NOUGHTS_STARTED_GAMES=3)
    client: Browser = app.test_client()  # type: ignore[assignment]
    client.sign_up()
    address = client.start(cell=4)
    for press in ("rematch", "rematch", "rematch"):
        client.send(f"{address}/resign")
        answer = client.send(f"{address}/{press}")
        address = answer.location or address
    refused = client.send("/games", opponent="computer", cell=4)
    for last in (answer, refused):
        assert last.status_code == 429 and "You have started too many games. Try again in 15 minutes." in last.text
    assert len(rows_of(app, "game")) == 3
    set_clock.pass_time(minutes=15)
    assert client.start(cell=4).startswith("/games/")


def test_the_limit_is_exact_for_ten_presses_at_once(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_UNFINISHED_GAMES=4)
    user_id = make_user(app)

    def press() -> bool:
        with app.app_context():
            try:
                services.start_against_computer(user_id, "casual", X, 0, Random(1), services.new_public_id())
            except TooManyUnfinished:
                return False
            return True

    assert Counter(all_at_once([press] * 10)) == {True: 4, False: 6}
    assert len(rows_of(app, "game")) == 4


def test_the_address_of_a_refused_form_leads_to_its_game(client: Browser) -> None:
    """Whoever comes too late stands at the address of the form, and may reload, share or restore it."""
    game = client.start(cell=4)
    stale = client.send(f"{game}/moves", cell=0, ply=0)
    assert stale.status_code == 409
    for deed in ("moves", "join", "take-back", "resign", "abort", "draw", "claim", "withdraw", "decline", "rematch"):
        answer = client.get(f"{game}/{deed}")
        assert (answer.status_code, answer.location) == (303, game), deed
    assert client.get(f"{game}/nothing").status_code == 404
