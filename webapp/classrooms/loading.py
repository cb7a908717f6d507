"""A classroom for the person of this request, as every page loads it."""

from flask import redirect, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from webapp.classrooms.queries import ClassroomRecord, NoLongerIn, classroom_for
from webapp.classrooms.roles import Role
from webapp.errors import Refusal


class IsArchived(Refusal):
    status = 409
    title = "This classroom is archived"

    def __init__(self, classroom: ClassroomRecord) -> None:
        next_step = "Bring it back first." if classroom.is_instructor else "One of its instructors can bring it back."
        super().__init__(f"This classroom is archived, so nothing was changed. {next_step}")
        self.way_back = to_page_of(classroom)


def to_page_of(classroom: ClassroomRecord) -> tuple[str, str]:
    """The way back of a refusal."""
    return "To the classroom", url_for("classrooms.show", public_id=classroom.public_id)


def loaded(public_id: str, at_least: Role = Role.STUDENT) -> ClassroomRecord:
    """404 for who is not in it, or not enough."""
    try:
        return classroom_for(public_id, current_user.id, at_least)
    except NoLongerIn as refusal:
        refusal.way_back = ("To your classrooms", url_for("classrooms.all"))
        raise


def in_use(public_id: str, at_least: Role) -> ClassroomRecord:
    """The same for what only makes sense in a classroom that is not archived."""
    classroom = loaded(public_id, at_least)
    if classroom.is_archived:
        raise IsArchived(classroom)
    return classroom


def to_classroom(classroom: ClassroomRecord, page: str = "classrooms.show", anchor: str | None = None) -> Response:
    return redirect(url_for(page, public_id=classroom.public_id, _anchor=anchor), 303)
