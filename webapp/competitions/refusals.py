"""The ways in which a competition says no. Standard library only."""

from webapp.errors import BadRequest, Refusal


class EntriesClosed(Refusal):
    status = 409
    title = "Entries are closed"


class TooLate(EntriesClosed):
    title = "Too late"

    def __init__(self) -> None:
        super().__init__("This competition has started or is over, so nothing was changed.")


class NotOpenYet(EntriesClosed):
    def __init__(self, when: str) -> None:
        super().__init__(f"Entries are not open yet. They open {when}.")


class ClassroomIsArchived(EntriesClosed):
    title = "This classroom is archived"

    def __init__(self) -> None:
        super().__init__(
            "The classroom of this competition is archived, so nothing was changed. "
            "One of its instructors can bring it back."
        )


class NotForYou(EntriesClosed):
    title = "Not open to you"

    def __init__(self, sentence: str = "Only the students of its classroom can enter this competition.") -> None:
        super().__init__(sentence)


class BadCompetition(BadRequest):
    """A form with something in it that no competition can have."""
