"""Two presses at once: two starts, two enters for one place, a withdrawal against a pairing. On both databases."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from flask import Flask

from tests.competitions import agent_contests
from tests.competitions.contests import Contest
from tests.conftest import postgres_only
from tests.factories import make_classroom, make_user, put_into
from tests.meanwhile import Halfway, all_at_once
from tests.tables import rows_of
from webapp.competitions import agent_entries, services
from webapp.competitions.progress import go_on
from webapp.competitions.states import PairingState, State
from webapp.errors import Refusal
from webapp.games.services import resign
from webapp.operations.invariants import check
from webapp.privacy.services import delete_account


def within(app: Flask, act: Callable[..., object], *arguments: object) -> Callable[[], str]:
    """For a thread of its own. What is refused says so."""

    def do() -> str:
        with app.app_context():
            try:
                act(*arguments)
            except Refusal as refusal:
                return refusal.title
            return "done"

    return do


def is_sound(app: Flask) -> bool:
    return check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


def test_two_starts_make_one_round(app: Flask) -> None:
    contest = Contest(app, 5, rounds=2)
    with app.app_context():
        about = contest.about()
    assert all_at_once([within(app, services.start, about)] * 4) == ["done"] * 4
    assert Counter(row["round"] for row in rows_of(app, "competition_game")) == {1: 3}
    assert len(rows_of(app, "game")) == 2 and is_sound(app)


@postgres_only
def test_a_competition_that_its_last_agent_is_leaving_does_not_start(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = agent_contests.Contest(app)
    [robot] = contest.enter("ada")
    with app.app_context():
        about = contest.about
    leaving = Halfway(app, agent_entries.forfeit)
    monkeypatch.setattr(agent_entries, "forfeit", leaving)
    leave = within(app, agent_entries.withdraw_agent, about, robot.agent_id)
    told = all_at_once([leave, leaving.after(within(app, services.start, about))])
    assert told == ["done", "Entries are closed"]
    assert [row["state"] for row in rows_of(app, "competition")] == [State.ENTERING]
    assert is_sound(app)


def test_the_last_two_games_that_end_at_once_make_one_next_round(app: Flask) -> None:
    contest = Contest(app, 6, rounds=2)
    contest.start()
    left = contest.left()
    losers = [(x, pairing.game) for (x, _), pairing in zip(contest.players(left), left, strict=True)]
    all_at_once([within(app, resign, user_id, game) for user_id, game in losers])
    assert Counter(row["round"] for row in rows_of(app, "competition_game")) == {1: 3, 2: 3}
    assert is_sound(app)


def test_two_enters_for_one_place(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest(app, 2)
    monkeypatch.setattr(services, "MOST_ENTRIES", 3)
    late = [make_user(app, f"late{number}") for number in range(4)]
    with app.app_context():
        entering = [within(app, services.enter, contest.about(user_id), user_id) for user_id in late]
    assert Counter(all_at_once(entering)) == {"done": 1, "Entries are closed": 3}
    assert len(contest.now().active) == 3


def test_one_who_presses_enter_twice_is_in_once(app: Flask) -> None:
    contest, user_id = Contest(app, 1), make_user(app, "eager")
    with app.app_context():
        about = contest.about(user_id)
    assert all_at_once([within(app, services.enter, about, user_id)] * 3) == ["done"] * 3
    assert len(rows_of(app, "competition_entry")) == 2


@postgres_only
def test_of_two_who_cannot_play_each_other_and_enter_at_once_one_is_in(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, strict = make_classroom(app), make_classroom(app, only_members=True)
    users = [make_user(app, name) for name in ("ann", "bob")]
    for room, name in ((here, "ann"), (here, "bob"), (strict, "ann")):
        put_into(app, room, name)
    contest = Contest(app, 0, classroom_id=1)
    with app.app_context():
        one, other = (within(app, services.enter, contest.about(user_id), user_id) for user_id in users)
    entering = Halfway(app, services._check_opponents)
    monkeypatch.setattr(services, "_check_opponents", entering)
    assert all_at_once([one, entering.after(other)]) == ["done", "Not open to you"]
    assert len(contest.now().active) == 1


@pytest.mark.parametrize("leave", ["withdraw", "delete"])
def test_leaving_against_the_pairing_of_a_round(app: Flask, leave: str) -> None:
    """Whoever is first, nobody is left in a game against one who is gone, and the competition goes on to its end."""
    contest = Contest(app, 5, rounds=3)
    gone = contest.users[0]
    with app.app_context():
        about = contest.about(gone)
    leaving = within(app, services.withdraw, about, gone) if leave == "withdraw" else within(app, delete_account, gone)
    with app.app_context():
        starting = within(app, services.start, contest.about())
    all_at_once([leaving, starting])
    contest.play_round()
    contest.play_round()
    contest.play_round()
    whole = contest.now()
    entry = whole.entry_of(gone)
    assert entry and not entry.is_active and whole.about.state is State.ENDED
    assert not any(one.state is PairingState.PLAYING for one in whole.pairings)
    assert is_sound(app)


def test_the_end_against_the_last_game_of_a_round(app: Flask) -> None:
    """Either the next round was paired and is cancelled, or it never began."""
    contest = Contest(app, 2, rounds=1)
    contest.start()
    [pairing] = contest.left()
    with app.app_context():
        about = contest.about()
    ending = within(app, services.end, about)
    all_at_once([ending, within(app, resign, contest.users[0], pairing.game), within(app, go_on, about.id)])
    whole = contest.now()
    assert whole.about.state is State.ENDED
    assert {one.state for one in whole.pairings} <= {PairingState.FINISHED, PairingState.CANCELLED}
    with suppress(Refusal), app.app_context():
        services.start(contest.about())
    assert is_sound(app)
