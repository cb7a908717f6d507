"""Games between people: opening, joining, agreeing, leaving, deadlines, meeting again."""

import re
from collections.abc import Callable
from html import escape

import pytest
from flask import Flask
from sqlalchemy import update

from tests.conftest import Browser, MakeApp, Pair, SetClock
from tests.factories import PASSWORD, member_of
from tests.tables import rows_of
from tests.two_players import begin_game, open_game, play_cells
from webapp.accounts import presence
from webapp.database import writing
from webapp.games.models import Move
from webapp.operations.invariants import check


def state(browser: Browser, address: str) -> dict[str, object]:
    answer = browser.get(f"{address}/state")
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


X_WINS = [0, 3, 1, 4, 2]


def test_two_people_meet_in_the_lobby_and_play_to_a_win(pair: Pair) -> None:
    ann, bob = pair
    address = open_game(ann)
    assert address in bob.get("/lobby").text
    assert bob.send(f"{address}/join").status_code == 303
    play_cells(*pair, address, *X_WINS)
    assert "You won in the top row" in ann.get(address).text
    assert "ann wins in the top row" in bob.get(address).text
    assert "1 won" in ann.get(address).text and "1 lost" in bob.get(address).text


def test_a_game_can_be_watched_but_not_touched(pair: Pair, browser_of: Callable[[], Browser]) -> None:
    address = begin_game(*pair)
    eve = browser_of()
    eve.sign_up("eve")
    assert "ann’s turn" in eve.get(address).text
    assert eve.send(f"{address}/moves", cell=0, ply=0).status_code == 403
    assert eve.send(f"{address}/resign").status_code == 403
    assert state(eve, address)["moves"] == []


def test_a_private_game_is_open_to_who_has_the_link_and_then_closed(
    pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    ann, bob = pair
    address = open_game(ann, visibility="private")
    assert address not in bob.get("/lobby").text
    assert bob.get(address).status_code == 200
    assert bob.send(f"{address}/join").status_code == 303
    for third in (browser_of(), member_of(ann.application, "eve")):
        for path in (address, f"{address}/state", f"{address}/piece", f"{address}/replay"):
            answer = third.get(path)
            assert answer.status_code == 404
            assert "Somebody was quicker" in answer.text and 'href="/lobby"' in answer.text
            assert not re.search(r"\b(ann|bob)\b", answer.text) and 'class="board"' not in answer.text


def test_a_private_link_to_a_game_that_was_withdrawn_says_so(pair: Pair) -> None:
    ann, bob = pair
    address = open_game(ann, visibility="private")
    ann.send(f"{address}/withdraw")
    answer = bob.get(address)
    assert answer.status_code == 404
    assert "No longer open" in answer.text and not re.search(r"\bann\b", answer.text)


def test_a_third_who_presses_join_on_a_private_link_is_told_so_in_the_lobby(pair: Pair) -> None:
    ann, bob = pair
    address = open_game(ann, visibility="private")
    eve = member_of(ann.application, "eve")
    bob.send(f"{address}/join")
    answer = eve.send(f"{address}/join")
    assert answer.status_code == 409
    assert "Somebody was quicker" in answer.text and "Play now" in answer.text and "bob took" not in answer.text
    of_theirs = address.removeprefix("/games/")
    assert eve.start(cell=0, public_id=of_theirs) != address, "nor does its id keep anybody from a game of their own"


def test_a_private_challenge_and_a_game_against_the_computer_are_not_there_for_others(pair: Pair) -> None:
    ann, bob = pair
    eve = member_of(ann.application, "eve")
    for address in (open_game(ann, opponent="bob", visibility="private"), bob.start(cell=0)):
        assert "Not found" in eve.get(address).text


def test_ones_own_game_cannot_be_joined(pair: Pair) -> None:
    address = open_game(pair[0])
    answer = pair[0].send(f"{address}/join")
    assert answer.status_code == 409 and "your own game" in answer.text


def test_the_second_to_join_is_told_who_was_quicker_with_the_lobby_below(
    pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    address = begin_game(*pair)
    eve = browser_of()
    eve.sign_up("eve")
    answer = eve.send(f"{address}/join")
    assert answer.status_code == 409
    assert "bob took the seat" in answer.text and "Open games" in answer.text


def test_a_seat_taken_by_who_is_deleted_since_is_told_without_a_name(
    pair: Pair, browser_of: Callable[[], Browser]
) -> None:
    address = begin_game(*pair, 4, 0)
    pair[1].send("/account/delete", password=PASSWORD)
    eve = browser_of()
    eve.sign_up("eve")
    assert "deleted player took the seat" in eve.send(f"{address}/join").text


def test_opening_another_replaces_the_first_and_joining_elsewhere_withdraws_it(pair: Pair) -> None:
    ann, bob = pair
    first, second = open_game(ann), open_game(ann)
    assert state(ann, first)["status"] == "withdrawn"
    bobs = open_game(bob)
    ann.send(f"{bobs}/join")
    assert state(ann, second)["status"] == "withdrawn"
    assert state(bob, bobs)["status"] == "playing"


def test_two_clicks_open_one_game(pair: Pair) -> None:
    assert len({open_game(pair[0], public_id="abcdefghijkl") for _ in range(2)}) == 1


def test_the_same_form_with_another_wish_opens_another_game(pair: Pair) -> None:
    first = open_game(pair[0], public_id="abcdefghijkl")
    assert open_game(pair[0], opponent="bob", public_id="abcdefghijkl") != first
    assert open_game(pair[0], public_id="abcdefghijkl") != first, "that one is withdrawn"


def test_a_rematch_under_the_id_of_a_game_that_there_is_gets_one_of_its_own(pair: Pair) -> None:
    for asks, answers in (pair[::-1], pair):
        address = begin_game(*pair)
        play_cells(*pair, address, *X_WINS)
        again = asks.send(f"{address}/rematch", public_id=address.removeprefix("/games/"))
        assert again.status_code == 303 and again.location != address
        assert answers.send(f"{address}/rematch", public_id=address.removeprefix("/games/")).location == again.location
        assert state(asks, again.location)["status"] == "playing"
        assert asks.send(f"{again.location}/abort").status_code == 303


def test_of_games_with_people_only_so_many_go_on_at_once(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_UNFINISHED_GAMES=2)
    ann, bob, eve = (member_of(app, name) for name in ("ann", "bob", "eve"))
    first, _ = begin_game(ann, bob), begin_game(ann, bob)
    full = "You have 2 unfinished games with other people."
    assert open_game(ann).startswith("/lobby")
    assert full in ann.get("/lobby").text
    address = open_game(eve)
    for path in (f"{address}/join", "/lobby/play-now"):
        answer = ann.send(path)
        assert answer.status_code == 409
        assert full in answer.text
    assert state(eve, address)["status"] == "open"
    play_cells(ann, bob, first, *X_WINS)
    assert ann.send(f"{address}/join").status_code == 303


def test_only_so_many_games_are_opened_in_a_quarter_of_an_hour(make_app: MakeApp, set_clock: SetClock) -> None:
    app = make_app(NOUGHTS_OPENED_GAMES=3)
    ann, bob = member_of(app, "ann"), member_of(app, "bob")
    last = [open_game(ann, opponent="bob") for _ in range(3)][-1]
    for opponent in ("bob", "anyone"):
        assert open_game(ann, opponent=opponent).startswith("/lobby")
        assert "You have opened too many games. Try again in 15 minutes." in ann.get("/lobby").text, opponent
    assert len(rows_of(app, "game")) == 3 and state(bob, last)["status"] == "open"
    assert open_game(bob).startswith("/games/")
    set_clock.pass_time(minutes=15)
    assert open_game(ann).startswith("/games/")


def test_guests_play_only_the_computer(client: Browser) -> None:
    client.start(cell=0)
    answer = client.send("/games", opponent="anyone")
    assert answer.status_code == 303 and "/sign-up" in answer.location


def test_a_challenge_is_seen_by_its_two_and_can_be_declined(pair: Pair, browser_of: Callable[[], Browser]) -> None:
    ann, bob = pair
    address = open_game(ann, opponent="BOB", visibility="private")
    eve = browser_of()
    eve.sign_up("eve")
    assert eve.get(address).status_code == 404
    assert address in bob.get("/lobby").text and address not in eve.get("/lobby").text
    assert bob.send(f"{address}/decline", reason="busy").status_code == 303
    assert "I am in another game" in ann.get(address).text
    assert bob.send(f"{address}/join").status_code == 409


def test_a_public_challenge_is_not_for_somebody_else(pair: Pair, browser_of: Callable[[], Browser]) -> None:
    address = open_game(pair[0], opponent="bob")
    eve = browser_of()
    eve.sign_up("eve")
    assert eve.send(f"{address}/join").status_code == 409
    assert eve.send(f"{address}/decline", reason="busy").status_code == 404
    assert eve.send(f"{address}/withdraw").status_code == 404


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody-there", "There is no player named nobody-there."),
        ("ann", "You cannot challenge yourself."),
        ("<script>", "There is no player named &lt;script&gt;."),
    ],
)
def test_challenges_that_lead_nowhere_are_refused_where_they_were_typed(pair: Pair, name: str, sentence: str) -> None:
    answer = pair[0].send("/games", opponent=name)
    assert answer.status_code == 303
    page = pair[0].get(answer.location).text
    assert sentence in page
    assert f'name="opponent" value="{escape(name)}"' in page
    assert "Waiting for" not in page


def test_a_refused_challenge_keeps_the_mark_that_was_chosen(pair: Pair) -> None:
    page = pair[0].get(pair[0].send("/games", opponent="nobody-there", mark="O").location).text
    assert page.count('value="O" checked') == 1


def test_a_space_that_a_phone_puts_after_a_name_does_no_harm(pair: Pair) -> None:
    assert pair[0].send("/games", opponent="bob ").location.startswith("/games/")


def test_play_now_joins_the_longest_waiting_else_waits(pair: Pair) -> None:
    ann, bob = pair
    waiting = ann.send("/lobby/play-now").location
    assert state(ann, waiting)["status"] == "open"
    assert ann.send("/lobby/play-now").location == waiting
    assert bob.send("/lobby/play-now").location == waiting
    assert state(bob, waiting)["status"] == "playing"


def test_a_mark_by_lot_is_drawn_when_somebody_joins(pair: Pair) -> None:
    marks = set()
    for _ in range(12):
        address = begin_game(*pair, mark="random")
        marks.add(re.findall(r'You are <b class="pen-.">(.)</b>', pair[0].get(address).text)[0])
        pair[0].send(f"{address}/abort")
    assert marks == {"X", "O"}


def test_with_scripts_off_the_answer_to_an_offered_draw_is_looked_for_soon(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(ann, bob, 4, 0)
    assert f'content="30; url={address}"' in ann.get(address).text
    ann.send(f"{address}/draw", draw="offer")
    for browser in pair:
        assert f'content="5; url={address}"' in browser.get(address).text


def test_a_draw_is_offered_declined_by_a_move_and_not_again_for_two_plies(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(*pair, 0)
    assert ann.send(f"{address}/draw", draw="offer").status_code == 303
    assert state(bob, address)["draw_offered_by"] == "X"
    assert bob.send(f"{address}/moves", cell=4, ply=1).status_code == 303
    assert state(bob, address)["draw_offered_by"] is None
    assert ann.send(f"{address}/draw", draw="offer").status_code == 409
    assert bob.send(f"{address}/draw", draw="accept").status_code == 409
    ann.send(f"{address}/moves", cell=8, ply=2)
    assert ann.send(f"{address}/draw", draw="offer").status_code == 303
    assert ann.send(f"{address}/draw", draw="accept").status_code == 409
    assert bob.send(f"{address}/draw", draw="accept").status_code == 303
    assert (state(ann, address)["status"], state(ann, address)["reason"]) == ("finished", "agreed")
    assert "1 drawn" in bob.get(address).text


def test_a_page_that_does_not_show_an_offer_cannot_decline_it(pair: Pair) -> None:
    """With scripts off the page of whoever thinks does not change by itself when a draw is offered."""
    ann, bob = pair
    address = begin_game(*pair, 4)
    unseen = dict(re.findall(r'name="(ply|offer)" value="(\w+)"', bob.get(address).text))
    ann.send(f"{address}/draw", draw="offer")
    answer = bob.send(f"{address}/moves", cell=0, **unseen)
    assert answer.status_code == 409
    assert "ann has just offered a draw, so your move was not played" in answer.text
    assert "Accept the draw" in answer.text and state(bob, address)["moves"] == [4]
    seen = dict(re.findall(r'name="(ply|offer)" value="(\w+)"', answer.text))
    assert bob.send(f"{address}/moves", cell=0, **seen).status_code == 303
    assert state(bob, address)["draw_offered_by"] is None


def test_both_offering_a_draw_is_an_agreement(pair: Pair) -> None:
    address = begin_game(*pair, 0)
    for player in pair:
        assert player.send(f"{address}/draw", draw="offer").status_code == 303
    assert state(pair[0], address)["reason"] == "agreed"


def test_until_both_have_moved_a_game_can_be_cancelled_and_does_not_count(pair: Pair) -> None:
    address = begin_game(*pair, 0)
    assert pair[1].send(f"{address}/abort").status_code == 303
    assert state(pair[0], address)["status"] == "aborted"
    assert "1 won" not in pair[0].get(address).text and "1 lost" not in pair[0].get(address).text
    again = begin_game(*pair, 0, 4)
    assert pair[0].send(f"{again}/abort").status_code == 409


def test_only_games_that_go_on_have_seats_without_a_result(app: Flask, pair: Pair) -> None:
    """They are looked for on most pages: others in their index would make these slow."""
    begin_game(*pair)
    for how, cells in (("abort", [0]), ("resign", [0, 4])):
        address = begin_game(*pair, *cells)
        assert pair[0].send(f"{address}/{how}").status_code == 303
    seats = [(seat["result"], seat["mark"]) for seat in rows_of(app, "seat")]
    unfinished, cancelled = [(None, "O"), (None, "X")], [("void", "O"), ("void", "X")]
    assert sorted(seats, key=str) == sorted([*unfinished, *cancelled, ("lost", "X"), ("won", "O")], key=str)
    assert rows_of(app, "tally") != [] and check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_resigning_gives_the_other_the_game(pair: Pair) -> None:
    address = begin_game(*pair, 0, 4)
    assert pair[0].send(f"{address}/resign").status_code == 303
    assert state(pair[1], address)["winner"] == "O"


def test_a_rematch_begins_when_both_have_asked_with_the_marks_swapped(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(*pair, *X_WINS)
    first = ann.send(f"{address}/rematch").location
    assert ann.send(f"{address}/rematch").location == first
    assert state(ann, first)["status"] == "open"
    assert "Accept the rematch" in bob.get(address).text
    assert bob.send(f"{address}/rematch").location == first
    assert state(bob, first)["status"] == "playing"
    assert 'You are <b class="pen-o">O</b>' in ann.get(first).text
    assert bob.send(f"{address}/rematch").location == first


def test_a_declined_rematch_can_be_asked_for_again(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(*pair, *X_WINS)
    first = ann.send(f"{address}/rematch").location
    bob.send(f"{first}/decline", reason="later")
    assert ann.send(f"{address}/rematch").location != first


@pytest.fixture
def fresh_presence() -> None:
    presence._written.clear()


@pytest.mark.usefixtures("fresh_presence")
def test_a_win_can_be_claimed_only_while_the_other_is_gone_and_to_move(pair: Pair, set_clock: SetClock) -> None:
    ann, bob = pair
    address = begin_game(*pair, 0, 4)
    set_clock.pass_time(minutes=60)  # Ann thinks for long, and Bob is away meanwhile
    play_cells(*pair, address, 8, first_ply=2)
    assert ann.send(f"{address}/claim", claim="win").status_code == 409
    set_clock.pass_time(minutes=4)
    assert ann.send(f"{address}/claim", claim="win").status_code == 409
    set_clock.pass_time(minutes=2)
    assert bob.send(f"{address}/claim", claim="win").status_code == 409  # never on one's own turn
    assert "Claim the win" in ann.get(address).text
    assert ann.send(f"{address}/claim", claim="draw").status_code == 303
    assert (state(ann, address)["winner"], state(ann, address)["reason"]) == (None, "claimed")


@pytest.mark.usefixtures("fresh_presence")
def test_who_joined_a_game_cannot_claim_it_before_the_other_has_moved(pair: Pair, set_clock: SetClock) -> None:
    for cells, stayed in (([], pair[1]), ([0], pair[0])):
        address = begin_game(*pair)
        play_cells(*pair, address, *cells)
        set_clock.pass_time(hours=2)
        assert "is away" in (page := stayed.get(address).text)
        assert "You can wait, or cancel the game." in page and "Claim the win" not in page
        refused = stayed.send(f"{address}/claim", claim="win")
        assert refused.status_code == 409 and "You can cancel it." in refused.text
        assert stayed.send(f"{address}/abort").status_code == 303
        assert state(stayed, address)["status"] == "aborted"


@pytest.mark.usefixtures("fresh_presence")
def test_whose_page_listened_counts_as_gone_sooner(pair: Pair, set_clock: SetClock, app: object) -> None:
    ann, bob = pair
    address = begin_game(*pair, 0, 4, 8)
    with app.app_context():  # type: ignore[attr-defined]
        presence.note([1, 2], by_stream=True)
    set_clock.pass_time(seconds=91)
    assert ann.send(f"{address}/claim", claim="win").status_code == 303
    assert "lost" in bob.get(address).text


def test_deadlines_are_applied_once_by_whoever_looks_next(pair: Pair, set_clock: SetClock) -> None:
    ann, bob = pair
    never_moved, moved_once, abandoned = begin_game(*pair), begin_game(*pair), begin_game(*pair)
    play_cells(*pair, moved_once, 0)
    play_cells(*pair, abandoned, 0, 4)
    waiting = open_game(ann)
    set_clock.pass_time(hours=25)
    ann.get("/lobby")
    assert state(ann, waiting)["status"] == "withdrawn"
    assert state(ann, never_moved)["status"] == "aborted"
    assert state(ann, abandoned)["status"] == "playing"
    set_clock.pass_time(hours=48)
    for _ in range(2):
        bob.get("/lobby")
    assert (state(bob, abandoned)["winner"], state(bob, abandoned)["reason"]) == ("O", "abandoned")
    assert (state(bob, moved_once)["status"], state(bob, moved_once)["winner"]) == ("aborted", None)
    assert "1 won" in bob.get(abandoned).text


def test_a_game_that_cannot_be_settled_is_logged_once_an_hour_and_passed_over(
    pair: Pair, app: Flask, client: Browser, set_clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, abandoned = begin_game(*pair, 0, 4, visibility="private"), begin_game(*pair, 0, 4)
    with app.app_context(), writing() as connection:
        connection.execute(update(Move).where(Move.cell == 4, Move.game_id == 1).values(cell=77))
    set_clock.pass_time(hours=73)
    for minutes, logged in ((0, 1), (59, 1), (2, 2)):
        set_clock.pass_time(minutes=minutes)
        assert client.get("/lobby").status_code == 200, broken
        told = [record for record in caplog.records if record.name == "noughts.deadlines"]
        assert [(record.args, bool(record.exc_info)) for record in told] == [((1,), True)] * logged
    assert state(pair[1], abandoned)["reason"] == "abandoned"


def test_the_state_is_told_once_and_then_304_until_something_changes(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(*pair)
    tag = bob.get(f"{address}/state").headers["ETag"]
    unchanged = bob.get(f"{address}/state", headers={"If-None-Match": tag})
    assert (unchanged.status_code, unchanged.text) == (304, "")
    ann.send(f"{address}/moves", cell=0, ply=0)
    changed = bob.get(f"{address}/state", headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert (changed.json["board"], changed.json["to_move"]) == ("X........", "O")


def test_who_is_here_is_shown_in_the_lobby(pair: Pair, set_clock: SetClock) -> None:
    ann, bob = pair
    presence._written.clear()
    bob.get("/lobby")
    assert "challenge=bob" in ann.get("/lobby").text
    set_clock.pass_time(seconds=46)
    assert "challenge=bob" not in ann.get("/lobby").text
