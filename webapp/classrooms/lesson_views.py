"""The lesson: begun and ended by a press, seen live by its instructors, and on the projector without names."""

from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.access import account_required
from webapp.accounts.presence import note_page
from webapp.classrooms.lesson_queries import ended_in, lesson_view, playing_now
from webapp.classrooms.lessons import begin_lesson, end_lesson, present_lesson
from webapp.classrooms.loading import in_use, loaded
from webapp.classrooms.queries import ClassroomRecord, members_of
from webapp.classrooms.questions import last_question
from webapp.classrooms.roles import Role
from webapp.games.game_record import GameRecord
from webapp.games.point_of_view import PointOfView
from webapp.games.queries import hidden
from webapp.games.states import Visibility
from webapp.pieces import piece_of

blueprint = Blueprint("lessons", __name__, url_prefix="/classrooms/<public_id>/lesson")

View = str | BaseResponse
THIS = "lessons.show/{public_id}"


@blueprint.get("")
@account_required(THIS)
def show(public_id: str) -> View:
    classroom = loaded(public_id, Role.ASSISTANT)
    note_page(current_user.id)
    return render_template("classrooms/lesson.html", classroom=classroom, **_seen(classroom))


@blueprint.get("/piece")
@account_required(THIS)
def piece(public_id: str) -> Response:
    classroom = loaded(public_id, Role.ASSISTANT)
    note_page(current_user.id)
    return piece_of("classrooms/_lesson.html", classroom=classroom, **_seen(classroom))


def _seen(classroom: ClassroomRecord) -> dict[str, Any]:
    lesson, members = present_lesson(classroom.id), members_of(classroom.id)
    if lesson is None:
        return {"lesson": None}
    view = lesson_view(classroom.id, lesson, members)
    return {
        "lesson": lesson,
        "students": view.students,
        "playing": [PointOfView(game, None) for game in view.playing],
        "watched": _watched_by(classroom.user_id, view.playing),
        "has_more": view.has_more,
        "results": [PointOfView(game, None) for game in view.results],
        "real_names": {member.name: member.real_name for member in members if member.real_name},
        "question": last_question(lesson.id, classroom.user_id),
    }


def _watched_by(user_id: int, games: list[GameRecord]) -> set[str]:
    """The public ids of those that lead to a page: a game against the computer is its player's alone."""
    public = [game for game in games if game.visibility == Visibility.PUBLIC]
    unseen = {game_id for game_id, _ in hidden([(game, user_id) for game in public])}
    return {game.public_id for game in public if game.id not in unseen}


@blueprint.post("")
@account_required(THIS)
def begin(public_id: str) -> View:
    begin_lesson(in_use(public_id, Role.ASSISTANT))
    return redirect(url_for("lessons.show", public_id=public_id), 303)


@blueprint.post("/end")
@account_required(THIS)
def end(public_id: str) -> View:
    classroom = loaded(public_id, Role.ASSISTANT)
    lesson = present_lesson(classroom.id)
    end_lesson(classroom)
    if lesson:
        count = ended_in(classroom.id, lesson)
        games = f"{count} game{'' if count == 1 else 's'} ended in it"
        flash(f"The lesson is over. {games}{': press Last lesson to see who did what' if count else ''}.", "notice")
    return redirect(url_for("classrooms.show", public_id=public_id), 303)


@blueprint.get("/projector")
@account_required("lessons.projector/{public_id}")
def projector(public_id: str) -> View:
    classroom = in_use(public_id, Role.ASSISTANT)
    return render_template("classrooms/lesson_projector.html", classroom=classroom, **_projected(classroom))


@blueprint.get("/projector/piece")
@account_required("lessons.projector/{public_id}")
def projector_piece(public_id: str) -> Response:
    classroom = loaded(public_id, Role.ASSISTANT)
    return piece_of("classrooms/_lesson_projector.html", classroom=classroom, **_projected(classroom))


def _projected(classroom: ClassroomRecord) -> dict[str, Any]:
    """No real name is even read; user names, and answers to an open question, only where the address asks for them."""
    lesson = present_lesson(classroom.id)
    question = last_question(lesson.id, classroom.user_id) if lesson else None
    return {
        "playing": [PointOfView(game, None) for game in playing_now(classroom.id, lesson)],
        "question": question,
        **{name: request.args.get(name) == "yes" for name in ("names", "answers")},
    }
