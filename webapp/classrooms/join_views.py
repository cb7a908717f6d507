"""Into a classroom by its code: typed on a page, or in a link. Sign-up on the way takes no page of its own."""

from functools import partial
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.signing_up import network, refused, sign_up_here
from webapp.classrooms import queries, services
from webapp.classrooms.codes import typed_code
from webapp.classrooms.enrolling import NoSeatLeft
from webapp.classrooms.forms import JoinForm
from webapp.errors import NotThere, Refusal
from webapp.throttle import Limit, check_count, count_tries

blueprint = Blueprint("joining", __name__, url_prefix="/join")

PAGE = "classrooms/join.html"
WRONG_CODES = 100  # from one network in a quarter of an hour: a class behind one address may mistype
SIGN_UPS_PER_SEAT = 2  # in a quarter of an hour
View = str | BaseResponse | tuple[str, int] | tuple[str, int, dict[str, str]]


@blueprint.get("")
def ask() -> View:
    code = request.args.get("code", "")
    return redirect(url_for("joining.join", code=code.strip()), 303) if code.strip() else render_template(PAGE)


@blueprint.route("/<code>", methods=["GET", "POST"])
def join(code: str) -> View:
    classroom = _classroom(code)
    if classroom is None:
        return render_template(PAGE, wrong_code=code[:20]), 404
    form = JoinForm()
    if request.method != "POST":
        if _is_member(classroom):
            return _to_classroom(classroom)
        return render_template(PAGE, classroom=classroom, form=form)
    try:
        _join(classroom, form)
    except Refusal as refusal:
        return _refused(classroom, form, refusal)
    flash(f"You are in {classroom.name} now.", "notice")
    return _to_classroom(classroom)


def _classroom(code: str) -> Any:
    """Only wrong codes count: whoever guesses is stopped, and a whole class is not."""
    typed = typed_code(code)
    classroom = queries.classroom_by_code(typed) if typed else None
    if classroom is None:
        count_tries(Limit(f"join {network()}", WRONG_CODES, "Too many wrong codes came from this network."))
    return classroom


def _is_member(classroom: Any) -> bool:
    try:
        return queries.classroom_for(classroom.public_id, current_user.id) is not None
    except NotThere:
        return False


def _join(classroom: Any, form: JoinForm) -> None:
    real_name = services.full_name(form.real_name.data or "")
    if current_user.is_account:
        services.join(classroom, current_user.id, real_name)
        return
    check_count(_refusals(classroom))
    also = partial(_join_as, classroom, real_name)
    user_id = sign_up_here(form.name.data or "", form.password.data or "", also, _limit(classroom))
    services.join(classroom, user_id, real_name)  # nothing is left to do, but after a second press


def _limit(classroom: Any) -> Limit:
    """By the classroom, not by the network: else one student, who needs no code for that, could use up the sign-ups of
    the address that the whole class sits behind. Twice its seats: who does not belong in is removed, others come.
    """
    most = SIGN_UPS_PER_SEAT * classroom.seat_limit
    return Limit(f"sign-up in classroom {classroom.id}", most, "Too many accounts were made in this classroom.")


def _refusals(classroom: Any) -> Limit:
    """That no seat is left is known for certain after the slow hash only, when no account is made that would count.

    By the classroom too: else whoever has the code of a full one could close all others to a whole school.
    """
    key = f"refused join {classroom.id} {network()}"
    return Limit(key, WRONG_CODES, "Too many tries to join came from this network.")


def _join_as(classroom: Any, real_name: str, connection: Any, user_id: int) -> None:
    services.join_within(connection, classroom.id, classroom.join_code, user_id, real_name)


def _refused(classroom: Any, form: JoinForm, refusal: Refusal) -> View:
    """At its field, if it is about one; else on top of the page."""
    if isinstance(refusal, services.JoiningClosed | NoSeatLeft) and not current_user.is_account:
        count_tries(_refusals(classroom))
    if isinstance(refusal, services.BadFullName | services.JoiningClosed | NoSeatLeft):
        return render_template(PAGE, classroom=classroom, form=form, sentence=refusal.sentence), refusal.status
    return refused(PAGE, form, refusal, classroom=classroom)


def _to_classroom(classroom: Any) -> BaseResponse:
    return redirect(url_for("classrooms.show", public_id=classroom.public_id), 303)
