"""The pages of accounts: sign up, log in, log out, the account and its sessions."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user, login_required
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts import changing_passwords, logging_in, queries, services
from webapp.accounts.access import ask_to_log_in
from webapp.accounts.browsers import browser_hash, browser_name, set_browser_cookie
from webapp.accounts.destinations import destination_name, destination_url, url_after_log_in
from webapp.accounts.forms import LogInForm, NameForm, PasswordForm, SignUpForm
from webapp.accounts.guest_offer import has_offer, offer_to
from webapp.accounts.models import UserSession
from webapp.accounts.names import BadName, NameTaken
from webapp.accounts.session_interface import STATELESS, csrf_token, session_has_ended, this_form_key, this_session
from webapp.accounts.sessions import (
    begin_session_of,
    current_session_id,
    end_sessions,
    end_this_session,
    this_session_has_ended,
    was_ended_by_this_press,
)
from webapp.accounts.signing_up import check_passwords_are_on, log_in_limits, network, refused, sign_up_here
from webapp.accounts.tokens import hash_of
from webapp.errors import NotThere, Refusal
from webapp.extensions import settings

blueprint = Blueprint("accounts", __name__)
blueprint.after_app_request(set_browser_cookie)
blueprint.add_app_template_global(settings, "settings")
blueprint.add_app_template_global(csrf_token)  # for macros, which see no context

View = str | BaseResponse | tuple[str, int, dict[str, str]]


@blueprint.before_app_request
def ask_for_a_new_password() -> BaseResponse | None:
    """A one-time password opens nothing but the page where it is changed."""
    allowed = ("accounts.account", "accounts.change_password", "accounts.log_out", None)
    if request.path.startswith(STATELESS) or request.endpoint in allowed or not current_user.must_change_password:
        return None
    return redirect(url_for("accounts.account"), 303)


@blueprint.app_context_processor
def navigation_words() -> dict[str, Any]:
    return {"here": destination_name, "session_has_ended": session_has_ended, "csrf_token": csrf_token}


def _onward(wish: str) -> BaseResponse:
    """Somebody who is logged in needs no form for it."""
    return redirect(destination_url(wish) if wish else url_for("accounts.account"), 303)


@blueprint.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> View:
    if current_user.is_account:
        return _onward(request.values.get("next", ""))
    if not settings().passwords:  # there, accounts come with the first log-in
        return redirect(url_for("accounts.log_in", next=request.args.get("next") or None), 303)
    form = SignUpForm(next=request.args.get("next", ""))
    if request.method != "POST":  # HEAD asks for a page too, and comes without a token
        return render_template("accounts/sign_up.html", form=form)
    try:
        sign_up_here(form.name.data or "", form.password.data or "")
    except Refusal as refusal:
        return refused("accounts/sign_up.html", form, refusal)
    flash(f"Welcome, {form.name.data}. Your games are kept from now on.", "notice")
    return redirect(destination_url(form.next.data or ""), 303)


@blueprint.route("/log-in", methods=["GET", "POST"])
def log_in() -> View:
    if current_user.is_account:  # the picture on a student's card leads them into their class then
        return redirect(url_after_log_in(current_user.id, request.values.get("next", "")), 303)
    form = LogInForm(next=request.args.get("next", ""))
    if request.method != "POST":  # HEAD asks for a page too, and comes without a token
        return render_template("accounts/log_in.html", form=form)
    name = (form.name.data or "").strip(" ")  # phones put a space after a word that they complete
    password, browser = form.password.data or "", browser_hash()
    try:
        check_passwords_are_on()
        pressed_in = hash_of(f"{this_session().token} {this_form_key()}")
        account = logging_in.log_in(name, password, network(), browser, log_in_limits(), pressed_in)
        begin_session_of(account, browser, **offer_to(account.user_id))
    except Refusal as refusal:
        return refused("accounts/log_in.html", form, refusal)
    if has_offer():
        return redirect(url_for("guest_games.show", next=form.next.data or None), 303)
    return redirect(url_after_log_in(account.user_id, form.next.data or ""), 303)


@blueprint.post("/log-out")
def log_out() -> View:
    was_here = current_session_id() is not None or (session_has_ended() and was_ended_by_this_press())
    if was_here or session_has_ended():
        end_this_session()
    if was_here:  # nobody else gets a row for being told so: anybody can make up the id of a session that has ended
        flash("You are logged out.", "notice")
    return redirect(url_for("pages.home"), 303)


def _account_page(form: PasswordForm, name_form: NameForm | None = None) -> dict[str, Any]:
    this = current_session_id()
    rows = [
        {
            "id": row.id,
            "browser": browser_name(row.user_agent),
            "created_at": row.created_at,
            "last_seen_at": row.last_seen_at,
            "is_this_one": row.id == this,
        }
        for row in queries.sessions_of(current_user.id)
    ]
    rows.sort(key=lambda row: not row["is_this_one"])
    may_change_name = queries.may_change_name(current_user.id) and (name_form or NameForm())
    must_change = current_user.must_change_password
    has_password = settings().passwords and queries.has_password(current_user.id)
    forms = {"password_form": form, "name_form": may_change_name, "has_password": has_password}
    return {"sessions": rows, "must_change": must_change, **forms}


def _password_form() -> PasswordForm:
    """Who has just typed a one-time password is not asked for it again."""
    form = PasswordForm()
    just_typed = current_user.must_change_password
    if just_typed and changing_passwords.is_logged_in_just_now(current_session_id(), current_user.id):
        del form.current_password
    return form


@blueprint.get("/account")
@login_required
def account() -> View:
    return render_template("accounts/account.html", **_account_page(_password_form()))


@blueprint.post("/account/password")
def change_password() -> View:
    if not current_user.is_authenticated:
        return _password_saved_before()
    form = _password_form()
    try:
        check_passwords_are_on()
        return _on_with(_changed_password(form))
    except Refusal as refusal:
        if this_session_has_ended():
            return _password_saved_before()
        return refused("accounts/account.html", form, refusal, **_account_page(form))


def _on_with(account: services.VerifiedAccount) -> BaseResponse:
    """A session of the account whose password has been saved."""
    had_one_time = current_user.must_change_password or "current_password" not in request.form
    begin_session_of(account, browser_hash(), **offer_to(account.user_id))
    if had_one_time:
        flash("Your password is saved. Log in with it from now on.", "notice")
        return redirect(url_after_log_in(account.user_id), 303)
    flash("Your password is changed. All other browsers are logged out.", "notice")
    return redirect(url_for("accounts.account"), 303)


def _password_saved_before() -> BaseResponse:
    """The button pressed twice: the first press has ended the session that both came with. Whose password has been
    saved is logged in by it, and both presses begin the same session; anybody else is asked to log in.
    """
    name, new = request.form.get("username", ""), request.form.get("new_password", "")
    try:
        check_passwords_are_on()
        return _on_with(logging_in.log_in(name, new, network(), browser_hash(), log_in_limits()))
    except Refusal:
        return ask_to_log_in()


def _changed_password(form: PasswordForm) -> services.VerifiedAccount:
    me, name, new = current_user.id, current_user.name or "", form.new_password.data or ""
    limit = settings().guesses_per_account
    if "current_password" not in form:
        return changing_passwords.choose_password(me, name, current_session_id(), new, limit)
    return changing_passwords.change_password(me, name, form.current_password.data or "", new, limit)


@blueprint.post("/account/name")
@login_required
def change_name() -> View:
    form = NameForm()
    try:
        services.change_name(current_user.id, form.name.data or "")
    except (BadName, NameTaken) as refusal:
        return refused("accounts/account.html", form, refusal, **_account_page(PasswordForm(), form))
    flash(f"Your user name is {form.name.data} now. Log in with it from now on.", "notice")
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/account/sessions/<int:session_id>/end")
@login_required
def end_session(session_id: int) -> View:
    if session_id == current_session_id():
        return log_out()
    if session_id not in [row.id for row in queries.sessions_of(current_user.id)]:
        raise NotThere("That browser is logged out already, or it is not yours.")
    end_sessions(UserSession.id == session_id, UserSession.user_id == current_user.id)
    flash("That browser is logged out.", "notice")
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/account/sessions/end-others")
@login_required
def end_other_sessions() -> View:
    this = current_session_id()
    count = end_sessions(UserSession.id != this, UserSession.user_id == current_user.id)
    flash(f"Logged out everywhere else: {count} browser{'' if count == 1 else 's'}.", "notice")
    return redirect(url_for("accounts.account"), 303)
