"""A game that nobody has joined as one person sees it, without a database."""

from datetime import timedelta

import pytest

from tests.games.records import ANN, BOB, EVE, game, open_game
from webapp.clock import now
from webapp.games.game_record import GameRecord, Person
from webapp.games.invitation import Invitation, invitation_of
from webapp.games.states import EndReason, Status, Visibility, WishedMark

PATIENCE = timedelta(seconds=30)  # the default of NOUGHTS_OFFER_COMPUTER_SECONDS
TO_BOB = Person(BOB, "bob", False)


def seen(record: GameRecord, viewer: int | None) -> Invitation:
    invitation = invitation_of(record, viewer)
    assert invitation
    return invitation


def test_there_is_none_once_the_seats_are_taken() -> None:
    assert invitation_of(game(), ANN) is None


def test_each_knows_which_side_they_are_on() -> None:
    invited = open_game(challenged=TO_BOB)
    for viewer, sides in {ANN: (True, False), BOB: (False, True), EVE: (False, False)}.items():
        assert (seen(invited, viewer).is_opener, seen(invited, viewer).is_challenged) == sides


def test_the_opener_s_mark_is_known_unless_it_is_left_to_chance() -> None:
    marks = {wish: seen(open_game(wished_mark=wish), ANN).opener_mark for wish in WishedMark}
    assert marks == {"X": "X", "O": "O", "random": None}


def test_the_link_is_shown_to_the_opener_of_a_private_game_for_anyone_while_it_is_open() -> None:
    private = {"visibility": Visibility.PRIVATE}
    assert seen(open_game(**private), ANN).needs_link
    assert not seen(open_game(**private), EVE).needs_link
    assert not seen(open_game(), ANN).needs_link
    assert not seen(open_game(challenged=TO_BOB, **private), ANN).needs_link
    assert not seen(open_game(status=Status.WITHDRAWN, **private), ANN).needs_link


def test_a_declined_game_says_why() -> None:
    declined = open_game(challenged=TO_BOB, status=Status.DECLINED, reason=EndReason.BUSY)
    assert seen(declined, ANN).declined_because == "I am in another game"
    assert seen(open_game(status=Status.WITHDRAWN, reason=EndReason.WITHDRAWN), ANN).declined_because is None


@pytest.mark.usefixtures("settings_alone")
def test_the_opener_alone_is_offered_the_computer_after_a_while() -> None:
    waited = open_game(created_at=now() - PATIENCE)
    assert seen(waited, ANN).has_waited_long
    assert not seen(waited, EVE).has_waited_long
    assert not seen(open_game(created_at=now() - PATIENCE / 2), ANN).has_waited_long
    assert not seen(open_game(created_at=now() - PATIENCE, status=Status.WITHDRAWN), ANN).has_waited_long
