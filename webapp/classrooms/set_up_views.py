"""The page behind the set-up link: whoever has it makes the site's first instructor."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.forms import SignUpForm
from webapp.accounts.signing_up import refused, sign_up_here
from webapp.classrooms import set_up
from webapp.errors import NotThere, Refusal

blueprint = Blueprint("set_up", __name__)

PAGE = "classrooms/set_up.html"


@blueprint.route("/set-up/<token>", methods=["GET", "POST"])
def show(token: str) -> str | BaseResponse | tuple[str, int, dict[str, str]]:
    set_up.check_set_up_token(token)
    form = SignUpForm()
    if request.method != "POST":  # HEAD asks for a page too, and comes without a token
        return render_template(PAGE, form=form)
    try:
        _make_instructor(token, form.name.data or "", form.password.data or "")
    except NotThere:
        raise
    except Refusal as refusal:
        return refused(PAGE, form, refusal)
    flash("You are an instructor now. Below is what to do next.", "notice")
    return redirect(url_for("classrooms.all"), 303)


def _make_instructor(token: str, name: str, password: str) -> None:
    """Who is logged in already presses one button; a name that they type makes a new account all the same."""
    if current_user.is_account and not name:
        set_up.use_token(token, current_user.id)
    else:
        sign_up_here(name, password, also=set_up.using(token))
