"""The competition that an address names, as who asks may see it; whoever has not logged in may do that first."""

from flask import abort, redirect, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from webapp.classrooms.loading import loaded
from webapp.competitions.queries import classroom_of, competition_for
from webapp.competitions.records import CompetitionRecord, Viewer
from webapp.errors import NotThere

THIS = "competitions.show/{public_id}"


def who_looks() -> Viewer:
    return Viewer(current_user.id, current_user.is_instructor)


def loaded_competition(public_id: str, manages: bool = False) -> CompetitionRecord:
    """404 for who may not see it, or not do what is asked."""
    try:
        return competition_for(public_id, who_looks(), manages)
    except NotThere:
        if not current_user.is_account:
            abort(ask_to_log_in(THIS.format(public_id=public_id)))
        if classroom := classroom_of(public_id):
            loaded(classroom)  # says so to who was in it once
        raise


def ask_to_log_in(back_to: str) -> Response:
    return redirect(url_for("accounts.sign_up" if current_user.is_guest else "accounts.log_in", next=back_to), 303)
