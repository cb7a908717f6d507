"""Agents for a whole class at once, with tokens for their cards. Knows no Flask request."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from webapp.accounts.locking import lock_users
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.agents.services import JUST_NOW, NewToken, add_agent, write_new_token
from webapp.classrooms.students import Student, students_of
from webapp.classrooms.user_names import new_user_names
from webapp.clock import now
from webapp.database import writing
from webapp.errors import Refusal

TRIES = 5


class AgentCard(NamedTuple):
    """Shown once and kept nowhere."""

    student: Student
    made: NewToken


def make_class_agents(classroom_id: int) -> tuple[list[AgentCard], list[Student]]:
    """One for each student who has none, all or nobody; and the students who have one already. A closed account stays
    closed: a token would open it.
    """
    students = [student for student in students_of(classroom_id) if not student.is_closed]
    for _ in range(TRIES):
        names = new_user_names(len(students))
        try:
            with writing() as connection:
                return _make(connection, students, names)
        except IntegrityError:  # one of the names is taken
            continue
    raise Refusal("No free names were found. Try again.")


def _make(
    connection: Connection, students: Sequence[Student], names: Sequence[str]
) -> tuple[list[AgentCard], list[Student]]:
    cards, others = [], []
    for student, name in sorted(zip(students, names, strict=True), key=lambda pair: pair[0].user_id):
        if not lock_users(connection, {student.user_id}):
            continue
        agents = connection.execute(_agents(student.user_id)).all()
        if not agents:
            cards.append(AgentCard(student, add_agent(connection, student.user_id, name, for_class=True)))
        elif len(agents) == 1 and _was_pressed_twice(agents[0]):
            cards.append(AgentCard(student, write_new_token(connection, agents[0].user_id, agents[0].name)))
        else:
            others.append(student)
    return sorted(cards, key=lambda card: (card.student.real_name or card.student.name).casefold()), others


def _was_pressed_twice(agent: Any) -> bool:
    """Then the first page with the tokens was never seen. A student's own agent is nobody else's to renew."""
    return agent.for_class and agent.last_seen_at is None and agent.created_at > now() - JUST_NOW


def _agents(owner_id: int):  # type: ignore[no-untyped-def]  # a select of the agents that are there
    columns = (Agent.user_id, User.name, Agent.created_at, Agent.last_seen_at, Agent.for_class)
    return select(*columns).join(User, User.id == Agent.user_id).where(Agent.owner_id == owner_id)
