"""What the roster says of a student, put right by an instructor. Knows no Flask request."""

from collections.abc import Mapping

from sqlalchemy import select, update

from webapp.classrooms.enrolling import check_still, lock_classroom
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT, ClassroomRecord
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import RosterRow
from webapp.classrooms.roster_problems import is_name, problems_of_fields, told_apart
from webapp.database import announce_change, writing
from webapp.errors import NotThere, Refusal

COLUMNS = (Enrolment.real_name, Enrolment.external_id, Enrolment.email, Enrolment.section)
# The name of each column, and of the field of a RosterRow that holds the same.
FIELDS = {"real_name": "name", "external_id": "external_id", "email": "email", "section": "section"}


class BadCorrection(Refusal):
    """`problems` has a sentence for each column that cannot be so."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


def correct(room: ClassroomRecord, user_id: int, changed: Mapping[str, str]) -> None:
    """Only the columns named are written: somebody else may have corrected the others meanwhile."""
    with writing() as connection:
        lock_classroom(connection, room.id)
        check_still(connection, room, Role.INSTRUCTOR)
        here = (Enrolment.classroom_id == room.id, Enrolment.role == Role.STUDENT, IS_PRESENT)
        rows = connection.execute(select(Enrolment.user_id, *COLUMNS).where(*here)).all()
        students = {row.user_id: RosterRow(0, *row[1:]) for row in rows}
        if user_id not in students:
            raise NotThere
        _refuse_problems(students, user_id, changed)
        connection.execute(update(Enrolment).where(*here, Enrolment.user_id == user_id).values(changed))
        announce_change(connection)


def _refuse_problems(students: Mapping[int, RosterRow], user_id: int, changed: Mapping[str, str]) -> None:
    others = [one for other_id, one in students.items() if other_id != user_id]
    row = RosterRow(
        0, **{field: changed.get(name, getattr(students[user_id], field)) for name, field in FIELDS.items()}
    )
    missing = {} if is_name(row.name) else {"name": "The name is missing. Write it in."}
    found = told_apart(row, others) | problems_of_fields(row) | missing
    problems = {name: found[field] for name, field in FIELDS.items() if field in found and name in changed}
    if problems:
        raise BadCorrection(problems)
