"""What students kept of checks in their browsers. Each is a claim of the student, and is to be shown as one."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from webapp.database import reading
from webapp.labs.checker.labs import LABS
from webapp.labs.checker.mistakes import MISTAKES
from webapp.trials.models import SelfCheck

CLAIM = "checked by myself, in the browser"


@dataclass(frozen=True)
class KeptCheck:
    lab: str
    passed: int
    tests: int
    wrong: str
    mistake: str
    checked_at: datetime

    @property
    def title(self) -> str:
        return LABS[self.lab].title

    @property
    def is_right(self) -> bool:
        return self.passed == self.tests

    @property
    def mistake_name(self) -> str:
        return MISTAKES[self.mistake].name if self.mistake in MISTAKES else ""


def checks_of(user_ids: Collection[int]) -> dict[int, list[KeptCheck]]:
    """By user, in the order of the labs. For a class as for one student: one statement."""
    found: dict[int, list[KeptCheck]] = defaultdict(list)
    with reading() as connection:
        for row in connection.execute(select(SelfCheck.__table__).where(SelfCheck.user_id.in_(user_ids))).mappings():
            told = dict(row)
            found[told.pop("user_id")].append(KeptCheck(**told))
    order = list(LABS)
    return {user_id: sorted(kept, key=lambda one: order.index(one.lab)) for user_id, kept in found.items()}
