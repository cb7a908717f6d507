"""The pages by which a classroom gets its students: add them, print their cards.

What shows a secret answers a post with 200: it is in no session and no address, and nowhere again.
"""

from typing import Any

from flask import Blueprint, render_template, request
from flask_login import current_user, login_required
from werkzeug.wrappers import Response

from webapp.classrooms.queries import ClassroomRecord, classroom_for
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import RosterRow, read_roster, roster_text
from webapp.classrooms.roster_text import text_of_file
from webapp.classrooms.student_accounts import Card, RosterHasProblems, add_students, reset_passwords
from webapp.classrooms.students import checked_rows, students_of
from webapp.database import reading
from webapp.errors import BadRequest, Refusal

blueprint = Blueprint("rosters", __name__, url_prefix="/classrooms/<public_id>")
View = str | Response | tuple[str, int]
MOST_CHOSEN = 1000


@blueprint.route("/roster", methods=["GET", "POST"])
@login_required
def add(public_id: str) -> View:
    classroom = classroom_for(public_id, current_user.id, Role.INSTRUCTOR)
    if request.method != "POST":  # HEAD asks for a page too
        return render_template("classrooms/add_students.html", classroom=classroom)
    try:
        rows = _rows_sent()
    except Refusal as refusal:
        return _add_page(classroom, refusal)
    return _confirm(classroom, rows) if request.form.get("confirm") == "yes" else _preview(classroom, rows)


def _rows_sent() -> list[RosterRow]:
    file = request.files.get("file")
    rows = read_roster(text_of_file(file.read()) if file and file.filename else request.form.get("names", ""))
    if not rows:
        raise BadRequest("There is no name in it. Write one name a line, or choose a file with names.")
    return rows


def _add_page(classroom: ClassroomRecord, refusal: Refusal) -> View:
    """The same page with what was typed, and the sentence where it was sent from."""
    shown = {"wrong_file" if "file" in request.files else "wrong_names": refusal.sentence}
    shown["names"] = request.form.get("names", "")
    return render_template("classrooms/add_students.html", classroom=classroom, **shown), refusal.status


def _preview(classroom: ClassroomRecord, rows: list[RosterRow], status: int = 200) -> View:
    """Nothing is written: the page hands the list on to the confirmation."""
    with reading() as connection:
        found = checked_rows(connection, classroom.id, rows)
    wrong, good = ([one for one in found if bool(one.problem) is is_wrong] for is_wrong in (True, False))
    texts = {"names": roster_text(rows), "good_names": roster_text(one.row for one in good)}
    shown: dict[str, Any] = {"classroom": classroom, "wrong": wrong, "good": good, **texts}
    return render_template("classrooms/roster_preview.html", **shown, was_refused=status != 200), status


def _confirm(classroom: ClassroomRecord, rows: list[RosterRow]) -> View:
    try:
        return _cards(classroom, add_students(classroom.id, rows), are_new=True)
    except RosterHasProblems as refusal:
        return _preview(classroom, rows, refusal.status)


def _cards(classroom: ClassroomRecord, cards: list[Card], are_new: bool) -> View:
    return render_template("classrooms/cards.html", classroom=classroom, cards=cards, are_new=are_new)


@blueprint.get("/students")
@login_required
def students(public_id: str) -> View:
    classroom = classroom_for(public_id, current_user.id, Role.ASSISTANT)
    return render_template("classrooms/students.html", classroom=classroom, students=students_of(classroom.id))


@blueprint.post("/students/passwords")
@login_required
def new_passwords(public_id: str) -> View:
    """For the students chosen; it is how a forgotten password is replaced, and how lost cards are printed again."""
    classroom = classroom_for(public_id, current_user.id, Role.ASSISTANT)
    return _cards(classroom, reset_passwords(classroom.id, _chosen()), are_new=False)


def _chosen() -> set[int]:
    """Whom the form names."""
    chosen = {int(one) for one in request.form.getlist("student") if one.isascii() and one.isdigit() and len(one) < 10}
    if not 0 < len(chosen) <= MOST_CHOSEN:
        raise BadRequest("No student is chosen. Go back, tick at least one, and press the button again.")
    return chosen
