"""The answer to a form that leads to a game. Knows Flask."""

from flask import redirect, url_for
from werkzeug.wrappers import Response


def to_game(public_id: str) -> Response:
    return redirect(url_for("games.show", public_id=public_id), 303)
