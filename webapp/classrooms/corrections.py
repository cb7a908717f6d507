"""What the roster says of students, put right by an instructor, or filled in from a later list."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, update

from webapp.classrooms.completing import FILLED, Completion, matches
from webapp.classrooms.enrolling import check_still, lock_classroom
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT, ClassroomRecord
from webapp.classrooms.roles import Role
from webapp.classrooms.roster import RosterRow
from webapp.classrooms.roster_problems import is_name, problems_of_fields, told_apart
from webapp.classrooms.students import roster_of
from webapp.database import announce_change, writing
from webapp.errors import NotThere, Refusal

# The name of each column, and of the field of a RosterRow that holds the same.
FIELDS = {"real_name": "name", "external_id": "external_id", "email": "email", "section": "section"}


class BadCorrection(Refusal):
    """`problems` has a sentence for each column that cannot be so."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


def correct(classroom: ClassroomRecord, user_id: int, changed: Mapping[str, str]) -> None:
    """Only the columns named are written: somebody else may have corrected the others meanwhile."""
    with writing() as connection:
        lock_classroom(connection, classroom.id)
        check_still(connection, classroom, Role.INSTRUCTOR)
        students = roster_of(connection, classroom.id)
        if user_id not in students:
            raise NotThere
        _refuse_problems(students, user_id, changed)
        stay = (Enrolment.classroom_id == classroom.id, Enrolment.user_id == user_id, IS_PRESENT)
        connection.execute(update(Enrolment).where(*stay).values(changed))
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


class RosterChanged(Refusal):
    """Of a line that was about one student for sure it is not so any more."""

    status = 409


def complete(classroom: ClassroomRecord, rows: Sequence[RosterRow]) -> None:
    """What these lines know of students here, and the roster does not."""
    with writing() as connection:
        lock_classroom(connection, classroom.id)
        check_still(connection, classroom, Role.INSTRUCTOR)
        complete_within(connection, classroom.id, rows)
        announce_change(connection)


def complete_within(connection: Connection, classroom_id: int, rows: Sequence[RosterRow]) -> None:
    """With the classroom locked. Done a second time, it changes nothing."""
    students = roster_of(connection, classroom_id)
    found = matches(rows, students)
    if found.unsure or any(map(problems_of_fields, rows)):
        raise RosterChanged("Nothing was saved, because the students of this classroom are others than a moment ago.")
    stay = (Enrolment.classroom_id == classroom_id, Enrolment.user_id == bindparam("of_user"), IS_PRESENT)
    filled = [_filled(one, students[one.user_id]) for one in found.sure if one.fills]
    if filled:
        columns: dict[str, Any] = {name: bindparam(f"new_{name}") for name in FILLED}
        connection.execute(update(Enrolment).where(*stay).values(columns), filled)


def _filled(one: Completion, known: RosterRow) -> dict[str, str | int]:
    texts = {f"new_{name}": one.fills.get(name, getattr(known, name)) for name in FILLED}
    return {"of_user": one.user_id, **texts}
