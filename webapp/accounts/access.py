"""Who may open a page at all: somebody, somebody with an account, or an instructor of the site. What is theirs is
decided where it is loaded.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import redirect, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from webapp.accounts.destinations import destination_name
from webapp.errors import NotThere


def ask_to_log_in() -> Response:
    """For Flask-Login: a page that needs a user, asked for by nobody."""
    return redirect(url_for("accounts.log_in", next=destination_name() or None), 303)


def account_required(back_to: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A view for people with an account: a guest is asked to sign up and then led to `back_to`, a page of ours
    that may name the view's arguments ("games.show/{public_id}").
    """

    def decorated(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def guarded(**arguments: Any) -> Any:
            if current_user.is_account:
                return view(**arguments)
            page = "accounts.sign_up" if current_user.is_guest else "accounts.log_in"
            return redirect(url_for(page, next=back_to.format(**arguments)), 303)

        return guarded

    return decorated


def require_instructor() -> None:
    """What only instructors of the site do is not there for anybody else."""
    if not current_user.is_instructor:
        raise NotThere
