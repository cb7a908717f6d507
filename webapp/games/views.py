"""The pages of games: start one, see it, move, resign, play again."""

from random import Random
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask_login import current_user, login_required
from werkzeug.wrappers import Response as Answer

from webapp.accounts.services import create_guest
from webapp.errors import BadRequest, Refusal
from webapp.games import forms, queries, services
from webapp.games.point_of_view import PointOfView
from webapp.sessions import begin_session
from webapp.throttle import count_try
from webapp.tictactoe import Mark

blueprint = Blueprint("games", __name__, url_prefix="/games")
blueprint.add_app_template_global(services.new_public_id, "new_key")


def _random() -> Random:
    random: Random = current_app.extensions["noughts_random"]
    return random


def point_of_view(public_id: str) -> PointOfView:
    return seen_by_me(queries.game_seen_by(current_user.id, public_id))


def seen_by_me(game: queries.GameRecord) -> PointOfView:
    me = current_user.id
    mine = game.mark_of(me)
    assert mine is not None  # noqa: S101 - the loader shows games to their players only
    return PointOfView(game, me, queries.record_against(me, game.holders[mine.other]))


def _to(public_id: str) -> Answer:
    return redirect(url_for("games.show", public_id=public_id), 303)


@blueprint.post("")
def start() -> Answer:
    """Anybody may play the computer: who has no account becomes a guest with the first move."""
    if request.form.get("opponent", "computer") != "computer":
        raise BadRequest("There is nobody to play against but the computer yet.")
    random = _random()
    level = forms.level(request.form)
    mark = forms.mark(request.form, random.choice([Mark.X, Mark.O]))
    cell = forms.optional_number(request.form, "cell")
    key = forms.public_id(request.form, services.new_public_id())
    if not current_user.is_authenticated and not current_app.config["NOUGHTS_GUESTS"]:
        return redirect(url_for("accounts.sign_up"), 303)
    services.check_first_cell(mark, cell)
    user_id = current_user.id or _become_guest()
    return _to(services.start_against_computer(user_id, level, mark, cell, random, key))


def _become_guest() -> int:
    limit = current_app.config["NOUGHTS_GUESTS_PER_ADDRESS"]
    sentence = "Too many guests began to play from this network. Sign up to play now."
    count_try(f"guest {request.remote_addr}", limit, sentence)
    guest_id = create_guest()
    begin_session(guest_id)
    return guest_id


@blueprint.get("/<public_id>")
def show(public_id: str) -> str:
    return render_template("games/game.html", pov=point_of_view(public_id))


@blueprint.post("/<public_id>/moves")
@login_required
def play_move(public_id: str) -> Any:
    cell, ply = forms.number(request.form, "cell"), forms.number(request.form, "ply")
    try:
        services.play_move(current_user.id, public_id, cell, ply, _random())
    except Refusal as refusal:
        return _refused(public_id, refusal)
    return _to(public_id)


@blueprint.post("/<public_id>/resign")
@login_required
def resign(public_id: str) -> Any:
    try:
        services.resign(current_user.id, public_id)
    except Refusal as refusal:
        return _refused(public_id, refusal)
    return _to(public_id)


@blueprint.post("/<public_id>/rematch")
@login_required
def rematch(public_id: str) -> Any:
    key = forms.public_id(request.form, services.new_public_id())
    return _to(services.play_again(current_user.id, public_id, _random(), key))


def _refused(public_id: str, refusal: Refusal) -> Response:
    """What was asked for came too late: the sentence, and the board as it is now."""
    if refusal.status != 409:
        raise refusal
    page = render_template("errors/conflict.html", pov=point_of_view(public_id), sentence=refusal.sentence)
    return Response(page, refusal.status)
