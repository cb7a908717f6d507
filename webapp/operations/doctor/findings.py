"""What the doctor finds: a sentence, and how much it matters. Standard library only."""

from collections.abc import Iterable
from enum import StrEnum
from functools import partial
from typing import NamedTuple


class Weight(StrEnum):
    GOOD = "Good"
    CONSIDER = "Consider"
    MEND = "Mend"


class Finding(NamedTuple):
    weight: Weight
    sentence: str

    def __str__(self) -> str:
        return f"{self.weight}: {self.sentence}"


good, consider, mend = (partial(Finding, weight) for weight in Weight)
Findings = Iterable[Finding]
