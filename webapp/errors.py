"""Refusals: every way of saying no, each with the sentence that the person reads. Standard library only."""

from collections.abc import Sequence

NOT_FOUND = "This page does not exist, or you are not allowed to see it. Check the address."


class Refusal(Exception):
    """Something that was asked for and is not done; nothing has changed."""

    status = 400
    title = "That did not work"
    retry_after: int | None = None  # seconds, where waiting helps
    way_back: tuple[str, str] | None = None  # the words and the address of a link, where the view knows a page to go to

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


    @property
    def parts(self) -> Sequence["Refusal"]:
        """What is wrong, one by one."""
        return [self]


class SeveralRefusals(Refusal):
    """More than one thing is wrong with a form."""

    def __init__(self, parts: Sequence[Refusal]) -> None:
        super().__init__(" ".join(part.sentence for part in parts))
        self._parts = parts

    @property
    def parts(self) -> Sequence[Refusal]:
        return self._parts


class NotThere(Refusal):
    """Not there, or not yours: the two are told alike, so that nobody can probe."""

    status = 404
    title = "Not found"

    def __init__(self, sentence: str = NOT_FOUND) -> None:
        super().__init__(sentence)


class BadRequest(Refusal):
    """A request that no page of ours sends."""


class TooMany(Refusal):
    """A limit was reached; it lifts by itself after `retry_after` seconds."""

    status = 429
    title = "Too many tries"

    def __init__(self, sentence: str, retry_after: int) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after
