"""Two pages under the account: take one's data along, delete the account."""

import json
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_login import current_user, login_required
from wtforms import PasswordField

from webapp.accounts.forms import TextForm, show_errors
from webapp.accounts.services import WrongPassword, confirm_password
from webapp.extensions import settings
from webapp.privacy import queries, services
from webapp.sessions import end_this_session

blueprint = Blueprint("privacy", __name__, url_prefix="/account")


class DeleteForm(TextForm):
    password = PasswordField("Password")


@blueprint.get("/export")
@login_required
def export() -> Response:
    text = json.dumps(queries.everything_about(current_user.id), indent=2)
    return Response(
        text, mimetype="application/json", headers={"Content-Disposition": "attachment; filename=noughts.json"}
    )


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
