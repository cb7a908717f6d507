"""What somebody is in a classroom. Standard library only."""

from enum import StrEnum


class Role(StrEnum):
    """From least to most: each may do what those before it may."""

    STUDENT = "student"
    ASSISTANT = "assistant"  # sees and resets; does not remove, export or delete
    INSTRUCTOR = "instructor"

    @property
    def and_above(self) -> tuple["Role", ...]:
        roles = tuple(Role)
        return roles[roles.index(self) :]

    @property
    def is_staff(self) -> bool:
        return self is not Role.STUDENT
