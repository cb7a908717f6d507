"""What happens next in a competition among people, decided on values: start, next round, end. No database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from webapp.competitions.pairing import Pair
from webapp.competitions.records import CompetitionRecord, EntryRecord, PairingRecord, Viewer, WholeCompetition
from webapp.competitions.rounds import Planned, TooFew, decide_end, decide_next, decide_start, is_due, is_given_up
from webapp.competitions.states import CompetitionKind, Entrants, Fault, Format, PairingState, Score, State

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def about(**values: Any) -> CompetitionRecord:
    """Open to all, entered until an instructor starts it: three rounds of ten minutes."""
    record = CompetitionRecord(
        id=1, public_id="competition1", name="Autumn cup", kind=CompetitionKind.PEOPLE, classroom_id=None, made_by=1,
        entrants=Entrants.ANYONE, created_at=NOON, enters_from=None, enters_until=None, starts_at=None,
        started_at=None, ends_at=None, ended_at=None, format=Format.SWISS, rounds=3, round_minutes=10, round=0,
        round_ends_at=None, bank_seconds=None, start_seconds=None, state=State.ENTERING, version=1, classroom=None,
        classroom_name=None, classroom_archived_at=None, classroom_allows_agents=None, role=None, viewer=Viewer(None),
    )  # fmt: skip
    return replace(record, **values)


def entry(number: int, **values: Any) -> EntryRecord:
    """The user 11 has the entry 1, and drew the number 1."""
    record = EntryRecord(number, 10 + number, f"player{number}", False, None, number, 1, None, None)
    return replace(record, **values)


def pairing(round: int, x: int, o: int | None, score: Score | None, **values: Any) -> PairingRecord:
    """Over if it has a score."""
    state = PairingState.FINISHED if score else PairingState.PLAYING
    record = PairingRecord(1, round, x, o, state, score, None, "", 1, None)
    return replace(record, **values)


def competition(players: int, pairings: Sequence[PairingRecord] = (), **values: Any) -> WholeCompetition:
    return WholeCompetition(about(**values), [entry(number) for number in range(1, players + 1)], pairings)


def without(number: int, whole: WholeCompetition, **values: Any) -> WholeCompetition:
    """After this one has left."""
    left = values or {"withdrawn_at": NOON}
    return replace(whole, entries=[replace(one, **left) if one.id == number else one for one in whole.entries])


def playing(players: int, pairings: Sequence[PairingRecord], **values: Any) -> WholeCompetition:
    """In its first round of three, which has nine minutes left; all of it ends in an hour."""
    begun = {"state": State.PLAYING, "round": 1, "round_ends_at": NOON + 9 * MINUTE, "ends_at": NOON + 60 * MINUTE}
    return competition(players, pairings, **begun | values)


FIRST_ROUND = [pairing(1, 1, 2, Score.X), pairing(1, 3, 4, Score.DRAWN)]


def met(planned: Sequence[Planned]) -> set[frozenset[int | None]]:
    return {frozenset(one.pair) for one in planned}


def test_a_start_draws_each_number_once_and_pairs_everybody() -> None:
    orders = set()
    for seed in range(10):
        step = decide_start(NOON, competition(7), Random(seed))
        assert sorted(step.numbers) == sorted(step.numbers.values()) == [1, 2, 3, 4, 5, 6, 7], seed
        paired = [one for planned in step.planned for one in planned.pair if one]
        assert sorted(paired) == [1, 2, 3, 4, 5, 6, 7], seed
        byes = [one for one in step.planned if one.pair.o is None]
        assert [(one.state, one.score, one.has_game) for one in byes] == [(PairingState.FINISHED, Score.BYE, False)]
        assert sum(one.has_game for one in step.planned) == 3
        orders.add(tuple(step.numbers.items()))
    assert len(orders) > 1


def test_the_system_and_the_end_are_fixed_at_the_start() -> None:
    for players, values, form, rounds, minutes in (
        (7, {}, Format.SWISS, 3, 30),
        (4, {}, Format.ROUND_ROBIN, 3, 30),  # three rounds are enough for all to meet
        (3, {}, Format.ROUND_ROBIN, 3, 30),
        (7, {"format": Format.ROUND_ROBIN}, Format.ROUND_ROBIN, 7, 70),
        (20, {"format": Format.ROUND_ROBIN}, Format.ROUND_ROBIN, 19, 190),
        (21, {"format": Format.ROUND_ROBIN}, Format.SWISS, 3, 30),  # too many for that
        (7, {"round_minutes": None}, Format.SWISS, 3, 30),
        (7, {"round_minutes": 2}, Format.SWISS, 3, 6),
        (7, {"ends_at": NOON + 4 * MINUTE}, Format.SWISS, 3, 4),
    ):
        case, step = (players, values), decide_start(NOON, competition(players, **values), Random(1))
        assert (step.values["format"], step.values["rounds"]) == (form, rounds), case
        assert step.values["ends_at"] == NOON + minutes * MINUTE, case
        lasts = min(minutes, about(**values).round_minutes or 10)
        assert (step.values["round"], step.values["round_ends_at"]) == (1, NOON + lasts * MINUTE), case
        assert (step.values["state"], step.values["started_at"]) == (State.PLAYING, NOON), case


def test_who_has_left_is_not_counted_at_the_start() -> None:
    step = decide_start(NOON, without(2, competition(3)), Random(1))
    assert sorted(step.numbers) == [1, 3] and met(step.planned) == {frozenset({1, 3})}
    for whole in (
        competition(0),
        competition(1),
        without(1, competition(2)),
        without(1, competition(2), is_deleted=True),
    ):
        with pytest.raises(TooFew):
            decide_start(NOON, whole, Random(1))


def test_a_round_goes_on_until_its_last_game_is_over() -> None:
    for left in (PairingState.PLAYING, PairingState.WAITING):
        going_on = [FIRST_ROUND[0], pairing(1, 3, 4, None, state=left)]
        assert decide_next(NOON, playing(4, going_on)) is None, left
    for over in (State.ENTERING, State.ENDED, State.CANCELLED):
        assert decide_next(NOON, playing(4, FIRST_ROUND, state=over)) is None, over


def test_the_next_round_pairs_by_points_and_nobody_twice() -> None:
    step = decide_next(NOON, playing(4, FIRST_ROUND))
    assert step is not None and step.values == {"round": 2, "round_ends_at": NOON + 10 * MINUTE}
    assert all(one.has_game for one in step.planned) and step.numbers == {}
    assert met(step.planned) in ({frozenset({1, 3}), frozenset({2, 4})}, {frozenset({1, 4}), frozenset({2, 3})})
    in_a_hurry = decide_next(NOON, playing(4, FIRST_ROUND, ends_at=NOON + MINUTE))
    assert in_a_hurry is not None and in_a_hurry.values["round_ends_at"] == NOON + MINUTE


def test_in_the_swiss_system_who_has_left_is_paired_no_more() -> None:
    step = decide_next(NOON, without(4, playing(4, FIRST_ROUND)))
    assert step is not None and 4 not in {one for planned in step.planned for one in planned.pair}
    assert [one.score for one in step.planned if not one.has_game] == [Score.BYE]


def test_where_all_play_all_whoever_has_left_stays_in_the_plan_and_the_others_get_the_point() -> None:
    values = {"format": Format.ROUND_ROBIN, "rounds": 3}
    whole = playing(4, FIRST_ROUND, **values)
    step = decide_next(NOON, whole)
    assert step is not None and all(one == Planned(one.pair) for one in step.planned)
    gone = step.planned[0].pair.x
    after = decide_next(NOON, without(gone, whole))
    assert after is not None and [one.pair for one in after.planned] == [one.pair for one in step.planned]
    assert after.planned[0] == Planned(step.planned[0].pair, PairingState.FORFEITED, Score.O, Fault.WITHDREW)
    assert after.planned[1].has_game
    other = step.planned[0].pair.o
    assert other is not None
    both = decide_next(NOON, without(other, without(gone, whole)))
    assert both is not None and both.planned[0].score is Score.BOTH_LOST
    third = decide_next(NOON, replace(whole, about=replace(whole.about, round=2)))
    assert third is not None and not met(third.planned) & met(step.planned)


def test_it_ends_after_its_last_round_at_its_end_or_with_too_few_players() -> None:
    ended = {"state": State.ENDED, "ended_at": NOON, "round_ends_at": None}
    cases = {
        "the last round": playing(4, FIRST_ROUND, rounds=1),
        "its end": playing(4, FIRST_ROUND, ends_at=NOON),
        "no end": playing(4, FIRST_ROUND, ends_at=None),
        "one is left": without(1, playing(2, FIRST_ROUND[:1])),
    }
    for name, whole in cases.items():
        step = decide_next(NOON, whole)
        assert step is not None and (step.values, step.planned) == (ended, ()), name


def test_a_press_ends_what_is_played_and_cancels_what_never_began() -> None:
    going_on = playing(4, [pairing(1, 1, 2, None)])
    step = decide_end(NOON, going_on)
    assert step is not None and step.planned == ()
    assert step.values == {"state": State.ENDED, "ended_at": NOON, "round_ends_at": None, "ends_at": NOON}
    step = decide_end(NOON, competition(4, ends_at=NOON + DAY))
    assert step is not None
    assert step.values == {"state": State.CANCELLED, "ended_at": NOON, "round_ends_at": None}
    for over in (State.ENDED, State.CANCELLED):
        assert decide_end(NOON, competition(4, state=over)) is None, over


def test_what_has_not_started_is_due_at_its_start_or_given_up() -> None:
    for players, values, due, given_up in (
        (4, {}, False, False),  # waits for a press
        (4, {"starts_at": NOON}, True, False),
        (4, {"starts_at": NOON + MINUTE}, False, False),
        (4, {"starts_at": NOON, "classroom_archived_at": NOON}, False, False),
        (1, {"starts_at": NOON}, False, False),
        (1, {"starts_at": NOON - DAY}, True, True),
        (1, {"starts_at": NOON - DAY, "ends_at": NOON + MINUTE}, False, False),
        (4, {"starts_at": NOON - DAY}, True, False),
        (4, {"ends_at": NOON}, True, True),
        (4, {"ends_at": NOON + MINUTE}, False, False),
    ):
        whole = competition(players, **values)
        assert (is_due(NOON, whole), is_given_up(NOON, whole)) == (due, given_up), (players, values)


def test_what_is_played_is_due_when_its_round_is_over_or_out_of_time() -> None:
    going_on = [FIRST_ROUND[0], pairing(1, 3, 4, None)]
    assert is_due(NOON, playing(4, FIRST_ROUND))
    assert not is_due(NOON, playing(4, going_on))
    assert is_due(NOON + 9 * MINUTE, playing(4, going_on))
    for over in (State.ENDED, State.CANCELLED):
        assert not is_due(NOON, playing(4, FIRST_ROUND, state=over))
        assert is_due(NOON, playing(4, going_on, state=over)), "its games are still to be cancelled"


def test_a_pair_without_an_opponent_has_no_game() -> None:
    assert Planned(Pair(1, 2)).has_game
    assert not Planned(Pair(1, None), PairingState.FINISHED, Score.BYE).has_game
