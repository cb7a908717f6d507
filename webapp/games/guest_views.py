"""The page on which a guest who has logged in takes the games along, or leaves them."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.access import account_required
from webapp.accounts.destinations import ARGUMENT, destination_url
from webapp.accounts.guest_offer import end_offer, has_offer, offered_guest
from webapp.errors import NotThere
from webapp.games import forms
from webapp.games.guest_games import GuestGames, games_of_guest, take_guest_games
from webapp.games.queries import game_seen_by

blueprint = Blueprint("guest_games", __name__, url_prefix="/account/guest-games")


@blueprint.app_template_global("guest_games")
def offered_games() -> GuestGames | None:
    """None where nothing is offered; whoever was no guest costs no question to the database."""
    guest_id = offered_guest()
    games = games_of_guest(guest_id) if guest_id else None
    return games if games and games.is_anything else None


@blueprint.get("")
@account_required("pages.home")
def show() -> Any:
    wish = request.args.get("next", "")
    games = offered_games()
    if games is None:
        return _onward(wish)
    return render_template("games/guest_games.html", wish=wish, games=games)


@blueprint.post("")
@account_required("pages.home")
def answer() -> BaseResponse:
    """The same sentence for both of two presses at once: whichever page is seen, it is true."""
    wants_them = forms.one_of(request.form, "answer", ("take", "leave")) == "take"
    if wants_them and (guest_id := offered_guest()):
        take_guest_games(current_user.id, guest_id)
        flash("Your games and answers as a guest are in your account now.", "notice")
    elif wants_them and has_offer():
        flash("It is too late to move those games: they are kept for one day only.", "error")
    end_offer()
    return _onward(request.form.get("next", ""))


def _onward(wish: str) -> BaseResponse:
    """To the page that was wanted before the log-in, unless it is a game that stays behind."""
    endpoint, _, public_id = wish.partition("/")
    try:
        # PostgreSQL refuses some characters with an error, so it is asked only for what can be an id.
        if endpoint in ("games.show", "history.replay") and ARGUMENT.match(public_id):
            game_seen_by(current_user.id, public_id)
        return redirect(destination_url(wish), 303)
    except NotThere:
        return redirect(url_for("pages.home"), 303)
