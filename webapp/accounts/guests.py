"""Making a guest of a visitor who begins to play or to practise. Knows the Flask request."""

from flask import flash

from webapp.accounts.session_interface import session_has_ended
from webapp.accounts.sessions import begin_session_of_guest
from webapp.accounts.signing_up import network
from webapp.extensions import settings
from webapp.throttle import Limit


def become_guest(form_key: str) -> int:
    """`form_key` is what the form that was sent carries at random: pressed twice, it makes one guest."""
    sentence = "Too many guests began to play from this network. Sign up to play now."
    had_account = session_has_ended()
    guest_id = begin_session_of_guest(form_key, Limit(f"guest {network()}", settings().guests_per_address, sentence))
    if had_account:
        flash("You were logged out, so you go on as a guest. Log in to move this to your account.", "error")
    return guest_id
