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
    time = now()
    is_open = (one.enters_from or time) <= time <= (one.enters_until or time)
    may_enter = one.kind == CompetitionKind.PEOPLE or one.classroom_allows_agents
    return bool(one.state == State.PLAYING or (one.state == State.ENTERING and is_open and may_enter and not one.mine))


def _invitation(one: Any) -> Invitation:
    page = ("competitions.show", one.public_id)
    if one.state == State.ENTERING:
        to_whom = " to your agents" if one.kind == CompetitionKind.AGENTS else ""
        return Invitation(f"{one.name} is open{to_whom}.", "Enter", *page)
    words = f"{one.name} is being played."
    if one.my_game:
        return Invitation(words, "Play", "games.show", one.my_game)
    if not one.mine:
        return Invitation(words, "Watch", *page)
    if one.kind == CompetitionKind.AGENTS:  # they have no rounds
        return Invitation(words, "See the table", *page)
    this_round = "Your game of this round is over." if one.had_game else "You sit out this round."
    return Invitation(words, "See the table", *page, more=this_round)
