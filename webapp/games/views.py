"""The pages of games: start one, see it, and everything that its players do in it."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_login import current_user, login_required
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.guests import become_guest
from webapp.accounts.presence import note_page
from webapp.accounts.queries import account_named
from webapp.errors import BadRequest, Refusal
from webapp.extensions import app_random, settings
from webapp.games import agreements, forms, meeting, queries, services
from webapp.games.coach import coach_of
from webapp.games.deadlines import settled
from webapp.games.point_of_view import PointOfView
from webapp.games.redirects import to_game
from webapp.games.state_fields import state_of
from webapp.games.take_back import take_back as take_back_move
from webapp.games.totals import NO_RECORD, record_against
from webapp.shown_page import answer_with, belongs_to

blueprint = Blueprint("games", __name__, url_prefix="/games")
blueprint.add_app_template_global(services.new_public_id)


@blueprint.before_request
def lead_back_to_game() -> None:
    """From a refused form, and from the log-in when a session has ended meanwhile."""
    if request.method == "POST" and request.view_args:
        belongs_to("games.show", public_id=request.view_args["public_id"])


def point_of_view(public_id: str) -> PointOfView:
    me = current_user.id
    game = settled(lambda: queries.game_seen_by(me, public_id))
    mine = game.mark_of(me)
    record = record_against(me, game.holders[mine.other], game.board, game.coached) if mine else NO_RECORD
    return PointOfView(game, me, record)


@blueprint.post("")
def start() -> BaseResponse:
    opponent = request.form.get("opponent", "computer").strip(" ")  # phones put a space after a word that they complete
    public_id = forms.public_id(request.form, services.new_public_id())
    return _start_against_computer(public_id) if opponent == "computer" else _open(opponent, public_id)


def _start_against_computer(public_id: str) -> BaseResponse:
    """Anybody may play the computer: who has no account becomes a guest with the first move."""
    level, mark, coached = forms.level(request.form), forms.mark(request.form), forms.coach(request.form)
    cell = forms.optional_number(request.form, "cell")
    if not current_user.is_account and not settings().guests:
        return redirect(url_for("accounts.sign_up"), 303)
    services.check_first_cell(cell)
    user_id = current_user.id or become_guest(public_id)
    start = partial(services.start_against_computer, user_id, level, mark, cell, app_random(), public_id)
    return _to_page(start(coached=coached, limit=services.starting_limit(user_id)))


def _open(opponent: str, public_id: str) -> BaseResponse:
    """A game between people: for anyone, or for the one named."""
    if not current_user.is_account:
        return redirect(url_for("accounts.sign_up", next="lobby.lobby"), 303)
    mark, visibility = forms.wished_mark(request.form), forms.visibility(request.form)
    try:
        challenged = None if opponent == "anyone" else account_named(opponent)
        return to_game(meeting.open_game(current_user.id, public_id, mark, visibility, challenged))
    except Refusal as refusal:  # The name can be put right where it was typed.
        flash(refusal.sentence, "error")
        return redirect(url_for("lobby.lobby", challenge=opponent[:20], mark=mark), 303)


@blueprint.get("/<public_id>")
def show(public_id: str) -> str:
    pov = point_of_view(public_id)
    if pov.is_between_people and current_user.is_account:
        note_page(current_user.id)
    return render_template("games/game.html", pov=pov, **_besides(pov))


@blueprint.get("/<public_id>/piece")
def piece(public_id: str) -> str:
    """The live part of the page, for the script that swaps it."""
    pov = point_of_view(public_id)
    return render_template("games/_live.html", pov=pov, **_besides(pov))


def _besides(pov: PointOfView) -> dict[str, Any]:
    """What the page of an open game needs, and that of one with the coach."""
    coach = coach_of(pov, request.args.get("best")) if pov.coached else None
    return {"reasons": meeting.REASONS, "can_play_people": current_user.is_account, "coach": coach}


@blueprint.get("/<public_id>/state")
def state(public_id: str) -> Response:
    """For a script that asks again and again: short, and 304 while nothing has changed."""
    if current_user.is_account:
        note_page(current_user.id)  # first, because what follows reads the database as it is at one moment
    game = settled(lambda: queries.game_seen_by(current_user.id, public_id))
    text = json.dumps(state_of(game))
    response = Response(text, mimetype="application/json", headers={"Cache-Control": "private, no-cache"})
    response.set_etag(hashlib.sha256(text.encode()).hexdigest()[:20])
    response.make_conditional(request)
    return response


def after_deed(public_id: str) -> BaseResponse:
    """A refusal stands at the address of its form: who reloads, shares or restores that page comes to the game."""
    return to_game(public_id)


for deed in ("join", "moves", "take-back", "resign", "abort", "draw", "claim", "withdraw", "decline", "rematch"):
    blueprint.add_url_rule(f"/<public_id>/{deed}", view_func=after_deed)


@blueprint.post("/<public_id>/moves")
@login_required
def play_move(public_id: str) -> Any:
    cell, ply = forms.number(request.form, "cell"), forms.number(request.form, "ply")
    version, knows_offer = forms.optional_number(request.form, "version"), request.form.get("offer") != "none"
    move = partial(services.play_move, knows_offer=knows_offer, version=version)
    return _do(public_id, move, cell, ply, app_random())


@blueprint.post("/<public_id>/take-back")
@login_required
def take_back(public_id: str) -> Any:
    return _do(public_id, take_back_move, forms.number(request.form, "version"))


@blueprint.post("/<public_id>/resign")
@login_required
def resign(public_id: str) -> Any:
    return _do(public_id, services.resign)


@blueprint.post("/<public_id>/abort")
@login_required
def abort(public_id: str) -> Any:
    return _do(public_id, agreements.abort)


@blueprint.post("/<public_id>/draw")
@login_required
def draw(public_id: str) -> Any:
    answers = {"offer": agreements.offer_draw, "accept": agreements.accept_draw, "decline": agreements.decline_draw}
    return _do(public_id, answers[forms.one_of(request.form, "draw", answers)])


@blueprint.post("/<public_id>/claim")
@login_required
def claim(public_id: str) -> Any:
    return _do(public_id, agreements.claim, forms.one_of(request.form, "claim", ("win", "draw")) == "win")


@blueprint.post("/<public_id>/withdraw")
@login_required
def withdraw(public_id: str) -> Any:
    return _do(public_id, meeting.withdraw, notice="Your game is cancelled.")


@blueprint.post("/<public_id>/decline")
@login_required
def decline(public_id: str) -> Any:
    reason = forms.one_of(request.form, "reason", meeting.REASONS)
    return _do(public_id, meeting.decline, reason, notice="You declined. Your opponent can read that.")


@blueprint.post("/<public_id>/rematch")
@login_required
def rematch(public_id: str) -> Any:
    """Against the computer at once; between people when both have asked."""
    next_public_id = forms.public_id(request.form, services.new_public_id())
    game = queries.game_seen_by(current_user.id, public_id)
    try:
        if game.is_between_people:
            return _to_page(meeting.rematch(current_user.id, public_id, app_random(), next_public_id))
        return _to_page(services.play_again(current_user.id, game, app_random(), next_public_id))
    except Refusal as refusal:
        return _refused(public_id, refusal)


def _do(public_id: str, service: Callable[..., None], *arguments: Any, notice: str | None = None) -> Any:
    """Stays at the game, or leads back to the lobby with a notice."""
    try:
        service(current_user.id, public_id, *arguments)
    except Refusal as refusal:
        return _refused(public_id, refusal)
    if notice is None:
        return _to_page(public_id)
    flash(notice, "notice")
    return redirect(url_for("lobby.lobby"), 303)


def _to_page(public_id: str) -> BaseResponse:
    return answer_with(lambda: show(public_id), "games.show", public_id=public_id)


def _refused(public_id: str, refusal: Refusal) -> Response:
    """What was asked for came too late: the sentence, and the board as it is now."""
    if refusal.status != 409 or isinstance(refusal, BadRequest):
        raise refusal
    pov = point_of_view(public_id)
    page = render_template("errors/conflict.html", pov=pov, sentence=refusal.sentence, **_besides(pov))
    return Response(page, refusal.status)
