"""That who is logged in has gone to the school again, before something that cannot be taken back: where no password of
ours can be asked for, the school is asked to ask for its own. Knows Flask's session.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from flask import session

from webapp.clock import now
from webapp.errors import Refusal

log = logging.getLogger("noughts.single_sign_on")

KEY = "confirmed_at_school"
STANDS_FOR = timedelta(minutes=10)
SLACK = timedelta(minutes=1)  # between the school's clock and ours


class NotConfirmed(Refusal):
    status = 403
    title = "Not confirmed"


def confirm() -> None:
    """In the session, which is kept on the server, and which is that of one account."""
    session[KEY] = now().isoformat()


def is_confirmed() -> bool:
    moment = session.get(KEY)
    return moment is not None and now() < datetime.fromisoformat(moment) + STANDS_FOR


def check_asked_again(claims: Mapping[str, Any], sent_at: datetime, promised: object) -> None:
    """What makes the provider ask for the password stands in an address, where it can be taken out. So the time of the
    log-in there must be later, if the provider tells it; one with it among its `promised` claims must tell it.
    """
    told = claims.get("auth_time")
    if not isinstance(told, int | float):
        told = None
    if told is None and "auth_time" in (promised if isinstance(promised, list) else ()):
        log.error("The OpenID provider lists the claim auth_time and does not send it: nothing can be confirmed.")
        raise NotConfirmed("Your school's log-in did not say when it asked for your password, so nothing was done. "
                           "Tell the person who runs this site.")  # fmt: skip
    if told is not None and told < (sent_at - SLACK).timestamp():
        log.warning("A log-in at the OpenID provider was older than the question for it, or its clock is behind.")
        raise NotConfirmed("Your school's log-in did not ask for your password again, so nothing was done. Go back and "
                           "try again.")  # fmt: skip
