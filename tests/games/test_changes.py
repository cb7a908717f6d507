"""What a change writes into a game's row, and for whom, without a database."""

from datetime import timedelta
from typing import Any

from tests.conftest import SetClock
from tests.games.records import ANN, BOB, game, open_game
from webapp.games.changes import Change, End, judged_sides_of, people_in, values_after
from webapp.games.game_record import GameRecord
from webapp.games.move_rows import MoveRow
from webapp.games.states import EndReason, Status
from webapp.tictactoe import Mark

SEATS = [{"mark": Mark.X, "user_id": ANN, "level": None}, {"mark": Mark.O, "user_id": BOB, "level": None}]
ABORTED, WON = End(EndReason.ABORTED, status=Status.ABORTED), End(EndReason.LINE, Mark.X)


def move(cell: int, clock: SetClock) -> MoveRow:
    return {"ply": 0, "cell": cell, "made_at": clock(), "nodes": None, "microseconds": None}


def waited_for(record: GameRecord, change: Change) -> tuple[Any, Any]:
    """Whose turn it is then, and who is called to the board; ... where nothing is written."""
    values = values_after(record, change)
    return values.get("to_move_id", ...), values.get("called_id", ...)


def test_every_change_makes_another_version_and_writes_its_own_columns() -> None:
    record = game("X.. .O. ...", version=7)
    offer = Change(values={"draw_is_open": True, "draw_offered_by": Mark.X})
    assert values_after(record, offer) == {"version": 8, "draw_is_open": True, "draw_offered_by": Mark.X}


def test_after_a_move_the_other_is_waited_for_from_now_on(set_clock: SetClock) -> None:
    record = game("X.. ... ...")
    change = Change(moves=[move(4, set_clock)])
    assert waited_for(record, change) == (ANN, None)
    assert values_after(record, change)["turn_began_at"] == set_clock()
    assert waited_for(record, Change(moves=[move(4, set_clock), move(8, set_clock)])) == (BOB, None)


def test_nobody_is_waited_for_by_the_computer(set_clock: SetClock) -> None:
    assert waited_for(game(level="perfect"), Change(moves=[move(0, set_clock)])) == (..., ...)


def test_who_opened_a_game_is_called_when_somebody_joins_and_begins() -> None:
    ann_begins = Change(seats=SEATS)
    bob_begins = Change(seats=[SEATS[0] | {"user_id": BOB}, SEATS[1] | {"user_id": ANN}])
    assert waited_for(open_game(), ann_begins) == (ANN, None)
    assert waited_for(open_game(), bob_begins) == (BOB, ANN)


def test_an_end_is_written_once_and_for_all(set_clock: SetClock) -> None:
    record = game("XX. OO. ...", due_at=set_clock(), draw_is_open=True)
    values = values_after(record, Change(moves=[move(2, set_clock)], end=WON))
    assert (values["status"], values["winner"], values["reason"]) == (Status.FINISHED, Mark.X, EndReason.LINE)
    assert (values["due_at"], values["draw_is_open"]) == (None, False)
    assert (values["to_move_id"], values["called_id"]) == (None, None)
    assert values["ended_at"] == set_clock()


def test_an_end_is_never_before_a_move_whatever_the_clock_says(set_clock: SetClock) -> None:
    change = Change(moves=[move(2, set_clock)], end=WON)
    made = set_clock()
    set_clock.pass_time(hours=-1)
    assert values_after(game("XX. OO. ..."), change)["ended_at"] >= made
    assert set_clock() == made - timedelta(hours=1)


def test_who_gets_a_seat_or_a_result_is_kept_from_deletion() -> None:
    assert people_in(open_game(), Change(seats=SEATS)) == {ANN, BOB}
    assert people_in(game(), Change(end=WON)) == {ANN, BOB}
    assert people_in(game(level="perfect"), Change(end=WON)) == {ANN}
    for change in (Change(), Change(end=ABORTED), Change(values={"draw_is_open": True})):
        assert people_in(game(), change) == set(), change


def test_only_a_game_that_counts_teaches(set_clock: SetClock) -> None:
    record = game("XX. OO. ...")
    assert judged_sides_of(record, Change(moves=[move(2, set_clock)])) == {}
    assert judged_sides_of(record, Change(end=ABORTED)) == {}
    judged = judged_sides_of(record, Change(moves=[move(2, set_clock)], end=WON))
    assert judged.keys() == set(Mark)
