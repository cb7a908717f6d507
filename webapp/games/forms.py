"""What the forms of games may send, read strictly: anything that no page of ours sends is refused."""

import re

from werkzeug.datastructures import MultiDict

from webapp.errors import BadRequest
from webapp.tictactoe import LEVELS, Mark

NUMBER = re.compile(r"[0-9]{1,3}\Z")
PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{12}\Z")


def number(form: MultiDict[str, str], name: str) -> int:
    values = form.getlist(name)
    if len(values) != 1 or not NUMBER.match(values[0]):
        raise BadRequest(f"The form came with a {name} that no page of ours sends. Go back and choose a cell again.")
    return int(values[0])


def optional_number(form: MultiDict[str, str], name: str) -> int | None:
    return number(form, name) if name in form else None


def level(form: MultiDict[str, str]) -> str:
    name = form.get("level", "perfect")
    if name not in LEVELS:
        raise BadRequest("There is no such level. Go back and choose one of those on the page.")
    return name


def mark(form: MultiDict[str, str], lot: Mark) -> Mark:
    """The wished mark; X if nothing is said, `lot` if it is left to chance."""
    wished = form.get("mark", "X")
    if wished == "random":
        return lot
    if wished not in ("X", "O"):
        raise BadRequest("The mark must be X, O or random. Go back and choose again.")
    return Mark(wished)


def public_id(form: MultiDict[str, str], otherwise: str) -> str:
    key = form.get("key", "")
    return key if PUBLIC_ID.match(key) else otherwise
