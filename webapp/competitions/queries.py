"""Questions about competitions. Read only. Who may see one is decided here, where it is loaded."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.classrooms.models import Classroom, Enrolment
from webapp.classrooms.queries import IS_PRESENT
from webapp.competitions.models import Competition, CompetitionEntry, Pairing, is_active
from webapp.competitions.records import (
    CompetitionRecord,
    EntryRecord,
    PairingRecord,
    Viewer,
    WholeCompetition,
)
from webapp.competitions.states import CompetitionKind, PairingState
from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.models import Game
from webapp.games.permissions import Watched

LISTED = 50
NOBODY = 0
_COLUMNS = (
    *Competition.__table__.columns,
    Classroom.public_id.label("classroom"),
    Classroom.name.label("classroom_name"),
    Classroom.archived_at.label("classroom_archived_at"),
    Classroom.allows_agents.label("classroom_allows_agents"),
)


def _competitions(viewer_id: int | None) -> Select[Any]:
    """All that this person may see: those of their classrooms, and those that are open to all."""
    is_mine = and_(Enrolment.classroom_id == Classroom.id, Enrolment.user_id == (viewer_id or NOBODY), IS_PRESENT)
    return (
        select(*_COLUMNS, Enrolment.role)
        .outerjoin(Classroom, Classroom.id == Competition.classroom_id)
        .outerjoin(Enrolment, is_mine)
        .where(or_(Competition.classroom_id.is_(None), Enrolment.id.is_not(None)))
    )


def competition_for(public_id: str, viewer: Viewer, manages: bool = False) -> CompetitionRecord:
    """The one way to a competition. For who may not see it, or not do what is asked, it is not there."""
    with reading() as connection:
        # PostgreSQL refuses some characters with an error, so it is asked only for what can be an id.
        can_be = public_id.isascii() and public_id.isprintable()
        this = _competitions(viewer.id).where(Competition.public_id == public_id)
        row = connection.execute(this).one_or_none() if can_be else None
    record = CompetitionRecord(**row._mapping, viewer=viewer) if row else None
    if record is None or (manages and not record.may_manage):
        raise NotThere
    return record


def classroom_of(public_id: str) -> str | None:
    """The public id of the classroom of this competition, whoever asks."""
    this = select(Classroom.public_id).join(Competition, Competition.classroom_id == Classroom.id)
    can_be = public_id.isascii() and public_id.isprintable()
    with reading() as connection:
        return connection.scalar(this.where(Competition.public_id == public_id)) if can_be else None


def record_of(competition_id: int) -> CompetitionRecord | None:
    """Whoever asks: for what the server does by itself."""
    this = select(*_COLUMNS).outerjoin(Classroom, Classroom.id == Competition.classroom_id)
    with reading() as connection:
        row = connection.execute(this.where(Competition.id == competition_id)).one_or_none()
    return CompetitionRecord(**row._mapping, role=None, viewer=Viewer(None)) if row else None


def whole(about: CompetitionRecord) -> WholeCompetition:
    """Two statements, however many games there are: the entries last, so that whoever is paired is among them."""
    pairings = _pairings(about.id)
    return WholeCompetition(about, _entries(about.id), pairings)


def _entries(competition_id: int) -> list[EntryRecord]:
    left_out = ("competition_id", "entered_at", "answered_at")
    own = [column for column in CompetitionEntry.__table__.columns if column.key not in left_out]
    entries = (
        select(*own, User.name, User.deleted_at.is_not(None).label("is_deleted"))
        .outerjoin(User, User.id == CompetitionEntry.user_id)
        .where(CompetitionEntry.competition_id == competition_id)
        .order_by(CompetitionEntry.id)
    )
    with reading() as connection:
        return [EntryRecord(**row._mapping) for row in connection.execute(entries)]


def _pairings(competition_id: int) -> list[PairingRecord]:
    names = ("id", "round", "x_entry_id", "o_entry_id", "state", "score", "fault", "fault_words", "game_id")
    pairings = (
        select(*(getattr(Pairing, name) for name in names), Game.public_id.label("game"))
        .outerjoin(Game, Game.id == Pairing.game_id)
        .where(Pairing.competition_id == competition_id)
        .order_by(Pairing.round, Pairing.id)
    )
    with reading() as connection:
        return [PairingRecord(**row._mapping) for row in connection.execute(pairings)]


def competitions_seen_by(viewer: Viewer, classroom_id: int | None = None, is_over: bool = False) -> list[Any]:
    """For a list, the newest first: each with how many are in it, whether this person is, or an agent of theirs, and
    with the public id of the game that they play in it, and whether they had one in its current round.
    """
    condition: list[ColumnElement[bool]] = [Competition.ended_at.is_not(None) if is_over else IS_NOT_OVER]
    if classroom_id is not None:
        condition.append(Competition.classroom_id == classroom_id)
    of_it = (CompetitionEntry.competition_id == Competition.id, *HAS_ENTERED)
    entered = select(func.count()).where(*of_it).correlate(Competition).scalar_subquery()
    mine = select(func.count()).where(*of_it, _is_of(viewer.id or NOBODY)).correlate(Competition)
    game, had_game = _my_games(viewer.id or NOBODY)
    about_me = (mine.scalar_subquery().label("mine"), game.label("my_game"), had_game.label("had_game"))
    found = _competitions(viewer.id).add_columns(entered.label("entered"), *about_me)
    with reading() as connection:
        return list(connection.execute(found.where(*condition).order_by(Competition.id.desc()).limit(LISTED)))


def _is_of(user_id: int) -> ColumnElement[bool]:
    agents = select(Agent.user_id).where(Agent.owner_id == user_id)
    return or_(CompetitionEntry.user_id == user_id, CompetitionEntry.user_id.in_(agents))


def _my_games(user_id: int) -> tuple[ColumnElement[Any], ColumnElement[bool]]:
    """Of the competition of the row: found by my entry, since one of agents has tens of thousands of games."""
    is_mine = (CompetitionEntry.competition_id == Competition.id, CompetitionEntry.user_id == user_id)
    games = (
        select(Game.public_id)
        .select_from(CompetitionEntry)
        .join(Pairing, or_(Pairing.x_entry_id == CompetitionEntry.id, Pairing.o_entry_id == CompetitionEntry.id))
        .join(Game, Game.id == Pairing.game_id)
        .where(*is_mine)
        .correlate(Competition)
    )
    now_played = games.where(Pairing.state == PairingState.PLAYING).limit(1)
    return now_played.scalar_subquery(), games.where(Pairing.round == Competition.round).exists()


IS_NOT_OVER = Competition.ended_at.is_(None)
HAS_ENTERED = (*is_active(), CompetitionEntry.user_id.is_not(None))  # reference players have no user


def competition_of_people(game_id: int) -> int | None:
    """That this game belongs to; None if it is one of agents."""
    of_game = select(Competition.id).join(Pairing, Pairing.competition_id == Competition.id)
    with reading() as connection:
        return connection.scalar(of_game.where(Pairing.game_id == game_id, Competition.kind == CompetitionKind.PEOPLE))


def competition_of_game(public_id: str) -> str | None:
    """Public ids both. Who may see the game is decided before, who may see the competition when it is loaded."""
    pairing = select(Competition.public_id).join(Pairing, Pairing.competition_id == Competition.id)
    of_game = pairing.join(Game, Game.id == Pairing.game_id).where(Game.public_id == public_id)
    with reading() as connection:
        return connection.scalar(of_game)


def watched_in_class(pairs: Collection[Watched]) -> set[Watched]:
    """Those of these games and viewers of which the game is played in a competition of the viewer's classroom.

    A competition is played before the class: its games are seen by all who are in it, whatever else is closed.
    """
    games, viewers = {game for game, _ in pairs}, {viewer for _, viewer in pairs if viewer is not None}
    if not viewers:
        return set()
    seen = (
        select(Pairing.game_id, Enrolment.user_id)
        .join(Competition, Competition.id == Pairing.competition_id)
        .join(Enrolment, Enrolment.classroom_id == Competition.classroom_id)
        .where(Pairing.game_id.in_(games), Enrolment.user_id.in_(viewers), IS_PRESENT)
    )
    with reading() as connection:
        return {(row.game_id, row.user_id) for row in connection.execute(seen)} & set(pairs)
