"""Whoever leaves a classroom is out of its competitions, with all their agents. Their games stay, and count."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, or_, select, update

from webapp.accounts.models import User
from webapp.classrooms.departures import Departure
from webapp.clock import now
from webapp.competitions.agent_entries import forfeit
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.progress import go_on, resign_games
from webapp.competitions.queries import HAS_ENTERED, IS_NOT_OVER
from webapp.competitions.states import PairingState
from webapp.database import reading
from webapp.games.models import Game, Seat


def _is_theirs(user_ids: Collection[int]) -> ColumnElement[bool]:
    return or_(User.id.in_(user_ids), User.owner_id.in_(user_ids))


def _withdraw(connection: Connection, classroom_id: int, user_ids: Collection[int]) -> None:
    """The competitions are locked first: whoever enters at this moment is seen here, or finds that they have left."""
    of_classroom = select(Competition.id).where(Competition.classroom_id == classroom_id, IS_NOT_OVER)
    locked = connection.scalars(of_classroom.order_by(Competition.id).with_for_update(key_share=True)).all()
    entries = select(CompetitionEntry.id, CompetitionEntry.competition_id).join(
        User, User.id == CompetitionEntry.user_id
    )
    theirs = entries.where(CompetitionEntry.competition_id.in_(locked), *HAS_ENTERED, _is_theirs(user_ids))
    left = connection.execute(theirs.order_by(CompetitionEntry.id)).all()
    if not left:
        return
    for entry in left:
        withdrawn = update(CompetitionEntry).where(CompetitionEntry.id == entry.id).values(withdrawn_at=now())
        connection.execute(withdrawn)
        forfeit(connection, entry.id)
    changed = update(Competition).where(Competition.id.in_({entry.competition_id for entry in left}))
    connection.execute(changed.values(version=Competition.version + 1))


def _resign(classroom_id: int, user_ids: Collection[int]) -> None:
    """Their games in play there. Should the server stop before, a round or a clock ends these."""
    playing = (
        select(Pairing.competition_id, Game.public_id, Seat.user_id)
        .join(Competition, Competition.id == Pairing.competition_id)
        .join(Game, Game.id == Pairing.game_id)
        .join(Seat, Seat.game_id == Game.id)
        .join(User, User.id == Seat.user_id)
        .where(Competition.classroom_id == classroom_id, Pairing.score.is_(None), _is_theirs(user_ids))
        .where(Pairing.state == PairingState.PLAYING)
        .order_by(Pairing.id)
    )
    with reading() as connection:
        games = connection.execute(playing).all()
    resign_games((game.user_id, game.public_id) for game in games)
    with reading() as connection:
        open_ones = select(Competition.id).where(Competition.classroom_id == classroom_id, IS_NOT_OVER)
        competitions = connection.scalars(open_ones.order_by(Competition.id)).all()
    for competition_id in competitions:
        go_on(competition_id)


DEPARTURE = Departure(within=_withdraw, after=_resign)
