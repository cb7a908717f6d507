"""The classroom's own lobby: classmates who are here, games among them, and "Play a classmate". Knows no request."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random

from sqlalchemy import ColumnElement, Select, or_, select

from webapp.accounts.models import Presence
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT, ClassroomRecord, Member
from webapp.clock import now
from webapp.database import reading
from webapp.games.game_record import GameRecord
from webapp.games.lists import WAITS_FOR_SOMEBODY
from webapp.games.meeting import can_join, join_game, open_game
from webapp.games.models import Game, Seat
from webapp.games.permissions import opponents_among
from webapp.games.queries import games_where
from webapp.games.refusals import PlayerIsGone, SeatTaken
from webapp.games.states import Status, Visibility, WishedMark

LISTED = 20
TRIED = 5  # open games, before one waits oneself
FORGOTTEN = timedelta(minutes=10)  # without their player; they can still be joined from the list


@dataclass(frozen=True)
class ClassLobby:
    here: list[Member]  # by user name: classmates see them, and the order of real names tells who is who
    mine: list[GameRecord]  # begun with people, or waiting for one
    challenges: list[GameRecord]
    open: list[GameRecord]  # by classmates, for anyone or for this class


def class_lobby(classroom: ClassroomRecord, members: list[Member]) -> ClassLobby:
    """Two statements besides the members, however many games there are."""
    me = classroom.user_id
    games = games_where(Game.id.in_(_listed(classroom)))
    may_play = opponents_among(me, {member.user_id for member in members})
    open_to_me = [game for game in games if game.status == Status.OPEN and game.opener and game.opener.id != me]
    here = [member for member in members if member.is_here and member.user_id in may_play - {me}]
    return ClassLobby(
        here=sorted(here, key=lambda member: member.name.casefold()),
        mine=[game for game in games if game not in open_to_me],
        challenges=[game for game in open_to_me if game.challenged and can_join(game, me)],
        open=[game for game in open_to_me if not game.challenged and game.opener and game.opener.id in may_play],
    )


def _classmates(classroom: ClassroomRecord) -> Select[int]:
    others = (Enrolment.classroom_id == classroom.id, IS_PRESENT, Enrolment.user_id != classroom.user_id)
    return select(Enrolment.user_id).where(*others)


def _open_to_class(classroom: ClassroomRecord, *more: ColumnElement[bool]) -> Select[int]:
    is_for_us = or_(Game.classroom_id.is_(None), Game.classroom_id == classroom.id)
    is_open = (Game.status == Status.OPEN, Game.visibility == Visibility.PUBLIC, Game.challenged_id.is_(None))
    ours = select(Game.id).where(*is_open, is_for_us, Game.opened_by.in_(_classmates(classroom)), *more)
    return ours.order_by(Game.id).limit(LISTED)


def _listed(classroom: ClassroomRecord):  # type: ignore[no-untyped-def]  # a select of ids, of each list
    me = classroom.user_id
    unfinished = (Seat.user_id == me, Seat.result.is_(None), Game.status == Status.PLAYING, WAITS_FOR_SOMEBODY)
    mine = select(Seat.game_id).join(Game).where(*unfinished).order_by(Seat.game_id.desc()).limit(LISTED)
    waiting = select(Game.id).where(Game.status == Status.OPEN, Game.opened_by == me)
    called = select(Game.id).where(Game.called_id == me, Game.opened_by.in_(_classmates(classroom))).limit(LISTED)
    parts = [select(part.subquery()) for part in (_open_to_class(classroom), mine, waiting, called)]
    return parts[0].union_all(*parts[1:])


def play_classmate(classroom: ClassroomRecord, random: Random, public_id: str) -> str:
    """The public id of the game: joined if a classmate waits, else one's own that waits for one of them alone."""
    for waiting in _waiting_games(classroom):
        try:
            join_game(classroom.user_id, waiting, random)
            return waiting
        except (SeatTaken, PlayerIsGone):
            continue
    return _own_open_game(classroom) or open_game(
        classroom.user_id, public_id, WishedMark.RANDOM, Visibility.PUBLIC, classroom_id=classroom.id
    )


def _waiting_games(classroom: ClassroomRecord) -> list[str]:
    """Of classmates who may still be waiting: who forgot a game in the last lesson would leave the other alone in it.

    A phone that sleeps for a while is waited for: else its owner and the next classmate would wait for each other.
    """
    was_here = Game.opened_by.in_(select(Presence.user_id).where(Presence.seen_at > now() - FORGOTTEN))
    waiting = Game.id.in_(_open_to_class(classroom, was_here))
    with reading() as connection:
        oldest = select(Game.public_id).where(waiting).order_by(Game.id).limit(TRIED)
        return list(connection.scalars(oldest))


def _own_open_game(classroom: ClassroomRecord) -> str | None:
    mine = (Game.status == Status.OPEN, Game.opened_by == classroom.user_id, Game.classroom_id == classroom.id)
    with reading() as connection:
        return connection.scalar(select(Game.public_id).where(*mine))
