"""Streams of an app in this process: who may listen, what is told, and that nothing is told twice."""

import math
import subprocess
import sys
import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from tests.classrooms.rooms import Room
from tests.conftest import Browser, MakeApp, Pair, SetClock, pooled_too
from tests.factories import enrolled
from tests.live.conftest import Listen
from webapp.accounts import presence
from webapp.accounts.changing_passwords import reset_password
from webapp.accounts.models import Presence
from webapp.config import ROOT
from webapp.extensions import db, settings_of
from webapp.live import watcher
from webapp.serving.channel import MOST_UNSENT
from webapp.serving.front import Front

MOVE_ELSEWHERE = """
import sys
import time
from random import Random
from webapp import create_app
from webapp.games import services
with create_app({"NOUGHTS_INSTANCE": sys.argv[1], "DATABASE_URL": sys.argv[2]}).app_context():
    services.play_move(int(sys.argv[3]), sys.argv[4], 4, 0, Random(1))
"""


def test_the_first_word_names_the_version_that_the_page_carries(pair: Pair, game: str, listen: Listen) -> None:
    first = listen(pair[0], game, first_word=True).news()
    assert first == ("hello", {"version": "1"})
    assert 'data-version="1"' in pair[0].get(game).text


def test_a_stream_is_held_back_by_nobody(pair: Pair, game: str, listen: Listen) -> None:
    headers = listen(pair[0], game).headers
    assert headers["content-type"].startswith("text/event-stream") and "content-length" not in headers
    assert (headers["x-accel-buffering"], headers["cache-control"]) == ("no", "no-store")


@pooled_too
def test_what_the_opponent_does_is_told(pair: Pair, game: str, listen: Listen) -> None:
    ann, bob = pair
    page = listen(bob, game)
    ann.send(f"{game}/moves", cell=4, ply=0)
    assert page.news() == ("changed", {"version": "2"})
    ann.send(f"{game}/draw", draw="offer")
    assert page.news() == ("changed", {"version": "3"})
    ann.send(f"{game}/resign")
    assert page.news() == ("changed", {"version": "4"})
    ann.send(f"{game}/rematch")
    assert page.news() == ("changed", {"version": "4.open"})
    bob.send(f"{game}/rematch")
    assert page.news() == ("changed", {"version": "4.playing"})
    assert 'data-version="4.playing"' in bob.get(game).text and "data-follow" in bob.get(game).text


def test_who_waits_in_an_open_game_is_told_that_somebody_joined(pair: Pair, listen: Listen) -> None:
    ann, bob = pair
    address = str(ann.send("/games", opponent="anyone").location)
    page = listen(ann, address)
    bob.send(f"{address}/join")
    news = page.news()
    assert news and news[1]["version"] == "1"


@pytest.mark.slow
def test_a_move_made_by_another_process_is_told(
    app: Flask, pair: Pair, game: str, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "HEARTBEAT_EVERY", 3600)  # the process may take long to begin
    page = listen(pair[1], game)
    words = [str(settings_of(app).instance), settings_of(app).database_url, "1", game.rsplit("/")[-1]]
    subprocess.run([sys.executable, "-c", MOVE_ELSEWHERE, *words], cwd=ROOT, check=True)
    assert page.news() == ("changed", {"version": "2"})


def test_news_of_one_game_wake_nobody_in_another(
    pair: Pair, game: str, browser_of: Callable[[], Browser], listen: Listen
) -> None:
    eve = browser_of()
    eve.sign_up("eve")
    other = str(eve.send("/games", opponent="anyone").location)
    page, quiet = listen(pair[1], game), listen(eve, other)
    pair[0].send(f"{game}/moves", cell=4, ply=0)
    assert page.news() == ("changed", {"version": "2"})
    eve.send(f"{other}/withdraw")
    assert quiet.news() == ("changed", {"version": "1"})


def test_the_lobby_is_told_of_a_new_game(pair: Pair, listen: Listen) -> None:
    ann, bob = pair
    page = listen(ann, "/lobby")
    bob.send("/games", opponent="anyone")
    assert page.news() == ("changed", {})


def test_a_challenge_is_told_to_the_one_challenged(pair: Pair, listen: Listen) -> None:
    ann, bob = pair
    page = listen(ann, "/lobby")
    bob.send("/games", opponent="ann", visibility="private")
    assert page.news() == ("changed", {})


def test_a_lobby_that_has_not_changed_is_not_sent_again(pair: Pair, set_clock: SetClock) -> None:
    ann, bob = pair
    address = bob.send("/games", opponent="ann").location
    first = ann.get("/lobby/piece")
    assert str(address) in first.text
    time.sleep(1.1)  # the tokens in its forms tell the second in which they were made
    assert ann.get("/lobby/piece", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    bob.send(f"{address}/withdraw")
    assert ann.get("/lobby/piece", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_that_somebody_went_away_is_told(
    app: Flask, pair: Pair, game: str, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch, listen: Listen
) -> None:
    monkeypatch.setattr(watcher, "SLOW_CHANGES_EVERY", 0.05)
    pair[0].get(game)
    page = listen(pair[1], game)
    set_clock.pass_time(seconds=46)
    assert page.news() == ("changed", {"version": "1", "what": "people"})


def test_everybody_who_listens_is_here(app: Flask, pair: Pair, game: str, listen: Listen) -> None:
    page = listen(pair[0], game)
    pair[1].send(f"{game}/resign")
    assert page.news()
    with app.app_context():
        assert db.session.get(Presence, 1).by_stream


@pytest.fixture
def nothing_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens now happens because something changed."""
    monkeypatch.setattr(watcher, "SLOW_CHANGES_EVERY", 3600)
    monkeypatch.setattr(presence, "WRITTEN_EVERY", timedelta(hours=1))


@pooled_too
@pytest.mark.usefixtures("nothing_by_the_clock")
def test_who_logs_out_listens_no_longer(pair: Pair, game: str, listen: Listen) -> None:
    """The page is told once more: what it fetches then is for nobody in particular."""
    pair[0].get("/lobby")  # so that she is here already, and no news when she begins to listen
    pages = [listen(pair[0], game), listen(pair[0], "/lobby")]
    pair[0].send("/log-out")
    assert [page.news() for page in pages] == [("changed", {})] * 2
    assert [page.news() for page in pages] == [None] * 2


@pytest.mark.usefixtures("nothing_by_the_clock")
def test_whose_password_is_another_listens_no_longer(app: Flask, pair: Pair, game: str, listen: Listen) -> None:
    page = listen(pair[0], game)
    for ply, mover in enumerate(pair):  # when it tells of these, the watcher has done what it does at first
        mover.send(f"{game}/moves", cell=ply, ply=ply)
        assert page.news() == ("changed", {"version": str(ply + 2)})
    with app.app_context():
        reset_password("ann")
    assert [page.news(), page.news()] == [("changed", {}), None]


def test_whose_session_is_too_old_listens_no_longer(
    set_clock: SetClock, pair: Pair, game: str, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "SLOW_CHANGES_EVERY", 0.05)
    page = listen(pair[0], game)
    set_clock.pass_time(days=15)
    assert None in [page.news() for _ in range(3)]


@pytest.mark.usefixtures("nothing_by_the_clock")
def test_who_may_not_see_a_game_any_longer_is_not_told_of_it(
    pair: Pair, browser_of: Callable[[], Browser], listen: Listen
) -> None:
    """With its link everybody may look at an open game; when somebody has joined it belongs to the two."""
    ann, bob = pair
    address = str(ann.send("/games", opponent="anyone", visibility="private").location)
    eve = browser_of()
    own, others = listen(ann, address), listen(eve, address)
    assert bob.send(f"{address}/join").status_code == 303
    assert own.news() == ("changed", {"version": "1"})
    assert [others.news(), others.news()] == [("changed", {}), None]
    assert eve.get(address).status_code != 200
    mover = next(who for who in pair if "Your turn" in who.get(address).text)
    mover.send(f"{address}/moves", cell=4, ply=0)
    assert own.news() == ("changed", {"version": "2"})


def test_who_is_removed_from_a_classroom_listens_to_it_no_longer(
    app: Flask, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "CLASSROOMS_EVERY", 0.05)
    room = Room(app)
    student, classmate = (enrolled(app, room.public_id, name) for name in ("ann", "bob"))
    theirs, others = (listen(one, f"classroom={room.public_id}") for one in (student, classmate))
    room.remove(room.id_of("ann"))
    assert {name for name, _ in iter(theirs.news, None)} == {"changed"}, "until the stream has ended"
    assert others.news() == ("changed", {})
    assert student.get(room.path).status_code == 404
    assert listen(student, f"classroom={room.public_id}").status == 404


def test_a_private_game_is_not_there_for_others(pair: Pair, browser_of: Callable[[], Browser], listen: Listen) -> None:
    ann, bob = pair
    address = str(ann.send("/games", opponent="bob", visibility="private").location)
    bob.send(f"{address}/join")
    eve = browser_of()
    assert listen(bob, address).status == 200
    assert listen(eve, address).status == 404
    assert listen(eve, "/games/abcdefghijkl").status == 404
    assert listen(eve, "").status == 204  # no game waits for who has no account


def test_beyond_the_limits_the_answer_is_204(
    pair: Pair, game: str, browser_of: Callable[[], Browser], listen: Listen
) -> None:
    ann, bob = pair
    held = [listen(ann, game) for _ in range(3)]
    assert listen(ann, game).status == 204
    held[0].close()
    assert listen(ann, "/lobby").status == 200
    strangers = [browser_of() for _ in range(3)]
    assert [listen(stranger, game).status for stranger in strangers] == [200, 200, 204]
    assert [listen(bob, game).status for _ in range(3)] == [200, 200, 200]
    eve = browser_of()
    eve.sign_up("eve")
    assert listen(eve, game).status == 204


def key_of(address: str) -> str:
    return address.rsplit("/")[-1]


def test_every_page_of_an_account_is_told_how_many_games_wait(pair: Pair, listen: Listen) -> None:
    ann, bob = pair
    pages = [listen(ann, where) for where in ("", "/lobby", "")]
    assert [page.waiting() for page in pages] == [("0", None)] * 3  # what its page shows may be older
    challenge = str(bob.send("/games", opponent="ann").location)
    assert [page.waiting() for page in pages] == [("1", key_of(challenge))] * 3
    bob.send(f"{challenge}/withdraw")
    assert [page.waiting() for page in pages] == [("0", None)] * 3


def test_the_game_on_the_page_is_not_among_those_that_wait(pair: Pair, game: str, listen: Listen) -> None:
    ann, bob = pair
    at_game, elsewhere = listen(ann, game), listen(ann, "")
    assert (at_game.waiting(), elsewhere.waiting()) == (("0", None), ("1", key_of(game)))
    challenge = str(bob.send("/games", opponent="ann").location)
    assert (at_game.waiting(), elsewhere.waiting()) == (("1", key_of(challenge)), ("2", None))


def test_a_page_that_can_ask_gives_way_to_a_game(pair: Pair, game: str, listen: Listen) -> None:
    ann, bob = pair
    plain = [listen(ann, "") for _ in range(3)]
    assert listen(ann, "").status == 204
    others = listen(bob, "")
    pages = [listen(ann, where) for where in (game, "/lobby", game)]
    assert [page.status for page in pages] == [200] * 3
    assert [page.news() for page in plain] == [None] * 3
    assert listen(ann, game).status == 204
    bob.send(f"{game}/resign")
    assert others.waiting() == ("0", None)  # only one's own pages give way


def test_guests_leave_three_streams_in_four_to_accounts(
    pair: Pair, game: str, browser_of: Callable[[], Browser], listen: Listen
) -> None:
    guests = [browser_of() for _ in range(3)]
    own = [guest.start(cell=0) for guest in guests]
    assert [listen(*each).status for each in zip(guests, own, strict=True)] == [200, 200, 204]
    assert listen(browser_of(), game).status == 204, "strangers and guests count together"
    assert [listen(who, game).status for who in pair * 3] == [200] * 6


def test_a_server_that_cannot_hold_a_response_open_answers_204(pair: Pair, game: str) -> None:
    assert pair[0].get(f"/events?game={game.rsplit('/')[-1]}").status_code == 204


def test_who_asks_only_for_the_head_takes_no_room(pair: Pair, game: str, listen: Listen) -> None:
    assert listen(pair[0], game, first_word=True, method="HEAD").news() is None
    assert [listen(pair[0], game).status for _ in range(4)] == [200, 200, 200, 204]


def test_who_hangs_up_listens_no_longer(app: Flask, pair: Pair, game: str, listen: Listen) -> None:
    listen(pair[0], game).close()
    assert not app.extensions["noughts_streams"].listening()


def test_a_page_that_never_reads_is_let_go_and_holds_nobody_up(
    app: Flask, pair: Pair, game: str, listen: Listen
) -> None:
    streams, page = app.extensions["noughts_streams"], listen(pair[0], game)
    page.stop_reading()
    (stream,) = streams.listening()
    for _ in range(2 * MOST_UNSENT + 1):  # half of them may have been on their way to it when it stopped
        stream.channel.send("more than it reads")
    assert not streams.listening()


def test_silence_is_broken_by_beats(pair: Pair, game: str, listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "HEARTBEAT_EVERY", 0.05)
    page = listen(pair[0], game)
    assert [page.news() for _ in range(3)] == [("beat", {})] * 3


def test_who_was_told_something_lately_needs_no_beat(app: Flask, pair: Pair, game: str, listen: Listen) -> None:
    first = listen(pair[0], game)
    (silent,) = app.extensions["noughts_streams"].listening()
    other = listen(pair[1], game)
    assert first.waiting() and other.waiting()
    silent.sent_at -= watcher.HEARTBEAT_EVERY
    assert first.news() == ("beat", {})
    pair[0].send(f"{game}/moves", cell=4, ply=0)
    assert (first.news(), other.news()) == (("changed", {"version": "2"}),) * 2


@pytest.fixture
def told_together(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pages were told in each turn of the watcher, of what can wait; here one turn has time for one."""
    watching, together = app.extensions["noughts_watcher"], []
    send_some = watching._send_queued

    def tell_and_count() -> None:
        owed = len(watching._queued)
        send_some()
        together.append(owed - len(watching._queued))

    monkeypatch.setattr(watcher, "FETCH_SHARE", 2)
    monkeypatch.setattr(watching, "_send_queued", tell_and_count)
    return together


def test_pages_of_the_lobby_are_told_one_after_another(pair: Pair, listen: Listen, told_together: list[int]) -> None:
    """All of them in the end, and none of them twice for one change."""
    pages = [listen(who, "/lobby") for who in (*pair, *pair, *pair)]
    pair[0].send("/games", opponent="anyone")
    assert [page.news() for page in pages] == [("changed", {})] * 6
    assert max(told_together) == 1


def test_who_went_away_is_told_one_page_after_another(
    pair: Pair,
    game: str,
    set_clock: SetClock,
    listen: Listen,
    told_together: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watcher, "SLOW_CHANGES_EVERY", 0.05)
    pair[0].get(game)
    pages = [listen(pair[1], game) for _ in range(3)]
    set_clock.pass_time(seconds=46)
    assert [page.news() for page in pages] == [("changed", {"version": "1", "what": "people"})] * 3
    assert max(told_together) == 1


def test_who_is_told_of_a_move_is_not_told_of_people_as_well(
    app: Flask, pair: Pair, game: str, set_clock: SetClock, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it fetches shows both."""
    monkeypatch.setattr(watcher, "SLOW_CHANGES_EVERY", 0.05)
    monkeypatch.setattr(watcher, "FETCH_SHARE", math.inf)  # nobody's turn to be told of people ever comes
    pair[0].get(game)
    page = listen(pair[1], game)
    owed = app.extensions["noughts_watcher"]._queued
    set_clock.pass_time(seconds=46)
    for _ in range(1000):
        time.sleep(0 if owed else 0.01)
    assert owed
    (stream,) = app.extensions["noughts_streams"].listening()
    monkeypatch.setattr(watcher.queries, "ages", lambda _: {stream.game_id: stream.sent_slow_state})  # no more by time
    pair[0].send(f"{game}/moves", cell=0, ply=0)
    assert page.news() == ("changed", {"version": "2"})
    assert not owed


def test_without_streams_the_answer_is_204_to_everybody(make_app: MakeApp) -> None:
    assert make_app().test_client().get("/events?lobby").status_code == 204


def test_the_watcher_ends_with_the_last_stream_and_begins_again(
    app: Flask, pair: Pair, game: str, listen: Listen
) -> None:
    first = listen(pair[0], game)
    thread = app.extensions["noughts_watcher"]._thread
    assert thread.is_alive()
    first.close()
    thread.join(10)
    assert app.extensions["noughts_watcher"]._thread is None
    page = listen(pair[0], game)
    pair[1].send(f"{game}/resign")
    assert page.news() == ("changed", {"version": "2"})


def test_a_watcher_that_could_not_begin_begins_with_the_next_stream(
    pair: Pair, game: str, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def unless_watcher(thread: threading.Thread) -> None:
        if thread.name == "watcher":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", unless_watcher)
    first = listen(pair[0], game)
    assert first.status == 200
    monkeypatch.setattr(threading.Thread, "start", start)
    second = listen(pair[1], game)
    pair[1].send(f"{game}/resign")
    assert first.news() == second.news() == ("changed", {"version": "2"})


def test_a_watcher_that_fails_while_it_looks_for_work_begins_again(
    app: Flask, pair: Pair, game: str, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the disk is full on which it notes how many pages are open."""
    monkeypatch.setattr(watcher, "AFTER_TROUBLE", 0.05)
    counted = iter([OSError(28, "No space left on device")])

    def live_pages(_count: int) -> None:
        if trouble := next(counted, None):
            raise trouble

    monkeypatch.setattr(app.extensions["noughts_measured"], "live_pages", live_pages)
    page = listen(pair[0], game)
    pair[1].send(f"{game}/resign")
    assert page.news() == ("changed", {"version": "2"})


def test_streams_end_when_the_server_does(
    front: Front, loop: AbstractEventLoop, pair: Pair, game: str, listen: Listen
) -> None:
    page = listen(pair[0], game)
    loop.call_soon_threadsafe(front.end)
    assert page.news() is None
    assert listen(pair[0], game).news() is None, "and whoever comes later than that"
