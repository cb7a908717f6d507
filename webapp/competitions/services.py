"""What people do with competitions: make, enter, withdraw, start, end. Knows no Flask request."""

from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.classrooms.enrolling import is_enrolled
from webapp.clock import now
from webapp.competitions.agent_games import begin_first
from webapp.competitions.models import Competition, CompetitionEntry
from webapp.competitions.progress import cancel_games, go_on, present, resign_games, write_step
from webapp.competitions.queries import HAS_ENTERED, IS_NOT_OVER, whole
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.refusals import ClassroomIsArchived, EntriesClosed, NotForYou, NotOpenYet, TooLate
from webapp.competitions.rounds import decide_end, decide_start
from webapp.competitions.settling import start_agents
from webapp.competitions.states import CompetitionKind, State
from webapp.database import announce_change, writing
from webapp.errors import NotThere
from webapp.extensions import app_random
from webapp.games.changes import SomebodyWasQuicker
from webapp.games.permissions import may_play_everybody, opponents_among
from webapp.games.services import new_public_id
from webapp.words import until

MOST_ENTRIES = 200
APART = "You cannot play everybody who has entered here. Your instructor chose this for your classroom."
ONLY_IN_CLASS = (
    "In a classroom of yours students play only among themselves, so you can enter its competitions, but none that is "
    "open to everybody. Your instructor chose this for your classroom."
)


def make_competition(user_id: int, public_id: str, values: dict[str, Any]) -> str:
    """The page that asks chose the public id, so that two presses make one."""
    values = {"kind": CompetitionKind.PEOPLE, "made_by": user_id, **values}
    try:
        return _make(public_id, values)
    except IntegrityError:  # Somebody else's form chose the same id at this moment.
        return _make(new_public_id(), values)


def _make(public_id: str, values: dict[str, Any]) -> str:
    with writing() as connection:
        if not lock_users(connection, {values["made_by"]}):
            raise NotThere
        same = select(Competition.made_by, Competition.name).where(Competition.public_id == public_id)
        taken = connection.execute(same).one_or_none()
        if taken and (taken.made_by, taken.name) == (values["made_by"], values["name"]):
            return public_id
        public_id = new_public_id() if taken else public_id
        connection.execute(insert(Competition).values(public_id=public_id, **values))
    return public_id


# Entries


def check_may_enter(about: CompetitionRecord) -> None:
    if not about.may_belong:
        raise NotForYou
    if about.is_archived:
        raise ClassroomIsArchived
    if about.state is not State.ENTERING:
        raise TooLate
    if about.opens_at:
        raise NotOpenYet(until(about.opens_at))


def enter(about: CompetitionRecord, user_id: int) -> None:
    """Once, however often it is pressed; whoever withdrew before is in again."""
    if about.kind is not CompetitionKind.PEOPLE:
        raise NotThere
    check_may_enter(about)
    mine = (CompetitionEntry.competition_id == about.id, CompetitionEntry.user_id == user_id)
    with writing() as connection:
        if not lock_users(connection, {user_id}):
            raise NotThere
        _change(connection, about, Competition.state == State.ENTERING)
        if about.classroom_id is not None and not is_enrolled(connection, about.classroom_id, user_id):
            raise NotThere  # removed a moment ago
        known = connection.execute(select(CompetitionEntry.withdrawn_at).where(*mine)).one_or_none()
        if known and known.withdrawn_at is None:
            return
        _check_opponents(about, user_id)
        _check_places(connection, about)
        if known:
            connection.execute(update(CompetitionEntry).where(*mine).values(withdrawn_at=None))
        else:
            connection.execute(insert(CompetitionEntry).values(competition_id=about.id, user_id=user_id))
        announce_change(connection)


def _check_opponents(about: CompetitionRecord, user_id: int) -> None:
    """A classroom may have its students play among themselves only. One of them in a competition that is open to all
    would close it to everybody else.
    """
    if about.is_open:
        if not may_play_everybody(user_id):
            raise NotForYou(ONLY_IN_CLASS)
        return
    others = {entry.user_id for entry in whole(about).active if entry.user_id not in (None, user_id)}
    if opponents_among(user_id, {one for one in others if one is not None}) != others:
        raise NotForYou(APART)


def _check_places(connection: Connection, about: CompetitionRecord) -> None:
    entered = select(func.count()).where(CompetitionEntry.competition_id == about.id, *HAS_ENTERED)
    if (connection.scalar(entered) or 0) >= MOST_ENTRIES:
        raise EntriesClosed(f"All {MOST_ENTRIES} places in this competition are taken.")


def _change(connection: Connection, about: CompetitionRecord, *still: Any) -> None:
    """A new version of the competition, if it is still so: others who change it wait here, or decide afresh."""
    grown = update(Competition).where(Competition.id == about.id, *still).values(version=Competition.version + 1)
    if not connection.execute(grown).rowcount:
        raise TooLate


def withdraw(about: CompetitionRecord, user_id: int) -> None:
    """The entry first, so that no round is paired with it; then whatever game it is in is lost."""
    if about.kind is not CompetitionKind.PEOPLE:
        raise NotThere
    mine = (CompetitionEntry.competition_id == about.id, CompetitionEntry.user_id == user_id)
    with writing() as connection:
        _change(connection, about, IS_NOT_OVER)
        leave = update(CompetitionEntry).where(*mine, CompetitionEntry.withdrawn_at.is_(None))
        connection.execute(leave.values(withdrawn_at=now()))
        announce_change(connection)
    resign_games((user_id, one.game or "") for one in whole(about).played_by(user_id))
    go_on(about.id)


# By a press


def start(about: CompetitionRecord) -> None:
    """The same press once more finds it started."""
    if about.is_archived:
        raise ClassroomIsArchived
    if about.is_over:
        raise TooLate
    if about.state is State.ENTERING and about.ends_at and now() >= about.ends_at:
        raise EntriesClosed("Its end has passed, so it cannot start any more, and is cancelled. Make another one.")
    if about.kind is CompetitionKind.AGENTS:
        start_agents(about.id)
        begin_first(about.id)
        return
    while about.state is State.ENTERING:
        competition = whole(about)
        with suppress(SomebodyWasQuicker):
            write_step(competition, decide_start(now(), competition, app_random()))
        about = present(about)
    if about.is_over:
        raise TooLate
    go_on(about.id)


def end(about: CompetitionRecord) -> None:
    """Games that are still played count for nobody: nobody is to blame."""
    while step := decide_end(now(), competition := whole(about)):
        with suppress(SomebodyWasQuicker):
            write_step(competition, step)
        about = present(about)
    cancel_games(about)
