"""Signing up from a page, whichever it is: the limits, a second press, the session, and the page with what is wrong."""

from typing import Any

from flask import render_template, request
from flask_login import current_user

from webapp.accounts import logging_in, services
from webapp.accounts.browsers import browser_hash
from webapp.accounts.forms import show_errors
from webapp.accounts.names import BadName, NameTaken
from webapp.accounts.passwords import BadPassword
from webapp.accounts.sessions import begin_session_of
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.networks import network_of
from webapp.throttle import Limit


class PasswordsAreOff(Refusal):
    status = 403

    def __init__(self) -> None:
        super().__init__(f"This site has no passwords of its own. Log in with {settings().single_sign_on_title}.")


def check_passwords_are_on() -> None:
    if not settings().passwords:
        raise PasswordsAreOff


def sign_up_here(
    name: str, password: str, also: services.AlsoDo = services.nothing_else, limit: Limit | None = None
) -> int:
    """Make an account and log this browser in to it; `also` is done in the same unit. Gives the account's id.

    It counts under `limit`, else under that of the network.

    Pressed twice, the second press finds the name taken, by the account that the first has made: it opens that.
    """
    check_passwords_are_on()
    browser = browser_hash()
    try:
        account = services.sign_up(name, password, current_user.id, limit=limit or sign_up_limit(), also=also)
    except NameTaken:
        if not services.was_made_just_now(name):
            raise
        account = _open(name, password, browser)
    begin_session_of(account, browser)
    return account.user_id


def _open(name: str, password: str, browser: str) -> services.VerifiedAccount:
    try:
        return logging_in.log_in(name, password, network(), browser, log_in_limits())
    except logging_in.WrongNameOrPassword:
        raise NameTaken from None


def network() -> str:
    return network_of(request.remote_addr)


def log_in_limits() -> tuple[int, int]:
    return settings().guesses_per_account, settings().guesses_per_address


def sign_up_limit() -> Limit:
    most = settings().sign_ups_per_address
    return Limit(f"sign-up {network()}", most, "Too many accounts were made from this network.")


def refused(template: str, form: Any, refusal: Refusal, **more: Any) -> tuple[str, int, dict[str, str]]:
    """The same page with what was typed, and each sentence at the field that it is about."""
    show_errors(form, {_field_of(part, form): part.sentence for part in refusal.parts})
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    return render_template(template, form=form, **more), refusal.status, headers


def _field_of(refusal: Refusal, form: Any) -> str:
    if isinstance(refusal, BadName | NameTaken):
        return "name"
    if isinstance(refusal, BadPassword) and "new_password" in form:
        return "new_password"
    return "password" if "password" in form else "current_password"
