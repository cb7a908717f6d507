"""What the forms of games may send, read strictly: anything that no page of ours sends is refused."""

import re
from collections.abc import Collection

from werkzeug.datastructures import MultiDict

from webapp.errors import BadRequest
from webapp.games.states import Visibility, WishedMark
from webapp.tictactoe import LEVELS, Mark

NUMBER = re.compile(r"[0-9]{1,3}\Z")
PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{12}\Z")


def number(form: MultiDict[str, str], name: str) -> int:
    values = form.getlist(name)
    if len(values) != 1 or not NUMBER.match(values[0]):
        raise BadRequest(f"The form had a wrong {name}. Go back and choose a cell again.")
    return int(values[0])


def optional_number(form: MultiDict[str, str], name: str) -> int | None:
    return number(form, name) if name in form else None


def level(form: MultiDict[str, str]) -> str:
    name = form.get("level", "perfect")
    if name not in LEVELS:
        raise BadRequest("There is no such level. Go back and choose one of those on the page.")
    return name


def mark(form: MultiDict[str, str]) -> Mark | None:
    """The wished mark; X if nothing is said, None if it is left to chance."""
    return wished_mark(form, WishedMark.X).mark


def wished_mark(form: MultiDict[str, str], otherwise: WishedMark = WishedMark.RANDOM) -> WishedMark:
    """For a game between people, where chance draws when somebody joins."""
    try:
        return WishedMark(form.get("mark", otherwise))
    except ValueError:
        raise BadRequest("The mark must be X, O or random. Go back and choose again.") from None


def visibility(form: MultiDict[str, str]) -> Visibility:
    try:
        return Visibility(form.get("visibility", Visibility.PUBLIC))
    except ValueError:
        raise BadRequest("A game is public or private. Go back and choose again.") from None


def coach(form: MultiDict[str, str]) -> bool:
    """Whether the game is played with the coach; a box that is not ticked is not sent."""
    wished = form.get("coach", "no")
    if wished not in ("yes", "no"):
        raise BadRequest("The coach is there or not: yes or no. Go back and choose again.")
    return wished == "yes"


def one_of(form: MultiDict[str, str], name: str, words: Collection[str]) -> str:
    word = form.get(name, "")
    if word not in words:
        raise BadRequest(f"The form had a wrong {name}. Go back and try again.")
    return word


def public_id(form: MultiDict[str, str], otherwise: str) -> str:
    """The id that the page chose for its game, so that two clicks on it begin one."""
    chosen = form.get("public_id", "")
    return chosen if PUBLIC_ID.match(chosen) else otherwise
