"""How a competition among people goes on by itself: what is due is done before the pages that show it, and after the
last game of a round. There is no worker.

A step is decided, and a round paired, on what was read without the lock; it is written with `WHERE version = ?`. So
two presses at once make one round. The version grows with every entry, withdrawal and round; results need it not.
"""

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any

from sqlalchemy import Connection, insert, select, update

from webapp.accounts.locking import lock_all
from webapp.clock import now
from webapp.competitions.due import due_of_people, passed_over_if_broken
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.queries import competition_of_people, record_of, whole
from webapp.competitions.records import CompetitionRecord, WholeCompetition
from webapp.competitions.rounds import Planned, Step, decide_end, decide_next, decide_start, is_due, is_given_up
from webapp.competitions.states import CompetitionKind, PairingState, State
from webapp.database import announce_change, writing
from webapp.errors import NotThere, Refusal
from webapp.extensions import app_random
from webapp.games.arranging import Arranged, arranged, begin
from webapp.games.changes import Change, End, SomebodyWasQuicker, write
from webapp.games.deadlines import settle_due
from webapp.games.game_record import GameRecord
from webapp.games.models import Game
from webapp.games.queries import games_where
from webapp.games.services import resign
from webapp.games.states import EndReason, Status, Visibility
from webapp.tictactoe import Mark


def present(about: CompetitionRecord) -> CompetitionRecord:
    """As it stands now."""
    if (fresh := record_of(about.id)) is None:
        raise NotThere
    return fresh


def cancel_games(about: CompetitionRecord) -> None:
    """Those that are still played when it has ended by a press."""
    while games := _games_in_play(about):
        for game in games:
            with suppress(SomebodyWasQuicker):
                write(game, Change(end=End(EndReason.ABORTED, status=Status.ABORTED)))


def _games_in_play(about: CompetitionRecord) -> list[GameRecord]:
    left = select(Pairing.game_id).where(Pairing.competition_id == about.id, Pairing.state == PairingState.PLAYING)
    return games_where(Game.id.in_(left) & (Game.status == Status.PLAYING))


def resign_games(games: Iterable[tuple[int, str]]) -> None:
    """Of users who leave, by their ids and the public ids of the games."""
    for user_id, public_id in games:
        with suppress(Refusal):  # it has just ended
            resign(user_id, public_id)


def settle_competitions() -> None:
    """Some of those that time alone moves on. One statement if there are none."""
    if due := due_of_people():
        settle_due()
    for competition_id in due:
        go_on(competition_id)


def cancel_unstarted(competition_id: int) -> None:
    """Of agents. If somebody changes it at this moment, whoever looks next decides afresh."""
    about = record_of(competition_id)
    if about and about.state is State.ENTERING and (step := decide_end(now(), competition := whole(about))):
        with suppress(SomebodyWasQuicker):
            write_step(competition, step)


def go_on_after(game_id: int) -> None:
    """A game of it has ended, and perhaps its round."""
    competition_id = competition_of_people(game_id)
    if competition_id is not None:
        go_on(competition_id)


def go_on(competition_id: int) -> None:
    """Take every step that is due now. In each process one thread is at it: to pair two hundred takes seconds, and
    those who look meanwhile see the competition as it stands.
    """
    if not _begins(competition_id):
        return
    try:
        _take_steps(competition_id)
        while not _ends(competition_id):
            _take_steps(competition_id)
    except BaseException:
        _asked_again.pop(competition_id, None)
        raise


_mutex = threading.Lock()
_asked_again: dict[int, bool] = {}  # the competitions at which a thread is, and whether others came meanwhile


def _begins(competition_id: int) -> bool:
    with _mutex:
        is_first = competition_id not in _asked_again
        _asked_again[competition_id] = not is_first
        return is_first


def _ends(competition_id: int) -> bool:
    """False if somebody came meanwhile: what they had seen may be newer than what was looked at."""
    with _mutex:
        if _asked_again[competition_id]:
            _asked_again[competition_id] = False
            return False
        del _asked_again[competition_id]
        return True


def _take_steps(competition_id: int) -> None:
    with passed_over_if_broken(competition_id):
        while (about := record_of(competition_id)) and (step := _due_step(competition := whole(about))):
            with suppress(SomebodyWasQuicker):
                write_step(competition, step)


def settled(about: CompetitionRecord) -> WholeCompetition:
    """As a page shows it: what is due is done first. Costs nothing besides the reading if nothing is."""
    competition = whole(about)
    if about.kind is not CompetitionKind.PEOPLE or not is_due(now(), competition):
        return competition
    settle_due()
    if about.is_over:
        cancel_games(about)
    go_on(about.id)
    return whole(replace(present(about), role=about.role, viewer=about.viewer))


def _due_step(competition: WholeCompetition) -> Step | None:
    about, moment = competition.about, now()
    if about.kind is not CompetitionKind.PEOPLE:
        return None
    if about.state is State.ENTERING and is_due(moment, competition):
        is_cancelled = is_given_up(moment, competition)
        return decide_end(moment, competition) if is_cancelled else decide_start(moment, competition, app_random())
    return decide_next(moment, competition)


# Writing


def write_step(competition: WholeCompetition, step: Step) -> None:
    """One unit. Somebody who deleted their account since, or another change of the competition, undoes it."""
    about, moment = competition.about, now()
    games = _games(competition, step, app_random())
    people = {user for game in games.values() for user in game.holders.values() if isinstance(user, int)}
    with writing() as connection:
        if people and lock_all(connection, people) != people:
            raise SomebodyWasQuicker
        this = update(Competition).where(Competition.id == about.id, Competition.version == about.version)
        if not connection.execute(this.values(version=about.version + 1, **step.values)).rowcount:
            raise SomebodyWasQuicker
        if "ended_at" in step.values:
            _cancel_what_waits(connection, about.id)
        _write_numbers(connection, step)
        for planned in step.planned:
            game = games.get(planned.pair.x) if planned.has_game else None
            game_id = begin(connection, game) if game else None
            connection.execute(insert(Pairing).values(_row(about, step, planned, game_id, moment)))
        announce_change(connection)


def _cancel_what_waits(connection: Connection, competition_id: int) -> None:
    """Games of agents that were to be played: they count for nobody."""
    waiting = (Pairing.competition_id == competition_id, Pairing.state == PairingState.WAITING)
    connection.execute(update(Pairing).where(*waiting).values(state=PairingState.CANCELLED, ended_at=now()))


def _games(competition: WholeCompetition, step: Step, random: Random) -> dict[int, Arranged]:
    """By the entry that has X."""
    users = {entry.id: entry.user_id for entry in competition.entries}
    visibility = Visibility.PUBLIC if competition.about.is_open else Visibility.PRIVATE
    games = {}
    for pair in (planned.pair for planned in step.planned if planned.has_game):
        x, o = users[pair.x], users[pair.o or 0]
        assert x is not None and o is not None  # noqa: S101 - people play people
        games[pair.x] = arranged({Mark.X: x, Mark.O: o}, visibility, step.values["round_ends_at"], random)
    return games


def _write_numbers(connection: Connection, step: Step) -> None:
    for entry_id, number in step.numbers.items():
        connection.execute(update(CompetitionEntry).where(CompetitionEntry.id == entry_id).values(number=number))


def _row(
    about: CompetitionRecord, step: Step, planned: Planned, game_id: int | None, moment: datetime
) -> dict[str, Any]:
    over = None if planned.has_game else moment
    return {
        "competition_id": about.id, "round": step.values["round"], "x_entry_id": planned.pair.x,
        "o_entry_id": planned.pair.o, "state": planned.state, "score": planned.score, "fault": planned.fault,
        "game_id": game_id, "started_at": moment, "ended_at": over,
    }  # fmt: skip
