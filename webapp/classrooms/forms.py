"""What the forms of classrooms send, read strictly. What is right is decided by the services."""

from collections.abc import Iterable
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict
from wtforms import StringField

from webapp.accounts.forms import SignUpForm
from webapp.classrooms.roster import plain
from webapp.errors import BadRequest
from webapp.tictactoe import LEVELS

Fields = MultiDict[str, str]
MOST_SEATS = 1000
SWITCHES = ("only_members", "allows_watching", "allows_coach", "allows_agents", "has_leaderboard")


class JoinForm(SignUpForm):
    real_name = StringField("Your full name")


class BadSeats(BadRequest):
    """A number of seats that no classroom can have."""

    field = "seat_limit"


def settings_of(fields: Fields) -> dict[str, Any]:
    """The switches and numbers of a classroom, as they are stored."""
    return {**switches_of(fields), "seat_limit": seats(fields.get("seat_limit", ""))}


def switches_of(fields: Fields) -> dict[str, Any]:
    """What cannot be wrong."""
    levels = [name for name in LEVELS if name in fields.getlist("levels")]
    stored = None if len(levels) == len(LEVELS) else " ".join(levels)
    return {**{name: fields.get(name) == "yes" for name in SWITCHES}, "levels": stored}


def seats(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4 and 1 <= int(text) <= MOST_SEATS):
        raise BadSeats(f"The number of seats must be a whole number from 1 to {MOST_SEATS}.")
    return int(text)


def changed_texts(names: Iterable[str]) -> dict[str, str]:
    """What was typed, where it differs from what the form was first shown with."""
    typed = {name: plain(text(name)) for name in names}
    return {name: words for name, words in typed.items() if words != text(f"shown_{name}")}


def text(name: str) -> str:
    return request.form.get(name, "")


def user_name() -> str:
    """Of somebody with an account. Phones put a space after a word that they complete."""
    return text("name").strip(" ")
