"""What goes wrong between the school's log-in and ours. The reason is written to the log, not to the page."""

import logging

from webapp.errors import Refusal

log = logging.getLogger("noughts.single_sign_on")


class SchoolDoesNotAnswer(Refusal):
    status = 503
    retry_after = 60
    title = "Not logged in"

    def __init__(self, failure: object) -> None:
        log.error("The OpenID provider does not answer: %s", _in_one_line(failure))
        super().__init__("Your school's log-in does not answer at the moment. Try again in a minute.")


class LogInFailed(Refusal):
    status = 403
    title = "Not logged in"

    def __init__(self, failure: object) -> None:
        log.warning("A log-in through the school failed: %s", _in_one_line(failure))
        super().__init__("Your school's log-in did not let you in, or it took too long. Try again.")


class HeaderNotTrusted(Refusal):
    status = 403
    title = "Not logged in"

    def __init__(self) -> None:
        super().__init__("You can log in with your school account only through your school's own address of this site. "
                         "Open that one.")  # fmt: skip


def _in_one_line(failure: object) -> str:
    return " ".join(f"{type(failure).__name__} {failure}".split())[:300]
