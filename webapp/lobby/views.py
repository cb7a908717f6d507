"""The lobby: see who is here, open a game, join one."""

import json
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask_login import current_user, login_required

from webapp.accounts.access import account_required
from webapp.accounts.presence import note_page
from webapp.classrooms.waiting import waiting_for
from webapp.competitions.progress import settle_competitions
from webapp.errors import Refusal
from webapp.extensions import app_random
from webapp.games import forms, meeting
from webapp.games.deadlines import settle_due
from webapp.games.game_record import GameRecord
from webapp.games.point_of_view import PointOfView
from webapp.games.redirects import to_game
from webapp.games.refusals import CannotNow, SeatTaken
from webapp.games.services import new_public_id
from webapp.lobby import queries, services
from webapp.pieces import piece_of, tagged

blueprint = Blueprint("lobby", __name__)


def _seen(games: list[GameRecord]) -> list[PointOfView]:
    """Small boards only: no record is looked up for them."""
    return [PointOfView(game, current_user.id) for game in games]


def _lobby() -> dict[str, Any]:
    lobby = queries.lobby_of(current_user.id)
    return {
        "mine": _seen(lobby.mine),
        "waiting": _seen([lobby.waiting])[0] if lobby.waiting else None,
        "challenges": _seen(lobby.challenges),
        "open_games": _seen(lobby.open),
        "watchable": _seen(lobby.watchable),
        "people": lobby.people,
        "agents": lobby.agents,
        "reasons": meeting.REASONS,
        "can_play_people": current_user.is_account,
    }


@blueprint.get("/lobby")
def lobby() -> str:
    settle_due()
    settle_competitions()
    if current_user.is_account:
        note_page(current_user.id)
    asked = {name: request.args.get(name, "") for name in ("challenge", "mark")}
    return render_template("lobby/lobby.html", **asked, **_lobby())


@blueprint.get("/lobby/piece")
def piece() -> Response:
    """The live part of the page, for the script that swaps it; 304 while it has not changed."""
    if current_user.is_account:
        note_page(current_user.id)
    return piece_of("lobby/_live.html", **_lobby())


@blueprint.get("/lobby/waiting")
@login_required
def waiting() -> Response:
    """For a page without a stream, that asks what waits; 304 while it knows."""
    if current_user.is_account:
        note_page(current_user.id)
    text = json.dumps(asdict(waiting_for(current_user.id, request.args.get("but"))))
    return tagged(Response(text, mimetype="application/json"), text)


@blueprint.post("/lobby/play-now")
@account_required("lobby.lobby")
def play_now() -> Any:
    public_id = forms.public_id(request.form, new_public_id())
    try:
        return to_game(services.play_now(current_user.id, app_random(), public_id))
    except CannotNow as refusal:
        return _refused(refusal)


@blueprint.post("/games/<public_id>/join")
@account_required("games.show/{public_id}")
def join(public_id: str) -> Any:
    try:
        meeting.join_game(current_user.id, public_id, app_random())
    except (SeatTaken, CannotNow) as refusal:
        return _refused(refusal)
    return to_game(public_id)


def _refused(refusal: Refusal) -> Response:
    page = render_template("lobby/lobby.html", sentence=refusal.sentence, challenge="", mark="", **_lobby())
    return Response(page, SeatTaken.status)
