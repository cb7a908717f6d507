"""What two players have offered each other as one person sees it, without a database."""

from dataclasses import replace

from tests.games.records import ANN, BOB, EVE, game
from webapp.games.offers import DrawOffer, Rematch, draw_offer_of, rematch_of
from webapp.games.states import Status
from webapp.tictactoe import Mark


def test_an_open_offer_of_a_draw_is_its_maker_s_own() -> None:
    offered = game("X.. .O. ...", draw_is_open=True, draw_offered_by=Mark.X, draw_offered_ply=2)
    assert draw_offer_of(offered, ANN) == DrawOffer(is_open=True, is_mine=True, is_declined=False)
    for other in (BOB, EVE, None):
        assert draw_offer_of(offered, other) == DrawOffer(is_open=True, is_mine=False, is_declined=False), other


def test_an_offer_was_declined_if_no_move_has_been_made_since() -> None:
    declined = game("X.. .O. ...", draw_is_open=False, draw_offered_by=Mark.X, draw_offered_ply=2)
    assert draw_offer_of(declined, ANN).is_declined
    assert not draw_offer_of(declined, BOB).is_declined
    assert not draw_offer_of(replace(declined, draw_offered_ply=1), ANN).is_declined


def test_a_rematch_is_asked_for_by_one_and_shown_to_the_two() -> None:
    asked = game("XXX OO. ...", status=Status.FINISHED, rematch="next", rematch_by=ANN, rematch_status=Status.OPEN)
    assert rematch_of(asked, ANN) == Rematch("next", is_mine=True)
    assert rematch_of(asked, BOB) == Rematch("next", is_theirs=True)
    assert rematch_of(asked, EVE) == Rematch()


def test_everybody_hears_of_a_rematch_that_has_begun() -> None:
    begun = game("XXX OO. ...", status=Status.FINISHED, rematch="next", rematch_by=ANN, rematch_status=Status.PLAYING)
    assert {rematch_of(begun, viewer) for viewer in (ANN, BOB, EVE, None)} == {Rematch("next", has_begun=True)}


def test_without_a_rematch_there_is_nothing_to_hear() -> None:
    assert rematch_of(game(status=Status.FINISHED), ANN) == Rematch()
