"""Two pages under the account: take one's data along, delete the account."""

import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, stream_with_context, url_for
from flask_login import current_user, login_required
from wtforms import PasswordField, StringField

from webapp.accounts.access import ask_to_log_in
from webapp.accounts.forms import TextForm, show_errors
from webapp.accounts.personal import holdings
from webapp.accounts.queries import has_password
from webapp.accounts.services import WrongPassword, confirm_password
from webapp.accounts.sessions import end_this_session, was_ended_by_this_press
from webapp.database import reading
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.privacy import services
from webapp.single_sign_on.confirmation import is_confirmed
from webapp.single_sign_on.services import joined_to

blueprint = Blueprint("privacy", __name__, url_prefix="/account")


class ConfirmFirst(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__("Nothing is deleted yet. First show that it is you, then delete it within ten minutes.")


class OtherName(Refusal):
    status = 400

    def __init__(self, name: str) -> None:
        super().__init__(f"This is not your user name. Type {name} to delete the account.")


class DeleteForm(TextForm):
    password = PasswordField("Password")
    name = StringField("Your user name")


@blueprint.get("/export")
@login_required
def export() -> Response:
    pieces = _pieces(current_user.id)
    begun = list(islice(pieces, 2))  # what fails at once is still an error page
    return Response(
        stream_with_context(chain(begun, pieces)),
        mimetype="application/json",
        headers={"Content-Disposition": "attachment; filename=noughts.json"},
    )


def _pieces(user_id: int) -> Iterator[str]:
    """The JSON in pieces: what may be very long, as the list of games, comes last, each item in a line of its own."""
    about: dict[str, Any] = {}
    with reading() as connection:
        for holding in holdings():
            about |= holding.export(connection, user_id)
    yield json.dumps(about, indent=2).removesuffix("\n}")
    for name, batches in ((name, read(user_id)) for holding in holdings() for name, read in holding.batches.items()):
        yield f",\n  {json.dumps(name)}: ["
        comma = ""
        for items in batches:
            yield comma + ",".join(f"\n    {json.dumps(item)}" for item in items)
            comma = ","
        yield "\n  ]"
    yield "\n}\n"


@blueprint.route("/delete", methods=["GET", "POST"])
def delete_account() -> Any:
    if not current_user.is_authenticated:
        return _deleted() if request.method == "POST" and was_ended_by_this_press() else ask_to_log_in()
    form = DeleteForm()
    if current_user.is_guest:
        return redirect(url_for("accounts.account"), 303)
    if request.method != "POST":  # HEAD asks for a page too, and comes without a token
        return _delete_page(form)
    try:
        _confirm(form)
    except (WrongPassword, ConfirmFirst, OtherName) as refusal:
        if was_ended_by_this_press():
            return _deleted()
        show_errors(form, {_place_of(refusal): refusal.sentence})
        return _delete_page(form), refusal.status
    services.delete_account(current_user.id)
    return _deleted()


def _deleted() -> Any:
    end_this_session()
    flash("Your account is deleted.", "notice")
    return redirect(url_for("pages.home"), 303)


def _delete_page(form: DeleteForm) -> str:
    types = _types_password()
    about = {"types_password": types, "is_confirmed": types or is_confirmed()}
    return render_template("accounts/delete.html", form=form, **about)


def _types_password() -> bool:
    """Where passwords open nothing any more, who comes from the school may have lost theirs."""
    return has_password(current_user.id) and (settings().passwords or not joined_to(current_user.id))


def _confirm(form: DeleteForm) -> None:
    """That it is really they: by the password, or, for who has none, by having gone to the school just now."""
    if _types_password():
        confirm_password(current_user.id, form.password.data or "", settings().guesses_per_account)
    elif not is_confirmed():
        raise ConfirmFirst
    elif (form.name.data or "").strip().lower() != (current_user.name or "").lower():
        raise OtherName(current_user.name or "")


def _place_of(refusal: Refusal) -> str:
    return {WrongPassword: "password", OtherName: "name"}.get(type(refusal), "")
