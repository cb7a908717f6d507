"""Agents in a competition: they enter, leave, and are replaced by a newer version; and the games that follow from it.

Each is one unit that begins with a new version of the competition, so that no two of them plan games beside each other.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from webapp.accounts.locking import lock_users
from webapp.accounts.models import User
from webapp.classrooms.enrolling import is_enrolled
from webapp.clock import now
from webapp.competitions.agent_schedule import BASELINE, Entrant, PlannedGame, games_of
from webapp.competitions.models import Competition, CompetitionEntry, Pairing, is_active
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.refusals import ClassroomIsArchived, EntriesClosed, NotOpenYet, TooLate
from webapp.competitions.states import Fault, PairingState, Score, State
from webapp.database import added_id, announce_change, writing
from webapp.errors import NotThere
from webapp.tictactoe import openings
from webapp.words import until

MOST_AGENTS = 60  # the schedule grows with their square
MOST_VERSIONS = 20  # of one agent: each makes everybody play it anew
IS_OPEN = (Competition.state.in_((State.ENTERING, State.PLAYING)), Competition.ended_at.is_(None))


def enter_agent(about: CompetitionRecord, agent_id: int) -> None:
    """Once, however often it is pressed. One that left is in again with all its games to play."""
    _check_time(about)
    if about.has_closed:
        raise EntriesClosed("Entries have closed. Agents that are in play on, and can be replaced.")
    with writing() as connection:
        _begin(connection, about, agent_id)
        _check_owner(connection, about, agent_id)
        newest = _newest(connection, about, agent_id)
        if newest is None or newest.withdrawn_at is not None:
            _check_places(connection, about)
            _add(connection, about, agent_id, newest)


def replace_agent(about: CompetitionRecord, agent_id: int, version: int) -> None:
    """A newer version of the program in place of this one; a press that comes twice finds it done."""
    _check_time(about)
    with writing() as connection:
        _begin(connection, about, agent_id)
        newest = _newest(connection, about, agent_id)
        if newest is None or newest.withdrawn_at is not None:
            raise NotThere
        if newest.program_version == version:
            _add(connection, about, agent_id, newest)


def withdraw_agent(about: CompetitionRecord, agent_id: int) -> None:
    """What it has not begun is lost; games in play go on without it, and its clock ends them."""
    with writing() as connection:
        _begin(connection, about, agent_id)
        newest = _newest(connection, about, agent_id)
        if newest is not None and newest.withdrawn_at is None:
            own = CompetitionEntry.id == newest.id
            connection.execute(update(CompetitionEntry).where(own).values(withdrawn_at=now()))
            forfeit(connection, newest.id)


def start_schedule(connection: Connection, competition_id: int, rounds: int) -> None:
    """In the unit that starts the competition: the reference players enter, and all games are planned."""
    own = (CompetitionEntry.competition_id == competition_id, CompetitionEntry.user_id.is_not(None))
    agents = connection.scalars(select(CompetitionEntry.id).where(*own, *is_active()).order_by(CompetitionEntry.id))
    entrants = [Entrant(entry_id) for entry_id in agents]
    there: list[Entrant] = []
    for level in BASELINE:
        values = {"competition_id": competition_id, "reference": level}
        there.append(Entrant(added_id(connection, insert(CompetitionEntry).values(values)), level))
    for entrant in entrants:
        plan(connection, competition_id, games_of(entrant, there, openings()[:rounds]))
        there.append(entrant)


def plan(connection: Connection, competition_id: int, games: Sequence[PlannedGame]) -> None:
    rows = [
        {
            "competition_id": competition_id, "round": game.round, "x_entry_id": game.x, "o_entry_id": game.o,
            "opening": " ".join(map(str, game.opening.cells)), "seed": game.seed,
        }
        for game in games
    ]  # fmt: skip
    if rows:
        connection.execute(insert(Pairing), rows)


def forfeit(connection: Connection, entry_id: int, fault: Fault = Fault.WITHDREW) -> None:
    """The games that this entry has not begun: the other gets the point."""
    lost = {"state": PairingState.FORFEITED, "fault": fault, "ended_at": now()}
    for own, score in ((Pairing.x_entry_id, Score.O), (Pairing.o_entry_id, Score.X)):
        waiting = (own == entry_id, Pairing.state == PairingState.WAITING, Pairing.score.is_(None))
        connection.execute(update(Pairing).where(*waiting).values(score=score, **lost))


def _begin(connection: Connection, about: CompetitionRecord, agent_id: int) -> None:
    if not lock_users(connection, {agent_id}):
        raise NotThere
    grown = update(Competition).where(Competition.id == about.id, *IS_OPEN).values(version=Competition.version + 1)
    if not connection.execute(grown).rowcount:
        raise TooLate
    announce_change(connection)


def _check_owner(connection: Connection, about: CompetitionRecord, agent_id: int) -> None:
    """They may have been removed from the classroom a moment ago."""
    owner_id = connection.scalar(select(User.owner_id).where(User.id == agent_id)) or 0
    if about.classroom_id is not None and not is_enrolled(connection, about.classroom_id, owner_id):
        raise NotThere


def _check_time(about: CompetitionRecord) -> None:
    if about.is_archived:
        raise ClassroomIsArchived
    if about.opens_at:
        raise NotOpenYet(until(about.opens_at))
    if (about.ends_at and now() >= about.ends_at) or about.is_over:
        raise TooLate


def _check_places(connection: Connection, about: CompetitionRecord) -> None:
    own = (CompetitionEntry.competition_id == about.id, CompetitionEntry.user_id.is_not(None))
    if (connection.scalar(select(func.count()).where(*own, *is_active())) or 0) >= MOST_AGENTS:
        raise EntriesClosed(f"All {MOST_AGENTS} places in this competition are taken.")


def _newest(connection: Connection, about: CompetitionRecord, agent_id: int) -> Any:
    own = (CompetitionEntry.competition_id == about.id, CompetitionEntry.user_id == agent_id)
    columns = (CompetitionEntry.id, CompetitionEntry.program_version, CompetitionEntry.withdrawn_at)
    return connection.execute(
        select(*columns).where(*own).order_by(CompetitionEntry.program_version.desc()).limit(1)
    ).one_or_none()


def _add(connection: Connection, about: CompetitionRecord, agent_id: int, older: Any) -> None:
    """A new entry, in place of the older one if there is one; once the competition is on, with its games."""
    version = older.program_version + 1 if older else 1
    if version > MOST_VERSIONS:
        raise EntriesClosed(f"This agent was replaced {MOST_VERSIONS - 1} times, and that is the most.")
    values = {"competition_id": about.id, "user_id": agent_id, "program_version": version}
    entry_id = added_id(connection, insert(CompetitionEntry).values(values))
    if older:
        _supersede(connection, older.id, entry_id)
    columns = (Competition.state, Competition.rounds, Competition.started_at)
    state = connection.execute(select(*columns).where(Competition.id == about.id)).one()
    if state.state is State.PLAYING:
        there = _entrants(connection, about, CompetitionEntry.id != entry_id, *is_active())
        left = _entrants(connection, about, CompetitionEntry.id != entry_id, *_has_left_since(state.started_at))
        plan(connection, about.id, games_of(Entrant(entry_id), [*there, *left], openings()[: state.rounds]))
        for entrant in left:  # who was in before got these points too: nobody ranks lower for coming late
            forfeit(connection, entrant.entry_id)


def _has_left_since(start: datetime | None) -> tuple[ColumnElement[bool], ...]:
    return CompetitionEntry.withdrawn_at >= start, CompetitionEntry.replaced_by.is_(None)


def _entrants(connection: Connection, about: CompetitionRecord, *which: ColumnElement[bool]) -> list[Entrant]:
    columns = (CompetitionEntry.id, CompetitionEntry.reference)
    own = (CompetitionEntry.competition_id == about.id, *which)
    rows = connection.execute(select(*columns).where(*own).order_by(CompetitionEntry.id))
    return [Entrant(row.id, row.reference) for row in rows]


def _supersede(connection: Connection, old_id: int, new_id: int) -> None:
    """What it has played stays to be seen and counts no longer; what it has not is not played any more."""
    own: ColumnElement[bool] = or_(Pairing.x_entry_id == old_id, Pairing.o_entry_id == old_id)
    connection.execute(delete(Pairing).where(own, Pairing.game_id.is_(None)))
    connection.execute(update(Pairing).where(own).values(state=PairingState.SUPERSEDED))
    connection.execute(update(CompetitionEntry).where(CompetitionEntry.id == old_id).values(replaced_by=new_id))
