"""What a class may take part in, for the top of its page. Classrooms know none of it: a higher package hands a function
to create_app, which is given the classroom as its member sees it.
"""

from collections.abc import Callable
from typing import NamedTuple

from flask import current_app

from webapp.classrooms.queries import ClassroomRecord

INVITATIONS = "noughts_invitations"


class Invitation(NamedTuple):
    """A sentence, and the link that follows it: to a page that has a public id. What `more` says comes quietly."""

    words: str
    link_words: str
    endpoint: str
    public_id: str
    more: str = ""


def invitations(classroom: ClassroomRecord) -> list[Invitation]:
    found: list[Callable[[ClassroomRecord], list[Invitation]]] = current_app.extensions.get(INVITATIONS, [])
    return [invitation for invite in found for invitation in invite(classroom)]
