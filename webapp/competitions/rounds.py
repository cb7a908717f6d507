"""What happens next in a competition among people, decided on what stands: start, next round, end. No database."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from webapp.competitions.pairing import Pair, candidates, plays_all, round_robin, rounds_of_all, swiss_round
from webapp.competitions.records import EntryRecord, WholeCompetition
from webapp.competitions.states import Fault, Format, PairingState, Score, State
from webapp.errors import Refusal

LEAST, MOST_IN_ROUND_ROBIN = 2, 20
ROUND_MINUTES = 10
WAITS_FOR_PLAYERS = timedelta(days=1)  # after its start, if it has no end


class TooFew(Refusal):
    status = 409
    title = "Too few players"

    def __init__(self) -> None:
        super().__init__("A competition needs at least two players. Wait until somebody else enters.")


@dataclass(frozen=True)
class Planned:
    """A pairing to be written. One with two users and no score gets a game."""

    pair: Pair
    state: PairingState = PairingState.PLAYING
    score: Score | None = None
    fault: Fault | None = None

    @property
    def has_game(self) -> bool:
        return self.state is PairingState.PLAYING


@dataclass(frozen=True)
class Step:
    """What changes: columns of the competition, the numbers that were drawn, the pairings of a round."""

    values: dict[str, Any]
    numbers: dict[int, int] = field(default_factory=dict)
    planned: Sequence[Planned] = ()


def is_due(now: datetime, competition: WholeCompetition) -> bool:
    """Whether time or the last game has made something to do. Costs no pairing."""
    about = competition.about
    left = any(pairing.is_left for pairing in competition.of_round(about.round))
    if about.state is State.ENTERING:
        has_come = about.starts_at is not None and about.starts_at <= now and not about.is_archived
        return is_given_up(now, competition) or (has_come and len(competition.active) >= LEAST)
    if about.state is State.PLAYING:
        return not left or (about.round_ends_at is not None and about.round_ends_at <= now)
    return left  # it was ended by a press, and the server stopped before its games were cancelled


def is_given_up(now: datetime, competition: WholeCompetition) -> bool:
    """What has not started by its end never does, and is cancelled; without one, what still has too few players."""
    about = competition.about
    if about.ends_at is not None:
        return about.ends_at <= now
    has_waited = about.starts_at is not None and about.starts_at + WAITS_FOR_PLAYERS <= now
    return has_waited and len(competition.active) < LEAST


def decide_start(now: datetime, competition: WholeCompetition, random: Random) -> Step:
    """The numbers are drawn, the system is fixed, and the first round begins."""
    about, players = competition.about, competition.active
    if len(players) < LEAST:
        raise TooFew
    drawn = random.sample(range(1, len(players) + 1), len(players))
    numbers = {entry.id: number for entry, number in zip(players, drawn, strict=True)}
    is_small = len(players) <= MOST_IN_ROUND_ROBIN
    all_meet = plays_all(about.rounds, len(players)) or (about.format is Format.ROUND_ROBIN and is_small)
    rounds = rounds_of_all(len(players)) if all_meet else about.rounds
    ends_at = about.ends_at or now + rounds * timedelta(minutes=about.round_minutes or ROUND_MINUTES)
    form = Format.ROUND_ROBIN if all_meet else Format.SWISS
    values = {"state": State.PLAYING, "started_at": now, "format": form, "rounds": rounds, "ends_at": ends_at}
    order = sorted(numbers, key=lambda entry: numbers[entry])
    pairs = round_robin(order)[0] if all_meet else swiss_round(candidates(numbers, []))
    planned = [_planned(pair, {entry.id for entry in players}) for pair in pairs]
    return Step(values | _round(competition, 1, ends_at, now), numbers, planned)


def decide_next(now: datetime, competition: WholeCompetition) -> Step | None:
    """None while the present round goes on. Its games are decided by their own deadline, before this is asked."""
    about = competition.about
    if about.state is not State.PLAYING:
        return None
    if any(pairing.is_left for pairing in competition.of_round(about.round)):
        return None
    ends_at = about.ends_at or now
    if about.round >= about.rounds or now >= ends_at or len(competition.active) < LEAST:
        return Step({"state": State.ENDED, "ended_at": now, "round_ends_at": None})
    values = _round(competition, about.round + 1, ends_at, now)
    active = {entry.id for entry in competition.active}
    return Step(values, planned=[_planned(pair, active) for pair in _next_pairs(competition)])


def decide_end(now: datetime, competition: WholeCompetition) -> Step | None:
    """By a press. None if it is over already."""
    if competition.about.is_over:
        return None
    has_begun = competition.about.state is State.PLAYING
    ends_at = {"ends_at": now} if has_begun else {}
    state = State.ENDED if has_begun else State.CANCELLED
    return Step({"state": state, "ended_at": now, "round_ends_at": None, **ends_at})


def _round(competition: WholeCompetition, number: int, ends_at: datetime, now: datetime) -> dict[str, Any]:
    lasts = timedelta(minutes=competition.about.round_minutes or ROUND_MINUTES)
    return {"round": number, "round_ends_at": min(now + lasts, ends_at)}


def _next_pairs(competition: WholeCompetition) -> list[Pair]:
    about = competition.about
    if about.format is Format.ROUND_ROBIN:
        drawn = [entry for entry in competition.entries if entry.number is not None]
        return round_robin([entry.id for entry in sorted(drawn, key=_number)])[about.round]
    numbers = {entry.id: _number(entry) for entry in competition.active}
    return swiss_round(candidates(numbers, competition.played))


def _number(entry: EntryRecord) -> int:
    return entry.number or 0


def _planned(pair: Pair, active: set[int]) -> Planned:
    """Where all play all, whoever has left stays in the plan, and the others get the point."""
    if pair.o is None:
        return Planned(pair, PairingState.FINISHED, Score.BYE)
    there = [entry in active for entry in pair]
    if all(there):
        return Planned(pair)
    score = Score.X if there[0] else Score.O if there[1] else Score.BOTH_LOST
    return Planned(pair, PairingState.FORFEITED, score, Fault.WITHDREW)
