"""Agents for a whole class at once, with tokens for their cards. Knows no Flask request."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.agents.models import Agent
from webapp.agents.services import NewToken, add_agent, agents_with_tokens, made_just_now
from webapp.classrooms.students import Student, students_of
from webapp.classrooms.user_names import new_user_names
from webapp.database import writing
from webapp.errors import Refusal

TRIES = 5


class AgentCard(NamedTuple):
    """Shown once and kept nowhere."""

    student: Student
    made: NewToken


def make_class_agents(classroom_id: int, form_key: str = "") -> tuple[list[AgentCard], list[Student]]:
    """One for each student who has none, all or nobody; and the students who have one already. A closed account stays
    closed: a token would open it. With the same `form_key`, pressed twice, both pages show the same tokens.
    """
    students = [student for student in students_of(classroom_id) if not student.is_closed]
    for _ in range(TRIES):
        names = new_user_names(len(students))
        try:
            with writing() as connection:
                return _make(connection, students, names, form_key)
        except IntegrityError:  # one of the names is taken
            continue
    raise Refusal("No free names were found. Try again.")


def _make(
    connection: Connection, students: Sequence[Student], names: Sequence[str], form_key: str
) -> tuple[list[AgentCard], list[Student]]:
    cards, others = [], []
    for student, name in sorted(zip(students, names, strict=True), key=lambda pair: pair[0].user_id):
        if not lock_users(connection, {student.user_id}):
            continue
        agents = agents_with_tokens(connection, Agent.owner_id == student.user_id)
        if not agents:
            made = add_agent(connection, student.user_id, name, for_class=True, form_key=form_key)
            cards.append(AgentCard(student, made))
        elif len(agents) == 1 and agents[0].for_class and (again := made_just_now(connection, agents[0], form_key)):
            cards.append(AgentCard(student, again))
        else:
            others.append(student)
    return sorted(cards, key=lambda card: (card.student.real_name or card.student.name).casefold()), others
