"""The sections of a class, and the students of one of them. Standard library only."""

from collections.abc import Iterable
from typing import Protocol, TypeVar


class HasSection(Protocol):
    @property
    def section(self) -> str: ...


Student = TypeVar("Student", bound=HasSection)


def sections_of(students: Iterable[HasSection]) -> list[str]:
    return sorted({student.section for student in students if student.section}, key=str.casefold)


def of_section(students: Iterable[Student], section: str) -> list[Student]:
    """All of them without a section."""
    return [student for student in students if section in ("", student.section)]
