"""What is decided on a game as it stands: a change, nothing because it is done already, or a refusal. No database."""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from tests.games.records import ANN, BOB, EVE, game, open_game
from webapp.clock import now
from webapp.errors import BadRequest, NotThere, Refusal
from webapp.games.agreements import decide_abort, decide_accept, decide_claim, decide_offer
from webapp.games.agreements import decide_decline as decide_no_draw
from webapp.games.changes import Change, End
from webapp.games.game_record import Person
from webapp.games.meeting import decide_decline, decide_join, decide_withdrawal
from webapp.games.refusals import BoardMovedOn, CannotNow, GameIsOver, NotYourGame, NotYourTurn, SeatTaken
from webapp.games.services import decide_move, decide_resignation
from webapp.games.states import EndReason, Status, WishedMark
from webapp.tictactoe import Mark

pytestmark = pytest.mark.usefixtures("settings_alone")
CENTRE_TAKEN = "... .X. ..."
FOUR_MOVES = "XX. OO. ..."


def move(*asked: Any, **values: Any) -> Change | None:
    """Of this user to this cell at this ply."""
    return decide_move(game(**values), *asked, Random(1))


def test_a_move_between_people_is_one_row_and_answers_an_offer_with_no() -> None:
    change = move(BOB, 0, 1, board=CENTRE_TAKEN)
    assert change is not None and change.end is None
    assert [(row["ply"], row["cell"]) for row in change.moves] == [(1, 0)]
    assert change.values["draw_is_open"] is False and change.values["due_at"] is not None


def test_a_move_against_the_computer_brings_its_answer_with_it() -> None:
    change = move(ANN, 4, 0, level="perfect")
    assert change is not None and [row["ply"] for row in change.moves] == [0, 1]
    assert change.moves[0]["nodes"] is None and change.moves[1]["nodes"] > 0
    assert change.values == {}


def test_a_move_that_completes_a_line_ends_the_game_and_nobody_answers() -> None:
    for level in ("perfect", None):
        change = move(ANN, 2, 4, board=FOUR_MOVES, level=level)
        assert change is not None and len(change.moves) == 1
        assert change.end == End(EndReason.LINE, Mark.X)


def test_the_last_cell_ends_the_game_drawn() -> None:
    change = move(ANN, 8, 8, board="XOX XOO OX.")
    assert change is not None and change.end == End(EndReason.FULL_BOARD, None)


def test_the_same_move_once_more_is_done_already() -> None:
    assert move(ANN, 4, 0, board=CENTRE_TAKEN) is None


@pytest.mark.parametrize(
    ("asked", "board", "values", "refusal"),
    [
        ((EVE, 0, 1), CENTRE_TAKEN, {}, NotYourGame),
        ((ANN, 0, 1), CENTRE_TAKEN, {}, NotYourTurn),
        ((BOB, 0, 0), CENTRE_TAKEN, {}, BoardMovedOn),  # a page that is older than the last move
        ((BOB, 4, 1), CENTRE_TAKEN, {}, BoardMovedOn),  # the cell is taken
        ((BOB, 9, 1), CENTRE_TAKEN, {}, BadRequest),
        ((BOB, 0, 1), CENTRE_TAKEN, {"status": Status.FINISHED}, GameIsOver),
    ],
)
def test_a_move_that_cannot_be_is_refused(
    asked: tuple[int, int, int], board: str, values: dict[str, Any], refusal: type[Refusal]
) -> None:
    with pytest.raises(refusal):
        move(*asked, board=board, **values)


def test_who_resigns_loses_and_cannot_take_it_back() -> None:
    assert decide_resignation(game(), ANN) == Change(end=End(EndReason.RESIGNED, Mark.O))
    over = {"status": Status.FINISHED, "reason": EndReason.RESIGNED, "winner": Mark.O}
    assert decide_resignation(game(**over), ANN) is None
    with pytest.raises(GameIsOver):
        decide_resignation(game(**over), BOB)


def test_a_draw_is_offered_accepted_and_declined() -> None:
    offered = {"draw_is_open": True, "draw_offered_by": Mark.X, "draw_offered_ply": 1}
    assert decide_offer(game(CENTRE_TAKEN), ANN) == Change(values=offered)
    asked = game(CENTRE_TAKEN, **offered)
    assert decide_offer(asked, ANN) is None
    assert decide_offer(asked, BOB) == decide_accept(asked, BOB) == Change(end=End(EndReason.AGREED))
    assert decide_no_draw(asked, BOB) == Change(values={"draw_is_open": False})
    assert decide_no_draw(asked, ANN) is None
    with pytest.raises(CannotNow):
        decide_accept(asked, ANN)
    with pytest.raises(CannotNow):  # not again at once
        decide_offer(game(CENTRE_TAKEN, draw_offered_by=Mark.X, draw_offered_ply=1), ANN)


def test_a_game_is_cancelled_until_both_have_moved() -> None:
    assert decide_abort(game(CENTRE_TAKEN), BOB) == Change(end=End(EndReason.ABORTED, status=Status.ABORTED))
    assert decide_abort(game(status=Status.ABORTED), ANN) is None
    with pytest.raises(CannotNow):
        decide_abort(game(FOUR_MOVES), ANN)
    with pytest.raises(CannotNow, match="cancel it"):
        decide_claim(game(CENTRE_TAKEN), ANN, as_win=True)


def test_a_claim_once_more_is_done_already_and_another_is_refused() -> None:
    won = game(FOUR_MOVES, status=Status.FINISHED, reason=EndReason.CLAIMED, winner=Mark.X)
    assert decide_claim(won, ANN, as_win=True) is None
    with pytest.raises(CannotNow):
        decide_claim(won, ANN, as_win=False)


def claimed(user_id: int, as_win: bool = True, **values: Any) -> Change | None:
    """Of a game in which Ann has been away on her turn for a day, unless the values say otherwise."""
    away = dict.fromkeys(("turn_began_at", "seen_at"), now() - timedelta(days=1))
    return decide_claim(game(FOUR_MOVES, **away | values), user_id, as_win)


def test_who_stayed_claims_the_win_or_a_draw() -> None:
    for seen_at in (now() - timedelta(days=1), None):
        assert claimed(BOB, seen_at=seen_at) == Change(end=End(EndReason.CLAIMED, Mark.O))
        assert claimed(BOB, as_win=False, seen_at=seen_at) == Change(end=End(EndReason.CLAIMED, None))


def test_nobody_claims_on_their_own_turn_or_against_who_is_here_or_has_not_been_waited_for() -> None:
    cases: dict[str, tuple[int, dict[str, Any]]] = {
        "on one's own turn": (ANN, {}),
        "the other is here": (BOB, {"seen_at": now()}),
        "the turn has just begun": (BOB, {"turn_began_at": now()}),
        "the game is over by something else": (BOB, {"status": Status.FINISHED, "reason": EndReason.RESIGNED}),
        "against the computer": (ANN, {"level": "perfect"}),
    }
    for name, (user_id, values) in cases.items():
        for as_win in (True, False):
            with pytest.raises(CannotNow, match="nothing to claim"):
                pytest.fail(f"{name}: {claimed(user_id, as_win, **values)}")
    with pytest.raises(NotYourGame):
        claimed(EVE)


def test_who_joins_gets_the_other_mark() -> None:
    for wished, theirs in ((WishedMark.X, Mark.O), (WishedMark.O, Mark.X)):
        change = decide_join(open_game(wished_mark=wished), BOB, Random(1))
        assert change is not None and change.joined_by == BOB and change.values["status"] == Status.PLAYING
        assert {seat["user_id"]: seat["mark"] for seat in change.seats} == {ANN: wished, BOB: theirs}
    marks = {decide_join(open_game(), BOB, Random(seed)).seats[0]["mark"] for seed in range(20)}  # type: ignore[union-attr]
    assert marks == {"X", "O"}


def test_nobody_joins_twice_or_their_own_or_another_persons_game() -> None:
    assert decide_join(game(), BOB, Random(1)) is None
    for_bob = open_game(challenged=Person(BOB, "bob", False))
    for asked, user in ((open_game(), ANN), (game(), EVE), (for_bob, EVE), (open_game(status=Status.WITHDRAWN), BOB)):
        with pytest.raises(SeatTaken):
            decide_join(asked, user, Random(1))


def test_an_open_game_is_withdrawn_by_its_owner_and_declined_by_who_was_asked() -> None:
    for_bob = open_game(challenged=Person(BOB, "bob", False))
    gone = decide_withdrawal(for_bob, ANN)
    assert gone is not None and gone.end == End(EndReason.WITHDRAWN, status=Status.WITHDRAWN)
    no = decide_decline(for_bob, BOB, EndReason.BUSY)
    assert no is not None and no.end == End(EndReason.BUSY, status=Status.DECLINED)
    assert decide_withdrawal(open_game(status=Status.WITHDRAWN), ANN) is None
    strangers: list[Callable[[], object]] = [
        lambda: decide_withdrawal(for_bob, BOB),
        lambda: decide_decline(for_bob, ANN, EndReason.LATER),
    ]
    for stranger in strangers:
        with pytest.raises(NotThere):
            stranger()
