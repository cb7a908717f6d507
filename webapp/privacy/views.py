"""Two pages under the account: take one's data along, delete the account."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, stream_with_context, url_for
from flask_login import current_user, login_required
from wtforms import PasswordField

from webapp.accounts.forms import TextForm, show_errors
from webapp.accounts.services import WrongPassword, confirm_password
from webapp.accounts.sessions import end_this_session
from webapp.extensions import settings
from webapp.privacy import queries, services

blueprint = Blueprint("privacy", __name__, url_prefix="/account")


class DeleteForm(TextForm):
    password = PasswordField("Password")


@blueprint.get("/export")
@login_required
def export() -> Response:
    pieces = _pieces(queries.everything_but_games(current_user.id), queries.batches_of_games(current_user.id))
    begun = list(islice(pieces, 2))  # what fails at once is still an error page
    return Response(
        stream_with_context(chain(begun, pieces)),
        mimetype="application/json",
        headers={"Content-Disposition": "attachment; filename=noughts.json"},
    )


def _pieces(about: dict[str, Any], batches: Iterable[list[dict[str, Any]]]) -> Iterator[str]:
    """The JSON in pieces: the games, which may be very many, come last, each in a line of its own."""
    yield json.dumps(about, indent=2).removesuffix("\n}") + ',\n  "games": ['
    comma = ""
    for games in batches:
        yield comma + ",".join(f"\n    {json.dumps(game)}" for game in games)
        comma = ","
    yield "\n  ]\n}\n"


@blueprint.route("/delete", methods=["GET", "POST"])
@login_required
def delete_account() -> Any:
    form = DeleteForm()
    if current_user.is_guest:
        return redirect(url_for("accounts.account"), 303)
    if request.method != "POST":  # HEAD asks for a page too, and comes without a token
        return render_template("accounts/delete.html", form=form)
    try:
        confirm_password(current_user.id, form.password.data or "", settings().guesses_per_account)
    except WrongPassword as refusal:
        show_errors(form, {"password": refusal.sentence})
        return render_template("accounts/delete.html", form=form), refusal.status
    services.delete_account(current_user.id)
    end_this_session()
    flash("Your account is deleted.", "notice")
    return redirect(url_for("pages.home"), 303)
