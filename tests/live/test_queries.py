"""What the watcher asks of the database."""

from flask import Flask

from tests.conftest import Pair, SetClock
from tests.test_statements import statements
from webapp.accounts import presence
from webapp.games.queries import game_seen_by
from webapp.live import queries
from webapp.live.classrooms import pause


def test_who_is_waited_for_is_asked_for_all_at_once(app: Flask, pair: Pair, game: str) -> None:
    challenge = str(pair[0].send("/games", opponent="bob").location)
    keys = [address.rsplit("/")[-1] for address in (game, challenge)]
    with app.app_context(), statements(app) as sent:
        assert queries.waiting_games([1, 2, 3]) == {1: keys[:1], 2: keys[1:]}
    assert len(sent) == 1


def test_the_page_is_told_when_a_claim_becomes_possible_however_long_the_other_was_away_before(
    app: Flask, set_clock: SetClock, pair: Pair, game: str
) -> None:
    ann, bob = pair
    for mover, cell, ply in ((ann, 0, 0), (bob, 4, 1)):
        mover.send(f"{game}/moves", cell=cell, ply=ply)
    with app.app_context():
        presence.note([1, 2], by_stream=True)
        set_clock.pass_time(hours=2)  # Ann thinks, Bob is not seen meanwhile
        ann.send(f"{game}/moves", cell=8, ply=2)
        told = []
        for _ in range(2):
            may_claim = ann.get(f"{game}/state").json["can_be_claimed"]
            record = game_seen_by(1, game.rsplit("/")[-1])
            told.append((may_claim, queries.ages([record.id])[record.id]))
            assert queries.age_of(record) == told[-1][1]
            set_clock.pass_time(seconds=91)
    (before, first), (after, second) = told
    assert (before, after) == (False, True)
    assert first != second


def test_the_lobby_has_another_version_for_those_whom_a_change_concerns(app: Flask, pair: Pair) -> None:
    ann, bob = pair

    def versions() -> list[str]:
        with app.app_context():
            newest = queries.LobbyVersions([1, 2])
            return [newest.of(user_id) for user_id in (1, 2, 3, None)]

    def changed() -> list[bool]:
        nonlocal known
        before, known = known, versions()
        return [was != now for was, now in zip(before, known, strict=True)]

    known = versions()
    assert changed() == [False] * 4
    challenge = str(ann.send("/games", opponent="bob").location)
    assert changed() == [True, True, False, False]
    ann.send(f"{challenge}/withdraw")
    assert changed() == [True, True, False, False]
    game = str(ann.send("/games", opponent="anyone", mark="X").location)
    assert changed() == [True] * 4
    bob.send(f"{game}/join")
    assert changed() == [True] * 4
    ann.send(f"{game}/moves", cell=0, ply=0)
    assert changed() == [True, True, False, False]


def test_the_lobby_of_many_people_is_asked_for_at_once(app: Flask) -> None:
    with app.app_context(), statements(app) as sent:
        queries.LobbyVersions([1, 2, 3])
    assert len(sent) == 1


def test_a_large_class_is_drawn_afresh_less_often() -> None:
    assert [pause(frozenset({("here", 9, 9), ("members", count, 7)})) for count in (0, 35, 210)] == [0, 1, 6]
    assert pause(frozenset()) == 0


def test_a_game_that_is_deleted_while_it_is_looked_for_stops_no_news_of_others(app: Flask, game: str) -> None:
    assert game
    with app.app_context():
        assert queries.hidden_games([(1, None), (2, 1)]) == queries.hidden_games([(1, None)])
