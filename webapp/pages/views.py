"""The home page, which is a board, and the two answers that a machine asks for."""

from flask import Blueprint, Response, current_app, render_template, request
from flask_login import current_user
from sqlalchemy import text

from webapp.database import reading
from webapp.extensions import settings
from webapp.games import queries
from webapp.games.boards import board_view
from webapp.games.permissions import levels_for, may_have_coach
from webapp.games.point_of_view import PointOfView
from webapp.tictactoe import LEVELS, STANDARD, Position

blueprint = Blueprint("pages", __name__)

UNFINISHED_LISTED = 20
DEEP = "noughts_deep"  # in an app's extensions: what `/readyz?deep` tells besides, each a line or nothing


@blueprint.get("/")
def home() -> str:
    unfinished = queries.unfinished_games(current_user.id, UNFINISHED_LISTED + 1)
    guests_allowed, levels = settings().guests, levels_for(current_user.id)
    may_begin = bool(levels) and (guests_allowed or current_user.is_authenticated)
    chosen = queries.last_level(current_user.id)
    return render_template(
        "pages/home.html",
        levels=[LEVELS[level] for level in levels],
        shape=STANDARD,
        chosen_level=chosen if chosen in levels else levels[-1] if levels else None,
        board=board_view(Position.start(STANDARD), playable=may_begin),
        unfinished=[PointOfView(game, current_user.id) for game in unfinished[:UNFINISHED_LISTED]],
        has_older=len(unfinished) > UNFINISHED_LISTED,
        guests_allowed=guests_allowed,
        offers_coach=may_have_coach(current_user.id),
    )


@blueprint.get("/healthz")
def healthz() -> Response:
    """The process is alive."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def readyz() -> Response:
    """The database answers too; if it does not, webapp/error_pages.py says why, with 503."""
    with reading() as connection:
        connection.execute(text("SELECT 1 FROM alembic_version"))
    told = [tell() for tell in current_app.extensions[DEEP]] if "deep" in request.args else []
    return Response("\n".join(["ok", *filter(None, told), ""]), mimetype="text/plain")
