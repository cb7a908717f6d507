"""The pages of competitions: who sees what, what they cost, what is pressed, and what the files hold."""

import re
from datetime import timedelta
from random import Random

from flask import Flask
from sqlalchemy import select, text

from tests.classrooms.rooms import Room
from tests.competitions.contests import Contest
from tests.conftest import Browser, SetClock, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom, make_user, member_of
from tests.tables import rows_of
from tests.test_statements import statements
from webapp.classrooms.roles import Role
from webapp.competitions import services
from webapp.competitions.models import Competition
from webapp.competitions.queries import _my_games
from webapp.competitions.states import Entrants, State
from webapp.database import reading
from webapp.games.services import play_move

MADE = {"name": "Autumn cup", "rounds": "3"}


def make(browser: Browser, **fields: str) -> str:
    """The address of a new competition."""
    answer = browser.send("/competitions", **{**MADE, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def table_on(page: str) -> list[list[str]]:
    """The cells of the standings, as text."""
    rows = re.findall(r"(?s)<tr[^>]*>(.*?)</tr>", page.split('class="table standings"')[1].split("</table>")[0])[1:]
    cells = [re.findall(r"(?s)<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


@sqlite_only
def test_my_games_are_found_without_a_look_at_those_of_others(app: Flask) -> None:
    """Each page of a classroom asks for them, and one competition of agents has tens of thousands."""
    with app.app_context(), reading() as connection:
        for asked in _my_games(1):
            found = select(asked).select_from(Competition).compile(connection, compile_kwargs={"literal_binds": True})
            plan = [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {found}"))]
            looks = [step for step in plan if "competition_game" in step]
            assert looks and all("_entry_id=?" in step for step in looks), plan


def test_a_class_tournament_from_the_form_to_the_winner(app: Flask) -> None:
    room = make_classroom(app)
    teacher = logged_in(app, "teacher7")
    students = [enrolled(app, room, name, real_name=f"Real {name}") for name in ("ann", "bob", "cat")]
    address = make(teacher, classroom=room)
    for student in students:
        assert 'action="' + address + "/enter" in student.get(address).text
        assert student.send(f"{address}/enter").status_code == 303
    page = teacher.get(address).text
    assert "3 players have entered" in page and "Press Start as soon as two or more have entered." in page
    assert teacher.send(f"{address}/start").status_code == 303
    for _ in range(3):
        for student in students:
            if link := re.search(r'button-strong" href="(/games/[^"]+)">Play', student.get(address).text):
                student.send(f"{link[1]}/resign")
    page = teacher.get(address).text
    assert "This competition is over." in page
    assert 'class="number where-wide">Sonneborn-Berger<' in page and 'class="number">Won<' in page  # on a phone
    assert [row[0] for row in table_on(page)] and sum(int(row[2]) for row in table_on(page)) == 3
    for place in ("", "/projector", "/table.csv"):
        assert "Real" not in students[0].get(address + place).text
    listed = f"/competitions?classroom={room}"
    assert "Autumn cup" in students[0].get(listed).text
    for place, lit in ((address, "Class"), (listed, "Class"), ("/competitions", "Lobby")):
        assert re.findall(r'aria-current="[a-z]+">(\w+)</a>', teacher.get(place).text) == [lit], place


def test_students_are_told_of_open_competitions_on_the_page_of_their_class(app: Flask, set_clock: SetClock) -> None:
    room = make_classroom(app)
    teacher, class_page = logged_in(app, "teacher7"), f"/classrooms/{room}"
    ann, bob, eve = (enrolled(app, room, name) for name in ("ann", "bob", "eve"))
    address, later = make(teacher, classroom=room), make(teacher, classroom=room, name="Later cup", opens="15")

    def told(student: Browser) -> list[tuple[str, str]]:
        page = student.get(f"{class_page}/piece").text
        return re.findall(r'<b>([^<]+ cup is [^<]+)</b></p>\s*<div class="row-press"><a [^>]+>([\w ]+)</a>', page)

    assert told(ann) == [("Autumn cup is open.", "Enter")] and "Autumn cup" not in teacher.get(class_page).text
    for student in (ann, bob):
        student.send(f"{address}/enter")
    assert told(ann) == [] and len(told(eve)) == 1
    teacher.send(f"{address}/start")
    played = "Autumn cup is being played."
    assert (told(ann), told(eve)) == ([(played, "Play")], [(played, "Watch")])
    teacher.send(f"{address}/end")
    assert told(eve) == []
    set_clock.pass_time(minutes=15)
    assert told(eve) == [("Later cup is open.", "Enter")] and later in eve.get(class_page).text


def test_who_has_no_game_in_a_round_is_not_called_to_play(app: Flask) -> None:
    room = make_classroom(app)
    teacher = logged_in(app, "teacher7")
    students = [enrolled(app, room, f"student{number}") for number in range(1, 6)]

    def told(student: Browser) -> tuple[str, str]:
        page = student.get(f"/classrooms/{room}/piece").text
        found = re.search(r'is being played\.</b>(.*?)</p>\s*<div class="row-press"><a [^>]+>([^<]+)</a>', page)
        assert found, page
        return re.sub("<[^>]+>", "", found[1]).strip(), found[2]

    for system in ("round robin", "Swiss"):
        address = make(teacher, classroom=room, format=system)
        for student in students:
            student.send(f"{address}/enter")
        teacher.send(f"{address}/start")
        free, play = ("You sit out this round.", "See the table"), ("", "Play")
        assert sorted(map(told, students)) == [*[play] * 4, free], system
        player = next(student for student in students if told(student) == play)
        game = re.search('href="(/games/[^"]+)">Play<', player.get(f"/classrooms/{room}").text)
        assert game and player.send(f"{game[1]}/resign").status_code == 303, "straight into it"
        over = ("Your game of this round is over.", "See the table")
        assert sorted(map(told, students)) == [*[play] * 2, free, *[over] * 2], system
        teacher.send(f"{address}/end")


def test_who_was_removed_from_the_class_reads_so_on_its_competition_and_strangers_read_nothing(app: Flask) -> None:
    room = Room(app)
    ann, eve = enrolled(app, room.public_id, "ann"), member_of(app, "eve")
    address = make(room.browser, classroom=room.public_id)
    assert ann.send(f"{address}/start").status_code == 404 and "no longer" not in ann.send(f"{address}/start").text
    room.remove(room.id_of("ann"))
    for path in ("", "/piece", "/projector"):
        told = ann.get(address + path)
        assert told.status_code == 404 and "You are no longer in this classroom" in told.text, path
        assert "Autumn cup" not in told.text and "no longer" not in eve.get(address + path).text, path


def test_a_form_asks_for_little_and_keeps_the_rest_at_hand(app: Flask) -> None:
    room, other = make_classroom(app), make_classroom(app)
    teacher = logged_in(app, "teacher7")

    def parts(path: str, **fields: str) -> tuple[list[str], list[str], bool]:
        """What is asked for at once, what under More, and whether that is open."""
        page = (teacher.send(path, **fields) if fields else teacher.get(path)).text
        form = page.split('id="new"')[1].split("</form>")[0]
        before, more = form.split('<details class="more"')
        asked, kept = (re.findall(r'<label for="(\w+)"', part) for part in (before, more))
        return asked, kept, more.startswith(" open")

    rest = ["entrants", "rounds", "round_minutes", "opens", "starts", "ends"]
    assert parts(f"/competitions?classroom={room}") == (["name", "format"], ["classroom", *rest], False)
    assert parts("/competitions") == (["name", "classroom", "format"], rest, False)
    assert parts("/competitions", name="Cup", classroom=other, rounds="x")[2]


def test_it_cannot_be_started_before_two_have_entered(app: Flask) -> None:
    room = make_classroom(app)
    teacher, students = logged_in(app, "teacher7"), [enrolled(app, room, name) for name in ("ann", "bob")]
    address = make(teacher, classroom=room)
    for student in students:
        page = teacher.get(address).text
        assert re.search("<button disabled[^>]*>Start</button>", page) and "Two players must have entered." in page
        assert ">Start<" not in student.get(address).text
        student.send(f"{address}/enter")
    assert "<button disabled" not in teacher.get(address).text


def test_the_players_see_each_others_games_and_strangers_do_not(app: Flask) -> None:
    room = make_classroom(app)
    teacher, stranger = logged_in(app, "teacher7"), member_of(app, "stranger")
    students = [enrolled(app, room, name) for name in ("ann", "bob", "cat", "dan")]
    teacher.send(f"/classrooms/{room}/settings", name="Informatics", term="", seat_limit="60")  # nobody watches
    address = make(teacher, classroom=room)
    for student in students:
        student.send(f"{address}/enter")
    teacher.send(f"{address}/start")
    games = re.findall(r'id="game-([\w-]+)"', students[0].get(address).text)
    assert len(games) == 2
    for game in games:
        assert [browser.get(f"/games/{game}").status_code for browser in [*students, teacher]] == [200] * 5
        assert stranger.get(f"/games/{game}").status_code == 404
        assert stranger.get(f"/competitions/of-game/{game}").status_code == 404
        assert students[0].get(f"/competitions/of-game/{game}").location == address
    assert stranger.get(address).status_code == 404
    assert app.test_client().get(address).location.startswith("/log-in")


def test_one_that_is_open_to_all_is_seen_by_all_and_entered_with_an_account(app: Flask, client: Browser) -> None:
    contest = Contest(app, 2)
    assert "Log in to enter" in client.get(contest.path).text
    assert "Autumn cup" in client.get("/competitions").text
    assert client.send(f"{contest.path}/enter").location.startswith("/log-in")
    assert member_of(app, "latecomer").send(f"{contest.path}/enter").status_code == 303
    assert len(contest.now().active) == 3


def test_only_instructors_make_them(app: Flask) -> None:
    room = make_classroom(app)
    student, helper = enrolled(app, room, "student7"), enrolled(app, room, "helper7", Role.ASSISTANT)
    other = logged_in(app, "teacher8") if make_classroom(app, "teacher8") else None
    for browser in (student, helper, other):
        assert browser and browser.send("/competitions", **MADE, classroom=room).status_code == 404
    assert student.send("/competitions", **MADE).status_code == 404
    assert rows_of(app, "competition") == []


def test_who_may_enter_in_a_classroom(app: Flask) -> None:
    room = make_classroom(app)
    teacher, student = logged_in(app, "teacher7"), enrolled(app, room, "student7")
    for_students, for_all = make(teacher, classroom=room), make(teacher, classroom=room, entrants="members")
    assert teacher.send(f"{for_students}/enter").status_code == 409
    assert [browser.send(f"{for_all}/enter").status_code for browser in (teacher, student)] == [303, 303]
    assert [row["entrants"] for row in rows_of(app, "competition")] == [Entrants.STUDENTS, Entrants.MEMBERS]


@sqlite_only
def test_a_form_that_no_competition_can_have_is_refused_in_words(app: Flask) -> None:
    make_classroom(app)
    teacher = logged_in(app, "teacher7")
    for fields, words in (
        ({"name": " "}, "Give the competition a name"),
        ({"name": "x" * 81}, "Give the competition a name"),
        ({"name": "a\x00b"}, "Give the competition a name"),
        ({"rounds": "0"}, "whole number"),
        ({"rounds": "31"}, "whole number"),
        ({"rounds": "²"}, "whole number"),
        ({"format": "elo"}, "wrong format"),
        ({"kind": "dogs"}, "wrong kind"),
        ({"round_minutes": "7"}, "wrong round minutes"),
        ({"starts": "1"}, "wrong starts"),
        ({"starts": "1440", "ends": "60"}, "end before it starts"),
        ({"starts": "60", "ends": "60"}, "end before it starts"),
        ({"opens": "1440", "ends": "60"}, "end before it starts"),
        ({"opens": "60", "starts": "5"}, "before anybody can enter"),
        ({"opens": "60", "starts": "60"}, "before anybody can enter"),
    ):
        answer = teacher.send("/competitions", **{**MADE, **fields})
        assert (answer.status_code, words in answer.text) == (400, True), fields
    assert rows_of(app, "competition") == []


@sqlite_only
def test_a_competition_that_has_not_begun_tells_its_end_and_does_not_start_after_it(
    app: Flask, set_clock: SetClock
) -> None:
    make_classroom(app)
    teacher = logged_in(app, "teacher7")
    for kind in ("people", "agents"):
        address = make(teacher, kind=kind, openings="2", ends="60")
        set_clock.pass_time(minutes=6)
        assert "It ends in 54 minutes" in teacher.get(address).text, kind
        set_clock.pass_time(minutes=54)
        refused = teacher.send(f"{address}/start")
        assert refused.status_code == 409 and "cannot start any more" in refused.text, kind
        assert "was cancelled before it started" in refused.text, kind
        again = teacher.send(f"{address}/start")
        assert again.status_code == 409 and "has started or is over" in again.text, kind
    assert {row["state"] for row in rows_of(app, "competition")} == {State.CANCELLED}


@sqlite_only
def test_a_refused_form_says_why_where_it_is_and_keeps_what_was_typed(app: Flask) -> None:
    make_classroom(app)
    teacher = logged_in(app, "teacher7")
    typed = {"name": "Spring cup", "starts": "1440", "ends": "60"}
    for kind, more, other in (("agents", {"openings": "4"}, "new"), ("people", {"round_minutes": "20"}, "new-agents")):
        page = teacher.send("/competitions", kind=kind, **MADE | typed | more).text
        place = 'id="new-agents"' if kind == "agents" else 'id="new"'
        assert page.count("It would end before it starts") == 2 and page.count('value="Spring cup"') == 1, kind
        form = page.split(place)[1].split("</form>")[0]
        assert "It would end before it starts" in form and f'id="{other}" open' not in page, kind
        for value in ("1440", "60", *more.values()):
            assert f'<option value="{value}" selected>' in form, (kind, value)


def test_the_same_form_sent_twice_makes_one(app: Flask) -> None:
    make_classroom(app)
    teacher = logged_in(app, "teacher7")
    assert {make(teacher, public_id="abcdefghijkl") for _ in range(2)} == {"/competitions/abcdefghijkl"}
    assert len(rows_of(app, "competition")) == 1


def test_a_page_costs_as_many_statements_for_many_games_as_for_few(app: Flask) -> None:
    costs = []
    contest = Contest(app, 6, rounds=3)
    browser = logged_in(app, "player1")
    contest.start()
    for path in ("", "/piece", "/projector", "/table.csv"):
        for _ in range(2):
            with statements(app) as sent:
                assert browser.get(contest.path + path).status_code == 200
        costs.append(len(sent))
    contest.play_round()
    contest.play_round()
    for path, before in zip(("", "/piece", "/projector", "/table.csv"), costs, strict=True):
        with statements(app) as sent:
            assert browser.get(contest.path + path).status_code == 200
        assert len(sent) <= before <= 8, (path, sent)


def test_the_csv_equals_the_table_and_runs_nothing(app: Flask) -> None:
    contest = Contest(app, 4)
    contest.start()
    for _ in range(3):
        contest.play_round()
    lines = logged_in(app, "teacher7").get(f"{contest.path}/table.csv").data.decode("utf-8-sig").splitlines()
    assert lines[0] == "Place,Player,Points,Won,Drawn,Lost,Sonneborn-Berger,player1,player2,player3,player4"
    assert lines[1:] == [
        "1,player1,3,3,0,0,3,,1,1,1",
        "2,player2,2,2,0,1,1,0,,1,1",
        "3,player3,1,1,0,2,0,0,0,,1",
        "4,player4,0,0,0,3,0,0,0,0,",
    ]


def test_each_cell_of_the_crosstable_leads_to_its_game(app: Flask) -> None:
    contest = Contest(app, 5, rounds=2)
    contest.start()
    contest.play_round()
    page = logged_in(app, "player1").get(contest.path).text
    cross = page.split('class="cross cross-rounds"')[1].split("</table>")[0]
    games = {pairing.game for pairing in contest.now().pairings if pairing.game}
    assert set(re.findall(r'href="/games/([\w-]+)"', cross)) == games
    assert "bye" in cross
    whole = r'<td><a href="/games/[\w-]+">.+player\d, [XO]</span></a></td>'
    assert len(re.findall(whole, cross)) == cross.count('href="/games/') > 0, "all of a cell can be pressed"


def test_my_next_game_is_one_press_away(app: Flask) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    [pairing] = contest.left()
    page = logged_in(app, "player1").get(contest.path).text
    assert f'href="/games/{pairing.game}">Play player2 as' in page
    begins = contest.users.index(contest.players([pairing])[0][0]) + 1
    for number in (1, 2):
        waits = f'href="/games/{pairing.game}"' in logged_in(app, f"player{number}").get("/practice").text
        assert waits == (number == begins), number


def test_an_ended_game_leads_back_to_the_competition(app: Flask) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    [pairing] = contest.left()
    browser = logged_in(app, "player1")
    page = browser.get(f"/games/{pairing.game}").text
    assert "Cancel the game" not in page and "Resign" in page
    browser.send(f"/games/{pairing.game}/resign")
    page = browser.get(f"/games/{pairing.game}").text
    assert "To the competition" in page and "Rematch" not in page
    assert browser.send(f"/games/{pairing.game}/rematch").status_code == 409


def test_a_game_that_nobody_finished_tells_what_that_means_in_the_competition(
    app: Flask, set_clock: SetClock
) -> None:
    contest = Contest(app, 2, rounds=1, ends_at=set_clock() + timedelta(hours=1))
    contest.start()
    [pairing] = contest.left()
    [(first, _)] = contest.players([pairing])
    with app.app_context():
        play_move(first, pairing.game or "", 4, 0, Random(1))
    set_clock.pass_time(minutes=11)
    assert contest.now().pairings[0].score == "X"
    told = logged_in(app, "player1").get(f"/games/{pairing.game}").text
    assert "did not move in time. The game counts in its competition only." in told and "does not count" not in told


def test_a_game_that_the_instructor_s_press_ended_says_so(app: Flask) -> None:
    contest = Contest(app, 2)
    contest.start()
    [pairing] = contest.left()
    [players] = contest.players([pairing])
    with app.app_context():
        for ply, player in enumerate(players):
            play_move(player, pairing.game or "", ply, ply, Random(1))
    logged_in(app, "teacher7").send(f"{contest.path}/end")
    told = logged_in(app, "player1").get(f"/games/{pairing.game}").text
    assert "The competition was ended before the game was over. It does not count." in told


def test_withdrawing_before_and_after_the_start(app: Flask) -> None:
    contest = Contest(app, 3)
    browser = logged_in(app, "player1")
    browser.send(f"{contest.path}/withdraw")
    assert len(contest.now().active) == 2
    browser.send(f"{contest.path}/enter")
    contest.start()
    assert browser.send(f"{contest.path}/withdraw").status_code == 303
    assert "left" in browser.get(contest.path).text
    assert browser.send(f"{contest.path}/enter").status_code == 409


def test_start_and_end_by_a_press(app: Flask) -> None:
    contest = Contest(app, 1)
    teacher = logged_in(app, "teacher7")
    assert teacher.send(f"{contest.path}/start").status_code == 409
    member_of(app, "another").send(f"{contest.path}/enter")
    assert [teacher.send(f"{contest.path}/start").status_code for _ in range(2)] == [303, 303]
    assert [teacher.send(f"{contest.path}/end").status_code for _ in range(2)] == [303, 303]
    assert contest.row().state is State.ENDED
    assert "Its table and its games stay here" in teacher.get(contest.path).text
    assert teacher.send(f"{contest.path}/start").status_code == 409


@sqlite_only
def test_one_that_is_ended_before_its_start_is_told_as_cancelled(app: Flask) -> None:
    contest = Contest(app, 2)
    teacher = logged_in(app, "teacher7")
    teacher.send(f"{contest.path}/end")
    page = teacher.get(contest.path).text
    assert "The competition is cancelled" in page and "games stay here" not in page


def test_entries_open_at_their_time(app: Flask, set_clock: SetClock) -> None:
    make_classroom(app)
    address = make(logged_in(app, "teacher7"), opens="60")
    browser = member_of(app, "latecomer")
    assert "Entries open in 1 hour" in browser.get(address).text
    refused = browser.send(f"{address}/enter")
    assert refused.status_code == 409 and "They open in 1 hour" in refused.text
    set_clock.pass_time(minutes=61)
    assert browser.send(f"{address}/enter").status_code == 303


def test_who_plays_among_classmates_only_enters_nothing_else(app: Flask) -> None:
    contest, room = Contest(app, 0), make_classroom(app)
    student = enrolled(app, room, "student7")
    logged_in(app, "teacher7").send(
        f"/classrooms/{room}/settings", name="Informatics", term="", seat_limit="60", only_members="yes"
    )
    answer = student.send(f"{contest.path}/enter")
    assert answer.status_code == 409 and "Your instructor chose this" in answer.text
    assert member_of(app, "stranger").send(f"{contest.path}/enter").status_code == 303, "it is closed to nobody else"


def test_two_who_met_twice_have_a_page_of_their_games(app: Flask) -> None:
    contest = Contest(app, 3, rounds=3)
    contest.start()
    first, second = (entry.id for entry in contest.now().entries[:2])
    browser = logged_in(app, "player1")
    assert "player1" in browser.get(f"{contest.path}/games/{first}/{second}").text
    assert browser.get(f"{contest.path}/games/{first}/999999999999999999999").status_code == 404


def test_one_that_ends_before_anybody_took_a_point_names_no_winner(app: Flask) -> None:
    contest = Contest(app, 2)
    contest.start()
    with app.app_context():
        services.end(contest.about())
    page = logged_in(app, "player1").get(contest.path).text
    assert "This competition is over.</p>" in page and "won it" not in page


def test_names_and_titles_are_escaped(app: Flask) -> None:
    make_classroom(app)
    teacher = logged_in(app, "teacher7")
    page = teacher.get(make(teacher, name="<b>{{7*7}}</b>")).text
    assert "<b>{{7*7}}</b>" not in page and "&lt;b&gt;{{7*7}}&lt;/b&gt;" in page


def test_on_the_wall_nothing_tells_who_opened_it(app: Flask) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    browser = logged_in(app, "player1")
    assert "my-board" in browser.get(contest.path).text
    for path in ("/projector", "/projector/piece"):
        page = browser.get(contest.path + path).text
        assert "player2" in page, path
        for personal in ("my-board", "data-my-turn", "Log out", 'id="waiting"', "<title>("):
            assert personal not in page, (path, personal)


def test_the_live_part_changes_with_a_move(app: Flask) -> None:
    contest = Contest(app, 2, rounds=1)
    contest.start()
    [pairing] = contest.left()
    browser = logged_in(app, "player2")
    tag = browser.get(f"{contest.path}/piece").headers["ETag"]
    assert browser.get(f"{contest.path}/piece", headers={"If-None-Match": tag}).status_code == 304
    with app.app_context():
        play_move(contest.players([pairing])[0][0], pairing.game or "", 4, 0, Random(1))
    assert browser.get(f"{contest.path}/piece", headers={"If-None-Match": tag}).status_code == 200


def test_an_export_tells_of_them(app: Flask) -> None:
    Contest(app, 1)
    make_user(app, "unconcerned")
    told = logged_in(app, "player1").get("/account/export").text
    assert '"Autumn cup"' in told and '"agent"' not in told
