"""What students have done, for those who teach them: the table, its files, one student, common mistakes; and the
leaderboard, for the whole class.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_login import current_user

from webapp.accounts.access import account_required
from webapp.classrooms import corrections, forms, mistakes, results_files, term_files
from webapp.classrooms import end_of_term as ending
from webapp.classrooms.leaderboard import ranked, show_on_leaderboard
from webapp.classrooms.loading import in_use, loaded
from webapp.classrooms.queries import ClassroomRecord
from webapp.classrooms.results import (
    IN_A_GAME,
    KINDS,
    SORTS,
    TITLES,
    Period,
    Results,
    StudentResults,
    last_lesson,
    period_named,
    results_of,
    results_of_student,
)
from webapp.classrooms.roles import Role
from webapp.classrooms.students import removed_students
from webapp.errors import BadRequest, NotThere
from webapp.games.boards import BoardView, board_view
from webapp.games.forms import PUBLIC_ID
from webapp.tictactoe import Position, replay
from webapp.trials.queries import CLAIM, checks_of

blueprint = Blueprint("results", __name__, url_prefix="/classrooms/<public_id>")
back = account_required("classrooms.show/{public_id}")


def _staff_classroom(public_id: str) -> ClassroomRecord:
    return loaded(public_id, Role.ASSISTANT)


def _period() -> Period:
    return period_named(request.args.get("period", ""))


def _sort() -> str:
    asked = request.args.get("sort", "name")
    return asked if asked in SORTS else "name"


def _results(classroom: ClassroomRecord) -> Results:
    return results_of(classroom.id, _period()).chosen(request.args.get("section", ""), _sort())


@blueprint.get("/results")
@back
def show(public_id: str) -> str:
    classroom = _staff_classroom(public_id)
    return render_template(
        "classrooms/results.html", classroom=classroom, results=_results(classroom), sort=_sort(), titles=TITLES
    )


@blueprint.get("/results.csv")
@back
def csv(public_id: str) -> Response:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    return _file(results_files.as_csv(_results(classroom)), "text/csv; charset=utf-8", classroom, "results.csv")


@blueprint.get("/results.xlsx")
@back
def xlsx(public_id: str) -> Response:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    content = results_files.as_xlsx(_results(classroom), classroom.name)
    return _file(content, results_files.XLSX, classroom, "results.xlsx")


def _file(content: bytes | Iterable[bytes], kind: str, classroom: ClassroomRecord, name: str) -> Response:
    named = results_files.file_name(classroom.name, name)
    return Response(content, content_type=kind, headers={"Content-Disposition": f"attachment; filename={named}"})


@blueprint.get("/students/<name>")
@back
def student(public_id: str, name: str) -> str:
    classroom = _staff_classroom(public_id)
    return _student_page(classroom, _student(classroom, name))


@blueprint.post("/students/<name>")
@back
def correct(public_id: str, name: str) -> Any:
    """What the roster says of a student."""
    classroom = in_use(public_id, Role.INSTRUCTOR)
    found = _student(classroom, name)
    changed = forms.changed_texts(corrections.FIELDS)
    try:
        if changed:
            corrections.correct(classroom, found.user_id, changed)
    except corrections.BadCorrection as refusal:
        return _student_page(classroom, found, wrong=refusal.problems), refusal.status
    flash("The roster is corrected." if changed else "Nothing was changed.", "notice")
    return redirect(url_for("results.student", public_id=public_id, name=found.name), 303)


def _student(classroom: ClassroomRecord, name: str) -> StudentResults:
    found = results_of_student(classroom.id, name)
    if found is None:
        refusal = NotThere(
            "There is no student with this name in the classroom now. Students shows all, and who was removed."
        )
        refusal.way_back = "To the students", url_for("rosters.students", public_id=classroom.public_id)
        raise refusal
    return found


def _student_page(classroom: ClassroomRecord, found: StudentResults, wrong: Mapping[str, str] | None = None) -> str:
    """With what was typed, if something is wrong with it."""
    before = request.args.get("before")
    if before is not None and not PUBLIC_ID.match(before):
        raise BadRequest("This link does not lead to any of the games. Begin with the newest ones.")
    games, has_older = mistakes.games_of_student(classroom.id, found.user_id, before)
    sent = request.form if wrong else {}
    shown = {name: getattr(found, name) for name in corrections.FIELDS}
    roster = {name: (sent.get(name, text), sent.get(f"shown_{name}", text)) for name, text in shown.items()}
    return render_template(
        "classrooms/student.html", classroom=classroom, student=found, games=games, has_older=has_older,
        has_newer=before is not None, titles=TITLES, in_a_game=IN_A_GAME, kinds=KINDS, roster=roster, wrong=wrong or {},
        last_board=_last_board, before=_before, checks=checks_of([found.user_id]).get(found.user_id, []), claim=CLAIM,
    )  # fmt: skip


def _last_board(game: mistakes.StudentGame) -> BoardView:
    return board_view(replay(game.cells, game.board), last=game.cells[-1] if game.cells else None)


def _before(game: mistakes.StudentGame, ply: int) -> Position:
    return replay(game.cells[:ply], game.board)


@blueprint.get("/mistakes")
@back
def common(public_id: str) -> str:
    classroom = _staff_classroom(public_id)
    found, lesson = mistakes.common_mistakes(classroom.id, _period()), last_lesson(classroom.id)
    return render_template(
        "classrooms/mistakes.html", classroom=classroom, mistakes=found, period=_period(), lesson=lesson,
        board=board_view,
    )  # fmt: skip


@blueprint.get("/leaderboard")
@back
def leaderboard(public_id: str) -> str:
    """User names only: the whole class sees it."""
    classroom = loaded(public_id)
    results = results_of(classroom.id, _period(), with_practice=False)
    students = results.students if classroom.has_leaderboard else []
    me = next((student for student in students if student.user_id == current_user.id), None)
    return render_template(
        "classrooms/leaderboard.html", classroom=classroom, places=ranked(students), me=me, period=_period(),
        lesson=results.lesson,
    )  # fmt: skip


@blueprint.post("/leaderboard")
@back
def choose_leaderboard(public_id: str) -> Any:
    classroom = loaded(public_id)
    shown = request.form.get("shown") == "yes"
    show_on_leaderboard(classroom.id, current_user.id, shown)
    flash("You are on the leaderboard again." if shown else "You are not on the leaderboard any more.", "notice")
    return redirect(url_for("results.leaderboard", public_id=public_id), 303)


@blueprint.get("/end-of-term")
@back
def end_of_term(public_id: str) -> str:
    return _end_page(loaded(public_id, Role.INSTRUCTOR))


def _end_page(classroom: ClassroomRecord, sentence: str | None = None) -> str:
    to_close = len(ending.accounts_to_close(classroom.id))
    counts = {"students": ending.students_in(classroom.id), "removed": len(removed_students(classroom.id))}
    return render_template(
        "classrooms/end_of_term.html", classroom=classroom, to_close=to_close, **counts, sentence=sentence
    )


@blueprint.get("/everything.zip")
@back
def everything(public_id: str) -> Response:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    file = term_files.term_archive(classroom)
    return _file(term_files.pieces(file), "application/zip", classroom, "everything.zip")


@blueprint.post("/anonymise")
@back
def anonymise(public_id: str) -> Any:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    ending.anonymise(classroom.id)
    flash(f"The names are gone from {classroom.name}, and it is archived.", "notice")
    return redirect(url_for("classrooms.show", public_id=public_id), 303)


@blueprint.post("/delete")
@back
def delete(public_id: str) -> Any:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    try:
        ending.delete_classroom(classroom.id, request.form.get("name", ""))
    except ending.NotItsName as refusal:
        return _end_page(classroom, refusal.sentence), refusal.status
    flash(f"{classroom.name} is deleted.", "notice")
    return redirect(url_for("classrooms.all"), 303)
