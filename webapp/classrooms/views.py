"""The pages of classrooms: the host page, a classroom, its settings and its staff."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.access import account_required, require_instructor
from webapp.accounts.presence import note_page
from webapp.accounts.queries import person_named
from webapp.classrooms import forms, queries, services
from webapp.classrooms.codes import shown_code
from webapp.classrooms.invitations import invitations
from webapp.classrooms.lessons import present_lesson
from webapp.classrooms.loading import in_use, loaded, to_classroom
from webapp.classrooms.lobby import class_lobby, play_classmate
from webapp.classrooms.personal import LastInstructor
from webapp.classrooms.queries import ClassroomRecord
from webapp.classrooms.questions import last_question
from webapp.classrooms.roles import Role
from webapp.classrooms.set_up import site_instructors
from webapp.classrooms.students import KnownStudent, removed_students, student_of
from webapp.errors import BadRequest, NotThere, Refusal
from webapp.extensions import app_random
from webapp.games import forms as game_forms
from webapp.games.meeting import REASONS
from webapp.games.point_of_view import PointOfView
from webapp.games.redirects import to_game
from webapp.games.services import new_public_id
from webapp.pieces import piece_of
from webapp.tictactoe import LEVELS, STANDARD

blueprint = Blueprint("classrooms", __name__, url_prefix="/classrooms")
blueprint.add_app_template_filter(shown_code)

View = str | BaseResponse | tuple[str, int]
THIS = "classrooms.show/{public_id}"
SETTINGS = ("name", "term", "seat_limit", *forms.SWITCHES, "levels")


# All of them


@blueprint.get("")
@account_required("classrooms.all")
def all() -> View:
    return _host_page()


def _host_page(**more: Any) -> str:
    classrooms = queries.classrooms_of(current_user.id)
    led = next((classroom for classroom in classrooms if classroom.is_staff and not classroom.is_archived), None)
    members = queries.members_of(led.id) if led else []
    return render_template(
        "classrooms/classrooms.html",
        classrooms=classrooms,
        counts=queries.counts_of([classroom.id for classroom in classrooms if classroom.is_staff]),
        next_classroom=led,
        steps=queries.steps_of(led, members) if led else None,
        instructors=site_instructors() if current_user.is_instructor else [],
        **more,
    )


@blueprint.post("")
@account_required("classrooms.all")
def create() -> View:
    require_instructor()
    name, term = forms.text("name"), forms.text("term")
    try:
        public_id = services.create_classroom(current_user.id, name, term, _chosen_id())
    except services.BadClassroomName as refusal:
        return _host_page(sentence=refusal.sentence, name=name, term=term), refusal.status
    return redirect(url_for("classrooms.show", public_id=public_id), 303)


def _chosen_id() -> str:
    """The id that the page chose for a classroom."""
    return game_forms.public_id(request.form, new_public_id())


@blueprint.post("/instructors")
@account_required("classrooms.all")
def make_instructor() -> View:
    """By another instructor, who is asked once more: it is for the whole site."""
    require_instructor()
    name = forms.user_name()
    try:
        if forms.text("confirm") != "yes":
            return _ask_once_more(Role.INSTRUCTOR, name, student_of(current_user.id, person_named(name)))
        services.make_instructor(name, current_user.id)
    except (NotThere, services.OthersStudent) as refusal:
        return _host_page(instructor_sentence=refusal.sentence, instructor=name), refusal.status
    flash(f"{name} is an instructor now, and can make classrooms.", "notice")
    return redirect(url_for("classrooms.all"), 303)


@blueprint.post("/instructors/<name>/remove")
@account_required("classrooms.all")
def remove_instructor(name: str) -> View:
    """By any instructor of the site; the last one stays."""
    require_instructor()
    try:
        services.remove_instructor(name)
    except services.LastSiteInstructor as refusal:
        return _host_page(instructor_sentence=refusal.sentence), refusal.status
    flash(f"{name} can make no classrooms any more. Those that they lead stay theirs.", "notice")
    return redirect(url_for("classrooms.all"), 303)


def _ask_once_more(role: Role, name: str, known: KnownStudent | None, classroom: ClassroomRecord | None = None) -> str:
    name = known.name if known else name
    return render_template("classrooms/sure.html", role=role, name=name, known=known, classroom=classroom)


@blueprint.get("/of-game/<public_id>")
@account_required("classrooms.all")
def of_game(public_id: str) -> View:
    """To the classroom in which a game was begun: so a game's page need not know it."""
    found = queries.classroom_of_game(public_id, current_user.id)
    return redirect(url_for("classrooms.show", public_id=found) if found else url_for("classrooms.all"), 303)


# One of them


@blueprint.get("/<public_id>")
@account_required(THIS)
def show(public_id: str) -> View:
    classroom = loaded(public_id)
    note_page(current_user.id)
    return render_template("classrooms/classroom.html", classroom=classroom, **_seen(classroom))


@blueprint.get("/<public_id>/piece")
@account_required(THIS)
def piece(public_id: str) -> BaseResponse:
    classroom = loaded(public_id)
    note_page(current_user.id)
    return piece_of("classrooms/_live.html", classroom=classroom, **_seen(classroom))


def _seen(classroom: ClassroomRecord) -> dict[str, Any]:
    members, lesson = queries.members_of(classroom.id), present_lesson(classroom.id)
    return {
        "staff": [member for member in members if member.role.is_staff],
        "students": [member for member in members if member.role is Role.STUDENT],
        "steps": queries.steps_of(classroom, members) if classroom.is_staff else None,
        "lesson": lesson,
        "question": last_question(lesson.id, classroom.user_id) if lesson and not classroom.is_staff else None,
        "invitations": invitations(classroom) if not classroom.is_staff else [],
        **_lobby(classroom, members),
    }


def _lobby(classroom: ClassroomRecord, members: list[queries.Member]) -> dict[str, Any]:
    lobby = class_lobby(classroom, members)
    games = {"mine": lobby.mine, "challenges": lobby.challenges, "open_games": lobby.open}
    seen = {name: [PointOfView(game, classroom.user_id) for game in some] for name, some in games.items()}
    return {**seen, "people": [member.name for member in lobby.here], "reasons": REASONS}


@blueprint.post("/<public_id>/play")
@account_required(THIS)
def play(public_id: str) -> View:
    """Join the classmate who has waited longest, or wait for one."""
    classroom = in_use(public_id, Role.STUDENT)
    note_page(current_user.id)
    return to_game(play_classmate(classroom, app_random(), game_forms.public_id(request.form, new_public_id())))


@blueprint.post("/<public_id>/duplicate")
@account_required(THIS)
def duplicate(public_id: str) -> View:
    copy = services.duplicate(loaded(public_id, Role.INSTRUCTOR), _chosen_id())
    flash("This is a copy with the same settings and no students. Give it a name.", "notice")
    return redirect(url_for("classrooms.settings", public_id=copy), 303)


@blueprint.post("/<public_id>/archive")
@account_required(THIS)
def archive(public_id: str) -> View:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    services.archive(classroom)
    flash(f"{classroom.name} is archived. Everything in it is kept, and you can bring it back.", "notice")
    return redirect(url_for("classrooms.all"), 303)


@blueprint.post("/<public_id>/bring-back")
@account_required(THIS)
def bring_back(public_id: str) -> View:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    services.bring_back(classroom)
    flash(f"{classroom.name} is back. Open the join code if more students should join.", "notice")
    return to_classroom(classroom)


@blueprint.post("/<public_id>/joining")
@account_required(THIS)
def joining(public_id: str) -> View:
    """Open, close, or a new code."""
    classroom = in_use(public_id, Role.INSTRUCTOR)
    match forms.text("joining"):
        case "new-code":
            code = services.change_join_code(classroom)
            flash(f"The new code is {shown_code(code)}. The old one lets nobody in any more.", "notice")
        case "open" | "closed" as wish:
            services.change(classroom, join_is_open=wish == "open")
            flash(f"Joining is {wish}: the code lets {'students' if wish == 'open' else 'nobody'} in now.", "notice")
        case _:
            raise BadRequest("Choose open, closed or a new code on the page of the classroom.")
    return to_classroom(classroom)


@blueprint.route("/<public_id>/settings", methods=["GET", "POST"])
@account_required("classrooms.settings/{public_id}")
def settings(public_id: str) -> View:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    if request.method != "POST":
        return _settings_page(classroom)
    try:
        values = services.named(forms.text("name"), forms.text("term")) | forms.settings_of(request.form)
    except (services.BadClassroomName, forms.BadSeats) as refusal:
        typed = {name: forms.text(name) for name in ("name", "term", "seat_limit")}
        return _settings_page(classroom, typed | forms.switches_of(request.form), wrong=refusal), refusal.status
    changed = {name: value for name, value in values.items() if forms.text(f"shown_{name}") != str(value)}
    if changed:  # only that: another instructor may have changed the rest meanwhile
        services.change(classroom, **changed)
    flash("The settings are saved.", "notice")
    return to_classroom(classroom)


def _settings_page(classroom: ClassroomRecord, sent: Mapping[str, Any] | None = None, **more: Any) -> str:
    """With the settings that were sent, if something is wrong with them, and what the form was first shown with."""
    staff = [member for member in queries.members_of(classroom.id) if member.role.is_staff]
    shown = sent or vars(classroom)
    before = {f"shown_{name}": str(getattr(classroom, name)) for name in SETTINGS}
    if sent:
        before = {name: forms.text(name) for name in before}
    allowed = LEVELS if shown["levels"] is None else shown["levels"].split()
    return render_template(
        "classrooms/settings.html", classroom=classroom, shown=shown, staff=staff, levels=LEVELS.values(),
        shape=STANDARD, allowed=allowed, before=before, **more,
    )


@blueprint.post("/<public_id>/instructors")
@account_required(THIS)
def add_instructor(public_id: str) -> View:
    return _add_staff(in_use(public_id, Role.INSTRUCTOR), Role.INSTRUCTOR)


@blueprint.post("/<public_id>/assistants")
@account_required(THIS)
def add_assistant(public_id: str) -> View:
    return _add_staff(in_use(public_id, Role.INSTRUCTOR), Role.ASSISTANT)


def _add_staff(classroom: ClassroomRecord, role: Role) -> View:
    """A student's user name may be mistyped, and with the role come the real names of all: it is asked again."""
    name = forms.user_name()
    try:
        student = student_of(current_user.id, person_named(name), classroom.id)
        if student and forms.text("confirm") != "yes":
            return _ask_once_more(role, name, student, classroom)
        services.add_staff(classroom, name, role)
    except Refusal as refusal:
        return _settings_page(classroom, staff_sentence=refusal.sentence, staff_name=name), refusal.status
    flash(f"{name} is {'an instructor' if role is Role.INSTRUCTOR else 'an assistant'} here now.", "notice")
    return to_classroom(classroom, "classrooms.settings", "staff")


@blueprint.post("/<public_id>/staff/<name>/remove")
@account_required(THIS)
def remove_staff(public_id: str, name: str) -> View:
    """An instructor removes anybody, an assistant only leaves."""
    is_me = name.lower() == (current_user.name or "").lower()
    classroom = loaded(public_id, Role.ASSISTANT if is_me else Role.INSTRUCTOR)
    try:
        user_id = services.remove_staff(classroom, name)
    except LastInstructor as refusal:
        return _settings_page(classroom, staff_sentence=refusal.sentence), refusal.status
    was_student = any(student.user_id == user_id for student in removed_students(classroom.id))
    may_return = was_student and not classroom.is_archived
    again = " They were a student here: to bring them back, open Students." if may_return else ""
    flash(f"You have left {classroom.name}." if is_me else f"{name} is no longer in {classroom.name}.{again}", "notice")
    if is_me:
        return redirect(url_for("classrooms.all"), 303)
    return to_classroom(classroom, "classrooms.settings", "staff")


@blueprint.get("/<public_id>/projector")
@account_required("classrooms.projector/{public_id}")
def projector(public_id: str) -> View:
    """The address that the class can reach and the code, as large as they go."""
    return render_template("classrooms/join_projector.html", classroom=in_use(public_id, Role.ASSISTANT))


@blueprint.get("/<public_id>/projector/piece")
@account_required("classrooms.projector/{public_id}")
def projector_piece(public_id: str) -> BaseResponse:
    return piece_of("classrooms/_join_projector.html", classroom=loaded(public_id, Role.ASSISTANT))
