"""The competitions of a classroom that its students are told of on its page: open, or being played. Read only."""

from typing import Any

from webapp.classrooms.invitations import Invitation
from webapp.classrooms.queries import ClassroomRecord
from webapp.clock import now
from webapp.competitions.queries import competitions_seen_by
from webapp.competitions.records import Viewer
from webapp.competitions.states import CompetitionKind, State


def competitions_to_enter(classroom: ClassroomRecord) -> list[Invitation]:
    """One statement."""
    found = competitions_seen_by(Viewer(classroom.user_id), classroom.id) if not classroom.is_archived else []
    return [_invitation(one) for one in found if _concerns(one)]


def _concerns(one: Any) -> bool:
    has_opened = one.enters_from is None or one.enters_from <= now()
    return bool(one.state == State.PLAYING or (one.state == State.ENTERING and has_opened and not one.mine))


def _invitation(one: Any) -> Invitation:
    is_open, of_agents = one.state == State.ENTERING, one.kind == CompetitionKind.AGENTS
    state = "being played" if not is_open else "open to your agents" if of_agents else "open"
    link_words = "Enter" if is_open else "Play" if one.mine and not of_agents else "Watch"
    return Invitation(f"{one.name} is {state}.", link_words, "competitions.show", one.public_id)
