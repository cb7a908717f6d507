"""Ask the class: put a position up, tell who is asked on every page, answer it, close it."""

from flask import Blueprint, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.access import account_required
from webapp.analysis import asked
from webapp.classrooms import questions
from webapp.classrooms.lessons import present_lesson
from webapp.classrooms.loading import in_use, loaded, to_page_of
from webapp.classrooms.queries import ClassroomRecord
from webapp.classrooms.roles import Role
from webapp.classrooms.waiting import waiting_for
from webapp.database import UNREACHABLE
from webapp.errors import BadRequest, NotThere
from webapp.games.boards import board_view
from webapp.games.forms import optional_number
from webapp.games.waiting import Waiting
from webapp.row_ids import ids_among
from webapp.tictactoe import BadPosition, Position

blueprint = Blueprint("questions", __name__, url_prefix="/classrooms/<public_id>/question")

View = str | BaseResponse | tuple[str, int]


@blueprint.app_template_global()
def what_waits(but: str | None = None) -> Waiting | None:
    """For the head of every page; a page that tells of trouble with the database is shown without.

    Who must change the password first is led back to that page from all others, the stream of news among them.
    """
    if not current_user.is_account or current_user.must_change_password:
        return None
    try:
        return waiting_for(current_user.id, but)
    except UNREACHABLE:
        return None


@blueprint.get("")
@account_required("questions.show/{public_id}")
def show(public_id: str) -> View:
    return _page(in_use(public_id, Role.ASSISTANT))


def _page(classroom: ClassroomRecord, sentence: str = "", status: int = 200) -> tuple[str, int]:
    given, offered = request.values, questions.positions_to_ask(classroom.id)
    try:
        fields = asked.edited(given) if asked.is_from_editor(given) else given or asked.link_to(offered[0][1])
    except BadPosition as refusal:  # cells that no editor sends: it is shown empty
        fields, sentence, status = {}, str(refusal), 400
    editor = asked.editor(asked.Arguments(fields))
    shown = {"editor": editor, "offered": offered, "board": board_view, "question": _open_question(classroom)}
    return render_template("classrooms/ask.html", classroom=classroom, sentence=sentence, **shown), status


def _open_question(classroom: ClassroomRecord) -> questions.AskedQuestion | None:
    lesson = present_lesson(classroom.id)
    question = questions.last_question(lesson.id, classroom.user_id) if lesson else None
    return question if question and question.is_open else None


@blueprint.post("")
@account_required("questions.show/{public_id}")
def ask(public_id: str) -> View:
    classroom = in_use(public_id, Role.ASSISTANT)
    try:
        questions.ask(classroom, _position(), ids_among(request.form.getlist("seen")))
    except (BadPosition, questions.GameIsOverThere) as refusal:
        return _page(classroom, getattr(refusal, "sentence", str(refusal)), 400)
    except questions.AnotherIsOpen as refusal:
        return _page(classroom, refusal.sentence, refusal.status)
    return redirect(url_for("lessons.show", public_id=public_id, _anchor="question"), 303)


def _position() -> Position:
    """From the editor's cells, or as the analysis writes it."""
    fields = request.form
    arguments = asked.Arguments(asked.edited(fields)) if asked.is_from_editor(fields) else fields
    return asked.position(arguments)


@blueprint.get("/all")
@account_required("questions.all/{public_id}")
def all(public_id: str) -> View:
    """What the class was asked before: it is kept with its lessons."""
    classroom = loaded(public_id, Role.ASSISTANT)
    asked = questions.questions_of(classroom.id)
    return render_template("classrooms/questions.html", classroom=classroom, questions=asked)


@blueprint.post("/close")
@account_required("questions.show/{public_id}")
def close(public_id: str) -> View:
    named = request.form.getlist("question")
    questions.close(loaded(public_id, Role.ASSISTANT), ids_among(named) if named else None)
    return redirect(url_for("lessons.show", public_id=public_id, _anchor="question"), 303)


@blueprint.post("/<int:question_id>/answer")
@account_required("classrooms.show/{public_id}")
def answer(public_id: str, question_id: int) -> View:
    """By a student; those who ask do not answer."""
    classroom = in_use(public_id, Role.STUDENT)
    if classroom.is_staff:
        raise NotThere
    cell = optional_number(request.form, "cell")
    if cell is None:
        raise BadRequest("Choose a free cell of the board.")
    try:
        questions.answer(classroom, question_id, cell)
    except questions.TooLate as refusal:
        refusal.way_back = to_page_of(classroom)
        raise
    return redirect(url_for("classrooms.show", public_id=public_id), 303)
