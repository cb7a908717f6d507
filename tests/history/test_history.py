"""The history page: totals, filters, and the list from the newest game to the oldest and back."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import chain, product

import pytest
from flask import Flask
from sqlalchemy import insert, select

from tests.conftest import Browser, Pair, SetClock
from tests.history.playing import play, play_many, play_people, user_id_of
from tests.two_players import begin_game
from webapp.accounts import presence
from webapp.accounts.models import User
from webapp.database import added_id, writing
from webapp.extensions import db
from webapp.games.models import Game, Seat, Tally
from webapp.games.totals import NO_RECORD, Opponent, opponent_of, totals_of


def shown(text: str) -> list[str]:
    """The public ids of the games in the list, in the order of the page."""
    return list(dict.fromkeys(re.findall(r'/games/([\w-]{12})/replay"', text)))


def finished(app: Flask, **wanted: str) -> list[str]:
    """A recount: the only user's games with these columns in their seat, newest first."""
    with app.app_context():
        rows = select(Game.public_id).join(Seat).where(Seat.user_id.is_not(None), Seat.result.is_not(None))
        for column, value in wanted.items():
            rows = rows.where(getattr(Seat, column) == value)
        return list(db.session.scalars(rows.order_by(Game.id.desc())))


def link(text: str, words: str) -> str | None:
    found = re.search(rf'href="([^"]+)"[^>]*>{words}<', text)
    return found[1].replace("&amp;", "&") if found else None


def row_of(text: str, opponent: str) -> list[int]:
    """Won, drawn, lost in the opponent's row of the table."""
    row = re.search(rf">{opponent}</a>.*?</tr>", text, re.S)
    assert row, f"no row for {opponent}"
    return [int(count) for count in re.findall(r'data-label="(?:Won|Drawn|Lost)">(\d+)<', row[0])]


def test_the_totals_equal_a_recount_in_all_and_by_level(app: Flask, player7: Browser) -> None:
    play_many(app, "player7", 12)
    page = player7.get("/history").text
    assert "12 finished games" in page
    assert re.findall(r"<b>(\d+)</b>", page.partition('id="live"')[2])[:3] == [
        str(len(finished(app, result=result))) for result in ("won", "drawn", "lost")
    ]
    for level in ("beginner", "casual", "perfect"):
        counts = [len(finished(app, result=result, opponent_level=level)) for result in ("won", "drawn", "lost")]
        assert row_of(page, level.capitalize()) == counts


def test_the_games_with_mistakes_are_found_with_any_other_filter(app: Flask, player7: Browser) -> None:
    play_many(app, "player7", 12)
    with app.app_context():
        mistaken = select(Game.public_id).join(Seat).where(Seat.user_id.is_not(None), Seat.kept < Seat.decisions)
        ids = set(db.session.scalars(mistaken))
    assert 0 < len(ids) < 12
    for level, result in product((None, "casual"), (None, "lost")):
        wanted = {name: word for name, word in (("opponent_level", level), ("result", result)) if word}
        page = player7.get(f"/history?mistakes=yes&opponent={level or ''}&result={result or ''}").text
        assert shown(page) == [one for one in finished(app, **wanted) if one in ids], (level, result)
    assert player7.get("/history?mistakes=no").status_code == 400
    assert link(page, "With mistakes") == "/history?opponent=casual&result=lost&mistakes=yes#games"


def test_the_games_with_the_coach_are_found_with_any_other_filter(app: Flask, player7: Browser) -> None:
    play(app, "player7", "casual", "X", "first")
    assert "With the coach" not in player7.get("/history").text
    coached = [player7.start(level=level, coach="yes", cell=0) for level in ("casual", "beginner", "casual")]
    for address in coached:
        player7.send(f"{address}/resign")
    ids = [address.removeprefix("/games/") for address in reversed(coached)]
    page = player7.get("/history?coach=yes").text
    assert shown(page) == ids and link(page, "With the coach") == "/history?coach=yes#games"
    assert "/history?opponent=casual&amp;coach=yes#games" in page  # from the table of opponents, too
    assert shown(player7.get("/history?coach=yes&opponent=casual&result=lost").text) == [ids[0], ids[2]]
    for none in ("mistakes=yes", "result=won", "mark=O", "opponent=player7"):
        assert shown(player7.get(f"/history?coach=yes&{none}").text) == [], none
    assert player7.get("/history?coach=no").status_code == 400
    assert player7.get("/history.csv?coach=yes").text.count("\n") == 4


def test_each_game_tells_its_accuracy_with_its_number(app: Flask, player7: Browser) -> None:
    play(app, "player7", "perfect", "X", "resigned")
    assert "no decisions" in player7.get("/history").text
    game = play(app, "player7", "perfect", "O", "best")
    with app.app_context():
        decisions = db.session.scalar(select(Seat.decisions).join(Game).where(Game.public_id == game, Seat.mark == "O"))
    assert f'100 % <span class="small soft">{decisions} of {decisions}</span>' in player7.get("/history").text


def test_an_unfinished_game_is_not_in_it(player7: Browser) -> None:
    player7.start(cell=0)
    page = player7.get("/history").text
    assert "No finished games yet" in page and not shown(page)


def test_the_last_games_are_told_in_order(app: Flask, player7: Browser) -> None:
    for ending in ("resigned", "best", "resigned"):
        play(app, "player7", "perfect", "X", ending)
    assert "0 won, 1 drawn, 2 lost, oldest first: lost, drawn, lost." in player7.get("/history").text


def test_who_has_not_played_yet_reads_why_the_history_asks_for_a_log_in(client: Browser) -> None:
    assert "games that you have finished" in client.get("/history", follow_redirects=True).text
    assert "games that you have finished" not in client.get("/log-in").text


def test_a_guest_has_a_history_too(client: Browser) -> None:
    address = client.start(cell=0)
    client.send(f"{address}/resign")
    page = client.get("/history").text
    assert "1 finished game<" in page and "Sign up and keep your games" in page


@pytest.mark.slow
def test_every_filter_shows_exactly_the_games_that_fit(app: Flask, player7: Browser) -> None:
    play_many(app, "player7", 24)
    choices = product((None, "casual", "perfect"), (None, "won", "drawn", "lost"), (None, "X", "O"))
    for opponent, result, mark in choices:
        asked = {"opponent": opponent, "result": result, "mark": mark}
        columns = {"opponent_level": opponent, "result": result, "mark": mark}
        page = player7.get("/history", query_string={name: value for name, value in asked.items() if value}).text
        wanted = finished(app, **{name: value for name, value in columns.items() if value})
        assert shown(page) == wanted, asked
        assert bool(wanted) != ("No finished games like this" in page)


def test_a_filter_link_keeps_the_other_filters(player7: Browser) -> None:
    player7.send(f"{player7.start(cell=0, level='casual')}/resign")
    page = player7.get("/history?opponent=casual&mark=X").text
    assert link(page, "Lost") == "/history?opponent=casual&mark=X&result=lost#games"
    assert link(page, "Download these as CSV") == "/history.csv?opponent=casual&mark=X"


@pytest.mark.slow
def test_older_and_newer_lead_past_every_game_once_and_back(app: Flask, player7: Browser) -> None:
    games = play_many(app, "player7", 56)[::-1]
    page, pages = player7.get("/history").text, []
    while True:
        pages.append(shown(page))
        if not (older := link(page, "Older games")):
            break
        page = player7.get(older).text
    assert [len(one) for one in pages] == [25, 25, 6]
    assert list(chain(*pages)) == games
    assert shown(player7.get(link(page, "Newer games")).text) == pages[1]
    assert shown(player7.get(link(page, "Newest")).text) == pages[0]


def test_newer_games_that_fill_no_page_lead_to_the_newest_page(app: Flask, player7: Browser) -> None:
    games = play_many(app, "player7", 4)
    answer = player7.get(f"/history?result=lost&after={games[0]}")
    assert (answer.status_code, answer.location) == (303, "/history?result=lost")


@pytest.mark.parametrize("wrong", ["result=lose", "mark=Z", "before=1", "after=%00", "before=", "mark=x"])
def test_a_link_that_no_page_has_is_refused(player7: Browser, wrong: str) -> None:
    assert player7.get(f"/history?{wrong}").status_code == 400


def test_a_strange_edge_shows_no_games(app: Flask, player7: Browser) -> None:
    play(app, "player7", "perfect", "X", "resigned")
    assert shown(player7.get("/history?before=abcdefghijkl").text) == []


@pytest.mark.parametrize("name", ["rosalind", "nobody-at-all", "=1", "'; DROP TABLE seat"])
def test_the_filter_does_not_tell_who_has_an_account(
    player7: Browser, browser_of: Callable[[], Browser], name: str
) -> None:
    browser_of().sign_up("rosalind")
    player7.send(f"{player7.start(cell=0)}/resign")
    answer = player7.get(f"/history?opponent={name}")
    assert answer.status_code == 200 and "No finished games like this" in answer.text


def test_people_are_opponents_each_under_their_name(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    rosalind = browser_of()
    rosalind.sign_up("Rosalind")
    won = play_people(app, "player7", "Rosalind", [0, 3, 1, 4, 2])  # X takes the top row
    lost = play_people(app, "Rosalind", "player7", [4, 0, 2])  # O resigns
    play(app, "player7", "perfect", "X", "resigned")
    page = player7.get("/history").text
    assert row_of(page, "Rosalind") == [1, 0, 1]
    assert shown(player7.get("/history?opponent=rosalind").text) == [lost, won]
    assert shown(player7.get("/history?opponent=Rosalind&mark=X").text) == [won]
    assert row_of(rosalind.get("/history").text, "player7") == [1, 0, 1]


def test_a_name_in_the_list_shows_only_the_games_against_it_and_keeps_the_other_filters(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    browser_of().sign_up("Rosalind")
    won = play_people(app, "player7", "Rosalind", [0, 3, 1, 4, 2])
    play_people(app, "Rosalind", "player7", [4, 0, 2])
    play(app, "player7", "perfect", "X", "resigned")
    games = player7.get("/history?result=won").text.partition('id="games"')[2].partition("</nav>")[2]
    found = re.search(r'href="([^"]+)">Rosalind<', games)
    assert found and shown(player7.get(found[1].replace("&amp;", "&")).text) == [won]


def test_of_many_opponents_the_most_played_are_read_and_the_others_are_added_up(app: Flask, player7: Browser) -> None:
    play(app, "player7", "perfect", "X", "resigned")
    add_opponents(app, 40)
    with app.app_context():
        totals = totals_of(user_id_of("player7"))
    people = [f"person{number:02}" for number in range(39, 20, -1)]
    assert [opponent.title for opponent in totals.against] == ["Perfect", *people]
    assert (totals.against.popitem()[1].total, totals.others) == (2 * 22, 21)
    assert (totals.all.won, totals.all.lost) == (2 * sum(range(1, 41)), 1)
    assert totals.coached == NO_RECORD
    page = player7.get("/history?opponent=Person07").text
    assert "1,641 finished games" in page and "And 21 other opponents" in page
    with app.app_context():
        found = opponent_of(user_id_of("player7"), "PERSON07")
        assert found == Opponent(None, user_id_of("person07"), "person07", is_deleted=False)


def add_opponents(app: Flask, count: int) -> None:
    """People against whom player7 has won, with each mark, the more often the higher their number."""
    with app.app_context(), writing() as connection:
        me = user_id_of("player7")
        for number in range(count):
            name = f"person{number:02}"
            person = added_id(connection, insert(User).values(name=name, name_key=name))
            wins = [{"user_id": me, "opponent_id": person, "mark": mark, "won": number + 1} for mark in "XO"]
            connection.execute(insert(Tally), wins)


def test_of_a_claimed_draw_it_is_the_one_who_was_to_move_that_left(pair: Pair, set_clock: SetClock) -> None:
    presence._written.clear()
    ann, bob = pair
    address = begin_game(ann, bob, 0, 4, 8)
    set_clock.pass_time(minutes=6)
    assert ann.send(f"{address}/claim", claim="draw").status_code == 303
    assert "your opponent left the game" in ann.get("/history").text
    assert "you left the game" in bob.get("/history").text


def test_a_deleted_opponent_keeps_no_name(app: Flask, player7: Browser, browser_of: Callable[[], Browser]) -> None:
    rosalind = browser_of()
    rosalind.sign_up("Rosalind")
    play_people(app, "player7", "Rosalind", [0])
    rosalind.send("/account/delete", page="/account/delete", password="correct horse")
    page = player7.get("/history").text
    assert "Rosalind" not in page and "Deleted player" in page
    assert len(shown(page)) == 1


def test_nobody_sees_the_games_of_somebody_else(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    play(app, "player7", "perfect", "X", "resigned")
    stranger = browser_of()
    stranger.sign_up("stranger")
    assert "No finished games yet" in stranger.get("/history").text
    assert stranger.get("/history.csv").text.count("\n") == 1


def test_each_seat_keeps_a_true_copy_of_its_opponent(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    browser_of().sign_up("Rosalind")
    play_many(app, "player7", 4)
    play_people(app, "Rosalind", "player7", [4])
    player7.start(cell=0)
    with app.app_context():
        seats = {(seat.game_id, seat.mark): seat for seat in db.session.scalars(select(Seat))}
        kinds = Counter()
        for (game_id, mark), seat in seats.items():
            other = seats[game_id, "O" if mark == "X" else "X"]
            truth = (other.user_id, other.level) if seat.result else (None, None)
            assert (seat.opponent_id, seat.opponent_level) == truth
            kinds[seat.result is None, seat.opponent_id is None] += 1
    assert len(kinds) == 3  # finished against the computer, against a person, and unfinished
