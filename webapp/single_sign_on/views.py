"""To the school and back: log in, and at the first time choose a name or the account that one had before."""

from datetime import datetime
from importlib import import_module
from typing import Any

from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask.blueprints import BlueprintSetupState
from flask_login import current_user
from werkzeug.wrappers import Response

from webapp.accounts import logging_in
from webapp.accounts.access import account_required
from webapp.accounts.browsers import browser_hash
from webapp.accounts.destinations import destination_url
from webapp.accounts.guest_offer import has_offer, offer_to
from webapp.accounts.models import UserSession
from webapp.accounts.services import VerifiedAccount
from webapp.accounts.sessions import begin_session_of, current_session_id, end_sessions
from webapp.accounts.signing_up import log_in_limits, network, refused, sign_up_limit
from webapp.errors import NotThere, Refusal
from webapp.extensions import settings, settings_of
from webapp.single_sign_on import identity as identities
from webapp.single_sign_on import services
from webapp.single_sign_on.forms import NewAccountForm, OwnAccountForm
from webapp.single_sign_on.identity import Identity
from webapp.single_sign_on.trusted_header import identity_in_header

blueprint = Blueprint("single_sign_on", __name__, url_prefix="/log-in/school")

PROVIDER = "noughts_openid_provider"
View = str | Response | tuple[str, int, dict[str, str]]


@blueprint.record_once
def _begin(state: BlueprintSetupState) -> None:
    given = settings_of(state.app)  # type: ignore[arg-type]
    if given.oidc_issuer:
        state.app.extensions[PROVIDER] = import_module("webapp.single_sign_on.openid").Provider(given)


@blueprint.before_request
def _only_where_it_is_set_up() -> None:
    if not settings().has_single_sign_on:
        raise NotThere


@blueprint.app_template_global()
def school_accounts() -> list[datetime]:
    """For the page of an account that has a password too: since when which others open it."""
    return services.joined_to(current_user.id) if settings().has_single_sign_on and settings().passwords else []


def _provider() -> Any:
    if PROVIDER not in current_app.extensions:
        raise NotThere
    return current_app.extensions[PROVIDER]


@blueprint.get("")
def begin() -> View:
    """`again` is for who is logged in and must show once more who they are."""
    wish, asks_again = request.args.get("next", ""), "again" in request.args
    if current_user.is_account and not asks_again:
        return redirect(destination_url(wish), 303)
    if settings().trusted_header:
        return _arrive(identity_in_header(), wish)
    answer: Response = _provider().send_away(wish, asks_again)
    return answer


@blueprint.get("/back")
def back() -> View:
    """The provider's page leads here, with a code that only we can use."""
    return _arrive(*_provider().finish())


def _arrive(identity: Identity, wish: str) -> View:
    if account := services.account_of(identity):
        return _log_in(account, wish)
    identities.remember(identity, wish)
    return redirect(url_for("single_sign_on.first"), 303)


def _log_in(account: VerifiedAccount, wish: str) -> Response:
    """Who joined by a one-time password chooses one of their own: else it would open the account ever after, and nobody
    could tell by it that somebody else had it first. Where passwords are off it opens nothing.
    """
    account = account._replace(by_code=not settings().passwords)
    begin_session_of(account, browser_hash(), **offer_to(account.user_id))
    session.pop(identities.KEY, None)
    if has_offer():
        return redirect(url_for("guest_games.show", next=wish or None), 303)
    return redirect(destination_url(wish), 303)


@blueprint.route("/first", methods=["GET", "POST"])
def first() -> View:
    """A new account for who comes for the first time."""
    identity = identities.remembered()
    if identity is None:
        return redirect(url_for("accounts.log_in"), 303)
    form = NewAccountForm(name=identity.suggested)
    if request.method != "POST":  # HEAD asks for a page too, and comes without a token
        return render_template("single_sign_on/first.html", form=form)
    try:
        account = services.sign_up(identity, form.name.data or "", current_user.id, sign_up_limit())
        return _log_in(account, identities.wish_of_remembered())
    except Refusal as refusal:
        return refused("single_sign_on/first.html", form, refusal)


@blueprint.route("/join", methods=["GET", "POST"])
def join() -> View:
    """The account that somebody had before, after its password, also where passwords open nothing else any more.

    A log-in code does not do: it opens an account once, and joins nothing to it.
    """
    identity = identities.remembered()
    if identity is None:
        return redirect(url_for("accounts.log_in"), 303)
    form = OwnAccountForm()
    if request.method != "POST":
        return render_template("single_sign_on/join.html", form=form, school_name=identity.suggested)
    try:
        name, password = (form.name.data or "").strip(" "), form.password.data or ""
        account = logging_in.log_in(name, password, network(), browser_hash(), log_in_limits())
        services.join_to(identity, account)
        return _log_in(account, identities.wish_of_remembered())
    except Refusal as refusal:
        return refused("single_sign_on/join.html", form, refusal, school_name=identity.suggested)


@blueprint.post("/part")
@account_required("accounts.account")
def part() -> View:
    """For who finds that somebody else may have joined theirs: that one may be logged in just now."""
    if not settings().passwords:
        raise NotThere
    services.part_from(current_user.id)
    end_sessions(UserSession.id != current_session_id(), UserSession.user_id == current_user.id)
    flash("Only your password opens your account now. All other browsers are logged out.", "notice")
    return redirect(url_for("accounts.account"), 303)
