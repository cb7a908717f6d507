"""Making a guest of a visitor who begins to play or to practise. Knows the Flask request."""

from flask import request

from webapp.accounts.services import create_guest
from webapp.accounts.sessions import begin_session
from webapp.extensions import settings
from webapp.throttle import Limit, count_tries, network_of


def become_guest() -> int:
    sentence = "Too many guests began to play from this network. Sign up to play now."
    count_tries(Limit(f"guest {network_of(request.remote_addr)}", settings().guests_per_address, sentence))
    guest_id = create_guest()
    begin_session(guest_id)
    return guest_id
