"""The pages of a classroom's students: add them, print cards, make codes, remove them, bring them back, move them.

What shows a secret answers a post with 200: it is in no session and no address, and nowhere again.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from webapp.accounts.access import account_required
from webapp.accounts.signing_up import check_passwords_are_on
from webapp.classrooms import forms
from webapp.classrooms.completing import filled_rows, filled_words, without_completions
from webapp.classrooms.corrections import RosterChanged, complete
from webapp.classrooms.lessons import present_lesson
from webapp.classrooms.loading import in_use, loaded
from webapp.classrooms.log_in_codes import make_codes
from webapp.classrooms.moving import bring_back_students, move_students, remove_students
from webapp.classrooms.queries import ClassroomRecord, classrooms_of, counts_of
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import HEADER, RosterRow, left_out, read_roster, repeated, roster_text
from webapp.classrooms.roster_problems import HERE_ALREADY, NO_SEAT, CheckedRow
from webapp.classrooms.roster_text import text_of_file
from webapp.classrooms.sections import of_section, sections_of
from webapp.classrooms.services import change
from webapp.classrooms.student_accounts import (
    Card,
    RosterHasProblems,
    add_students,
    check_resettable,
    password_marks,
    reset_passwords,
)
from webapp.classrooms.students import Student, checked_rows, removed_students, roster_of, students_of
from webapp.database import reading
from webapp.errors import BadRequest, Refusal
from webapp.row_ids import ids_among

blueprint = Blueprint("rosters", __name__, url_prefix="/classrooms/<public_id>")


class CardKind(StrEnum):
    NEW = "new"  # accounts
    RESET = "reset"  # passwords of accounts that were there
    CODES = "codes"  # in place of passwords


View = str | Response | tuple[str, int]
MOST_CHOSEN = 1000
THIS = "rosters.students/{public_id}"
LEFT = "They are out of this classroom's competitions too: a game in play there is lost."


class NobodyChosen(BadRequest):
    def __init__(self) -> None:
        super().__init__("No student is ticked, so nothing was changed. Tick at least one, and press the button again.")


class PasswordsChanged(Refusal):
    status = 409
    title = "No new password"

    def __init__(self, classroom: ClassroomRecord) -> None:
        super().__init__(
            "Nothing was changed: a password was changed after this form was opened, so the newest cards and passwords "
            "still work. If another one is needed, open Students and make it there."
        )
        self.way_back = "To the students", url_for("rosters.students", public_id=classroom.public_id)


@blueprint.errorhandler(NobodyChosen)
def nobody_chosen(refusal: NobodyChosen) -> Response:
    """Back to the list, where a tick puts it right."""
    flash(refusal.sentence, "error")
    return _to_students(**request.view_args or {})


@blueprint.route("/roster", methods=["GET", "POST"])
@account_required("rosters.add/{public_id}")
def add(public_id: str) -> View:
    classroom = in_use(public_id, Role.INSTRUCTOR)
    if request.method != "POST":  # HEAD asks for a page too
        return _add_page(classroom)
    check_passwords_are_on()
    is_confirmed = request.form.get("confirm") == "yes"
    try:
        text = _text_sent()
        completing = read_roster(_completing_sent()) if is_confirmed else []
        rows = [] if completing and not text.strip() else _rows_in(text)
    except Refusal as refusal:
        where = "wrong_file" if "file" in request.files else "wrong_names"
        return _add_page(classroom, **{where: refusal.sentence}), refusal.status
    if is_confirmed and "seats" in request.form:
        change(classroom, seat_limit=max(classroom.seat_limit, forms.seats(request.form["seats"])))
        classroom = in_use(public_id, Role.INSTRUCTOR)
    if is_confirmed:
        return _confirm(classroom, rows, completing)
    return _preview(classroom, rows, left_out=left_out(text), repeated=repeated(text))


def _text_sent() -> str:
    file = request.files.get("file")
    return text_of_file(file.read()) if file and file.filename else request.form.get("names", "")


def _completing_sent() -> str:
    """The lines of a list that know more of students who are here already."""
    return request.form.get("completing", "") if request.form.get("complete") == "yes" else ""


def _rows_in(text: str) -> list[RosterRow]:
    rows = read_roster(text)
    if not rows:
        raise BadRequest("There is no name in it. Write one name a line, or choose a file with names.")
    return rows


def _add_page(classroom: ClassroomRecord, **wrong: str) -> str:
    """With what was typed, and what is wrong where it was sent from."""
    shown: dict[str, Any] = {"classroom": classroom, "students": students_of(classroom.id)}
    return render_template("classrooms/add_students.html", **shown, names=request.form.get("names", ""), **wrong)


def _preview(
    classroom: ClassroomRecord, rows: list[RosterRow], status: int = 200, **not_taken: str | list[str]
) -> View:
    """Nothing is written: the page hands the list on to the confirmation. Lines are numbered as in the box to correct
    them in: a file may have empty ones besides.
    """
    names = roster_text(rows)
    has_titles = names.startswith("\t".join(HEADER))
    rows = [replace(row, line=number) for number, row in enumerate(rows, 1 + has_titles)]
    with reading() as connection:
        found = checked_rows(connection, classroom.id, rows)
        here = roster_of(connection, classroom.id)
    completions, found = without_completions(found, here)
    good = [one for one in found if not one.problem]
    seatless = [one for one in found if one.problem == NO_SEAT]
    known = [one for one in found if one.problem == HERE_ALREADY]
    wrong = [one for one in found if one.problem not in ("", NO_SEAT, HERE_ALREADY)]
    texts = {"names": names, "has_titles": has_titles, "good_names": roster_text([one.row for one in good])}
    shown: dict[str, Any] = {"classroom": classroom, "wrong": wrong, "good": good, "known": known, **not_taken, **texts}
    if completions:
        completing = roster_text([one.row for one in completions])
        shown |= {"completions": filled_rows(completions, here), "completing": completing}
        shown |= {"filled_words": filled_words(completions)}
    if seatless:
        shown |= _without_seats(classroom, good, seatless)
    return render_template("classrooms/roster_preview.html", **shown, was_refused=status != 200), status


def _without_seats(classroom: ClassroomRecord, good: list[CheckedRow], seatless: list[CheckedRow]) -> dict[str, Any]:
    """Said once for all of them, with the number of seats that lets them in, if a classroom can have so many."""
    rows = [one.row for one in (*good, *seatless)]
    wanted = counts_of([classroom.id]).get(classroom.id, 0) + len(rows)
    can_be = wanted <= forms.MOST_SEATS
    return {"seatless": seatless, "wanted": wanted, "can_be": can_be, "all_names": roster_text(rows)}


def _confirm(classroom: ClassroomRecord, rows: list[RosterRow], completing: list[RosterRow]) -> View:
    try:
        if not rows:
            complete(classroom, completing)
            flash(f"The roster knows more of {_counted(len(completing))} now.", "notice")
            return _to_students(classroom.public_id)
        return _cards(classroom, add_students(classroom, rows, completing), CardKind.NEW, completed=len(completing))
    except (RosterHasProblems, RosterChanged) as refusal:
        return _preview(classroom, [*rows, *completing], refusal.status, refused=refusal.sentence)


def _cards(
    classroom: ClassroomRecord, cards: list[Card], kind: CardKind, without: Sequence[Student] = (), completed: int = 0
) -> View:
    """`without` are the students who got none; of as many as `completed` the roster knows more now."""
    shown = {"classroom": classroom, "lesson": present_lesson(classroom.id), "without": without, "completed": completed}
    return render_template("classrooms/cards.html", cards=cards, kind=kind, **shown)


@blueprint.get("/students")
@account_required(THIS)
def students(public_id: str) -> View:
    classroom = loaded(public_id, Role.ASSISTANT)
    others = [one for one in classrooms_of(current_user.id) if one.is_instructor and one.id != classroom.id]
    all_here = students_of(classroom.id)
    sections, section = sections_of(all_here), request.args.get("section", "")
    section = section if section in sections else ""
    here = of_section(all_here, section)
    marks = password_marks([student.user_id for student in here if student.can_be_reset])
    shown: dict[str, Any] = {"students": here, "removed": removed_students(classroom.id), "marks": marks}
    shown |= {"sections": sections, "section": section}
    return render_template("classrooms/students.html", classroom=classroom, others=others, **shown)


@blueprint.post("/students/passwords")
@account_required(THIS)
def new_passwords(public_id: str) -> View:
    """For the students chosen; it is how a forgotten password is replaced, and how lost cards are printed again. For
    several it asks once more.
    """
    classroom = loaded(public_id, Role.ASSISTANT)
    check_passwords_are_on()
    with_reset = [student for student in students_of(classroom.id) if student.can_be_reset]
    chosen = _chosen(with_reset)
    if len(chosen) > 1 and request.form.get("confirm") != "yes":
        check_resettable(classroom.id, chosen)
        shown = {"chosen": sorted(chosen), "marks": password_marks(chosen), "section": request.form.get("section")}
        return render_template("classrooms/new_passwords.html", classroom=classroom, **shown)
    _refuse_sent_again(classroom, chosen)
    return _cards(classroom, reset_passwords(classroom, chosen), CardKind.RESET)


def _refuse_sent_again(classroom: ClassroomRecord, chosen: set[int]) -> None:
    """Two presses at once both pass, and the later one's passwords are good. Each form of our pages has marks."""
    seen = request.form.get("marks", "")
    if seen and not set(password_marks(chosen)) <= set(seen.split()):
        raise PasswordsChanged(classroom)


@blueprint.post("/log-in-codes")
@account_required(THIS)
def new_codes(public_id: str) -> View:
    """Who made their account themselves has a password of their own, which nobody in the class may go round."""
    classroom = in_use(public_id, Role.ASSISTANT)
    check_passwords_are_on()
    cards = make_codes(classroom.id)
    with_code = {card.name for card in cards}
    without = [student for student in students_of(classroom.id) if student.name not in with_code]
    return _cards(classroom, cards, CardKind.CODES, without)


@blueprint.post("/students/remove")
@account_required(THIS)
def remove(public_id: str) -> View:
    """Several are asked about once more; who has left meanwhile does not count among them."""
    classroom = loaded(public_id, Role.INSTRUCTOR)
    here = students_of(classroom.id)
    user_ids = _chosen(here)
    chosen = [student for student in here if student.user_id in user_ids]
    if len(chosen) > 1 and request.form.get("confirm") != "yes":
        shown = {"chosen": chosen, "left": LEFT, "section": request.form.get("section")}
        return render_template("classrooms/remove_students.html", classroom=classroom, **shown)
    count = remove_students(classroom.id, user_ids)
    back = "" if classroom.is_archived else ", and you can bring them back below"
    again = " With the join code they can join again: make a new one to prevent it." if classroom.join_is_open else ""
    after = f" {LEFT} Their accounts and games stay{back}.{again}" if count else ""
    flash(f"{_students(count)} removed.{after}", "notice")
    return _to_students(classroom.public_id)


@blueprint.post("/students/bring-back")
@account_required(THIS)
def bring_back(public_id: str) -> View:
    classroom = in_use(public_id, Role.INSTRUCTOR)
    count = bring_back_students(classroom.id, _chosen(removed_students(classroom.id)))
    flash(f"{_students(count)} brought back.", "notice")
    return _to_students(classroom.public_id)


@blueprint.post("/students/move")
@account_required(THIS)
def move(public_id: str) -> View:
    """To another classroom of the same instructor."""
    classroom = loaded(public_id, Role.INSTRUCTOR)
    to = in_use(request.form.get("to", ""), Role.INSTRUCTOR)
    count = move_students(classroom.id, to.id, _chosen(students_of(classroom.id)))
    flash(f"{_students(count)} moved to {to.name}.{f' {LEFT}' if count else ''}", "notice")
    return _to_students(classroom.public_id)


def _students(count: int) -> str:
    """Nobody, where the press came from a page of before."""
    return f"{count or 'No'} student{'s were' if count > 1 else ' was'}"


def _counted(count: int) -> str:
    return f"{count} student{'' if count == 1 else 's'}"


def _to_students(public_id: str) -> Response:
    """To those of the section that the form showed, if it showed one."""
    section = request.form.get("section") or None
    return redirect(url_for("rosters.students", public_id=public_id, section=section), 303)


def _chosen(students: list[Student]) -> set[int]:
    """Whom the form names: one by the button beside them, else those who are ticked, else all of these: of the section
    that the form showed, if it showed one.
    """
    ticked = [request.form["only"]] if "only" in request.form else request.form.getlist("student")
    if "all" in ticked:
        return {student.user_id for student in of_section(students, request.form.get("section", ""))}
    chosen = ids_among(ticked)
    if not 0 < len(chosen) <= MOST_CHOSEN:
        raise NobodyChosen
    return chosen
