"""What a name may be. Standard library only."""

import re
import unicodedata

from webapp.errors import Refusal

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}\Z")
RESERVED = frozenset({
    "admin", "administrator", "anonymous", "anyone", "api", "beginner", "casual", "computer", "deleted",
    "everyone", "guest", "help", "host", "instructor", "lobby", "lookahead", "me", "minimax", "moderator", "nobody",
    "noughts", "null", "perfect", "player", "players", "root", "somebody", "staff", "student", "support", "system",
    "teacher", "undefined", "user", "you",
})  # fmt: skip


class BadName(Refusal):
    """A name that nobody can have."""


class NameTaken(Refusal):
    """A name that somebody has, or had."""

    status = 409

    def __init__(self) -> None:
        super().__init__("This name is taken. Choose another one.")


def check_name(name: str) -> None:
    if not 3 <= len(name) <= 20:
        raise BadName("A name has 3 to 20 characters. Choose another one.")
    if not NAME.match(name):
        made_of = "A name is made of letters a to z, digits, - and _, and begins with a letter or digit."
        raise BadName(made_of + (_without_spaces(name) if " " in name else ""))
    if name.lower() in RESERVED:
        raise BadName("This name is reserved. Choose another one.")


def _without_spaces(name: str) -> str:
    """With an example made from what was typed, if that gives a name that somebody can have."""
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    example = re.sub("[^a-z0-9_]+", "-", plain).strip("-_")
    can_be_had = NAME.match(example) and example not in RESERVED
    return f" No spaces: for example {example}." if can_be_had else " No spaces."
