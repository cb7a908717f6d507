"""The grades that an instructor makes of results, shown first, and then as files for a gradebook."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, render_template, request

from webapp.accounts.access import account_required
from webapp.classrooms.grades import COUNTS, DEFAULTS, FILES, LONGEST_TITLE, BadScheme, Scheme, lacking, scheme_of
from webapp.classrooms.loading import loaded
from webapp.classrooms.queries import ClassroomRecord
from webapp.classrooms.results import Results, period_named, results_of
from webapp.classrooms.results_files import file_name
from webapp.classrooms.roles import Role
from webapp.errors import NotThere

blueprint = Blueprint("grades", __name__, url_prefix="/classrooms/<public_id>")
back = account_required("classrooms.show/{public_id}")


@blueprint.get("/grades")
@back
def show(public_id: str) -> Any:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    try:
        return _page(classroom, scheme_of(_typed()))
    except BadScheme as refusal:
        return _page(classroom, None, refusal.problems), refusal.status


@blueprint.get("/grades/<system>.csv")
@back
def file(public_id: str, system: str) -> Any:
    classroom = loaded(public_id, Role.INSTRUCTOR)
    if system not in FILES:
        raise NotThere
    try:
        scheme = scheme_of(_typed())
    except BadScheme as refusal:
        return _page(classroom, None, refusal.problems), refusal.status
    content = FILES[system](_results(classroom).students, scheme)
    named = f"attachment; filename={file_name(classroom.name, f'grades-{system}.csv')}"
    return Response(content, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": named})


def _typed() -> dict[str, str]:
    return {name: request.args.get(name, default).strip() for name, default in DEFAULTS.items()}


def _results(classroom: ClassroomRecord) -> Results:
    asked = request.args
    return results_of(classroom.id, period_named(asked.get("period", ""))).chosen(asked.get("section", ""))


def _page(classroom: ClassroomRecord, scheme: Scheme | None, wrong: Mapping[str, str] | None = None) -> str:
    results = _results(classroom)
    return render_template(
        "classrooms/grades.html", classroom=classroom, results=results, scheme=scheme, typed=_typed(),
        lacking=lacking(results.students), wrong=wrong or {}, counts=COUNTS, longest=LONGEST_TITLE,
    )  # fmt: skip
