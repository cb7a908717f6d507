"""What the API may be sent, read strictly: anything else is refused with a sentence. Knows no database."""

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from webapp.errors import BadRequest
from webapp.games.models import CAUSE_LENGTH
from webapp.games.states import WishedMark

LONGEST_WAIT = 25  # seconds
MOST_CLAIMED = 2**31 - 1  # nodes or microseconds: what the column holds
Claimed = Annotated[int, Meta(ge=0)]
Body = TypeVar("Body", bound="Strict")


class Strict(Struct, forbid_unknown_fields=True):
    pass


class Answer(Strict):
    """A move. The cell is judged by the rules of its game; what the agent says of its search is a claim."""

    game: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,16}$")]
    ply: Annotated[int, Meta(ge=0, le=1000)]
    cell: Annotated[int, Meta(ge=-(10**9), le=10**9)]
    nodes: Claimed | None = None
    microseconds: Claimed | None = None


class Next(Strict):
    answer: Answer | None = None
    wait: Annotated[float, Meta(ge=0, le=LONGEST_WAIT)] = LONGEST_WAIT


class NewGame(Strict):
    """`opponent` is a level, or the name of a player or agent."""

    opponent: Annotated[str, Meta(max_length=20)]
    mark: WishedMark = WishedMark.RANDOM


class Resignation(Strict):
    cause: Annotated[str, Meta(max_length=10_000)] | None = None


def read(body: bytes, kind: type[Body]) -> Body:
    if not body.strip():
        raise BadRequest("The body is empty. This address takes a JSON object, such as {}.")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise BadRequest(f"The body is not what this address takes: {error}.") from None
    except msgspec.DecodeError as error:
        raise BadRequest(f"The body is not JSON: {str(error).removeprefix('JSON is malformed: ')}.") from None
    except (UnicodeDecodeError, RecursionError):
        raise BadRequest("The body is not JSON in UTF-8.") from None


def one_line(text: str | None) -> str | None:
    """A program's words for a page: one line, without what cannot be shown, cut where it is too long."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text or "").split())
    return words if len(words) <= CAUSE_LENGTH else f"{words[: CAUSE_LENGTH - 1]}…"
