"""The home page, which is a board, and the two answers that a machine asks for."""

from flask import Blueprint, Response, render_template
from flask_login import current_user
from sqlalchemy import text

from webapp.database import reading
from webapp.extensions import settings
from webapp.games import queries
from webapp.games.boards import board_view
from webapp.games.views import seen_by_me
from webapp.tictactoe import LEVELS, STANDARD, Position

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def home() -> str:
    game = queries.unfinished_game(current_user.id)
    guests_allowed = settings().guests
    return render_template(
        "pages/home.html",
        levels=list(LEVELS.values()),
        shape=STANDARD,
        chosen_level=_level_of(game) or "perfect",
        board=board_view(Position.start(STANDARD), playable=guests_allowed or current_user.is_authenticated),
        unfinished=seen_by_me(game) if game else None,
        guests_allowed=guests_allowed,
    )


def _level_of(game: queries.GameRecord | None) -> str | None:
    holders = game.holders.values() if game else []
    return next((holder.level for holder in holders if holder.level), None)


@blueprint.get("/healthz")
def healthz() -> Response:
    """The process is alive."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def readyz() -> Response:
    """The database answers too; if it does not, the error page of a busy database says 503."""
    with reading() as connection:
        connection.execute(text("SELECT 1 FROM alembic_version"))
    return Response("ok\n", mimetype="text/plain")
