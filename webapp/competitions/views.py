"""The pages of competitions: the list, one of them, its projector version, and what is pressed on them."""

from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.accounts.access import account_required, require_instructor
from webapp.accounts.presence import note_page
from webapp.classrooms.loading import in_use, loaded
from webapp.classrooms.queries import ClassroomRecord, classrooms_of
from webapp.classrooms.results_files import file_name
from webapp.classrooms.roles import Role
from webapp.classrooms.students import students_of
from webapp.competitions import agent_forms, forms, services
from webapp.competitions.agent_files import agents_csv
from webapp.competitions.agent_games import settle_and_begin
from webapp.competitions.agent_view import AgentsView
from webapp.competitions.files import Known, KnownBy, as_csv
from webapp.competitions.loading import THIS, ask_to_log_in, loaded_competition, who_looks
from webapp.competitions.pages import page_of, part_of, seen
from webapp.competitions.progress import settle_competitions
from webapp.competitions.queries import competition_of_game, competitions_seen_by
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.refusals import BadCompetition, EntriesClosed
from webapp.competitions.rounds import MOST_IN_ROUND_ROBIN, TooFew
from webapp.competitions.states import CompetitionKind, told
from webapp.competitions.tables import CompetitionView
from webapp.errors import NotThere, Refusal
from webapp.games import forms as game_forms
from webapp.games.queries import game_seen_by
from webapp.games.services import new_public_id
from webapp.pieces import piece_of

blueprint = Blueprint("competitions", __name__, url_prefix="/competitions")

View = str | BaseResponse | tuple[str, int]
OVER = "The competition is over. Its table and its games stay here."
CANCELLED = "The competition is cancelled. Nobody can enter any more, and nothing was played."


# All of them


@blueprint.get("")
def all() -> View:
    """In a classroom, or all that this person may see."""
    classroom = request.args.get("classroom")
    if classroom and not current_user.is_account:
        return ask_to_log_in("competitions.all")
    return _list_page(loaded(classroom) if classroom else None)


def _list_page(classroom: ClassroomRecord | None = None, **more: Any) -> str:
    settle_competitions()
    settle_and_begin()
    classroom_id = classroom.id if classroom else None
    led = [one for one in _classrooms() if one.is_instructor and not one.is_archived]
    return render_template(
        "competitions/competitions.html",
        classroom=classroom,
        present=competitions_seen_by(who_looks(), classroom_id),
        over=competitions_seen_by(who_looks(), classroom_id, is_over=True),
        led=[classroom] if classroom and classroom in led else [] if classroom else led,
        can_make_open=current_user.is_instructor and classroom is None,
        forms=forms,
        agent_forms=agent_forms,
        max_round_robin=MOST_IN_ROUND_ROBIN,
        **more,
    )


def _classrooms() -> list[ClassroomRecord]:
    return classrooms_of(current_user.id) if current_user.is_account else []


@blueprint.post("")
@account_required("competitions.all")
def make() -> View:
    classroom = in_use(request.form["classroom"], Role.INSTRUCTOR) if request.form.get("classroom") else None
    if classroom is None:
        require_instructor()
    try:
        is_of_agents = request.form.get("kind") == CompetitionKind.AGENTS
        values = agent_forms.agents_competition_of(request.form) if is_of_agents else forms.competition_of(request.form)
        values["entrants"] = forms.entrants_of(request.form, is_open=classroom is None)
    except BadCompetition as refusal:
        return _list_page(classroom, sentence=refusal.sentence, filled=request.form), refusal.status
    chosen = game_forms.public_id(request.form, new_public_id())
    public_id = services.make_competition(
        current_user.id, chosen, {**values, "classroom_id": classroom.id if classroom else None}
    )
    return redirect(url_for("competitions.show", public_id=public_id), 303)


# One of them


@blueprint.get("/<public_id>")
def show(public_id: str) -> View:
    return page_of(loaded_competition(public_id))


@blueprint.get("/<public_id>/piece")
def piece(public_id: str) -> Response:
    if current_user.is_account:
        note_page(current_user.id)
    about = loaded_competition(public_id)
    return piece_of(part_of(about, "live"), **seen(about))


def _pressed(public_id: str, refusals: tuple[type[Refusal], ...], act: Any, manages: bool = False) -> View:
    """What was pressed is done, or a sentence on the page says why not."""
    about = loaded_competition(public_id, manages)
    try:
        act(about)
    except refusals as refusal:
        return page_of(loaded_competition(public_id), sentence=refusal.sentence), refusal.status
    return redirect(url_for("competitions.show", public_id=public_id), 303)


@blueprint.post("/<public_id>/enter")
@account_required(THIS)
def enter(public_id: str) -> View:
    return _pressed(public_id, (EntriesClosed,), lambda about: services.enter(about, current_user.id))


@blueprint.post("/<public_id>/withdraw")
@account_required(THIS)
def withdraw(public_id: str) -> View:
    return _pressed(public_id, (EntriesClosed,), lambda about: services.withdraw(about, current_user.id))


@blueprint.post("/<public_id>/start")
@account_required(THIS)
def start(public_id: str) -> View:
    return _pressed(public_id, (EntriesClosed, TooFew), services.start, manages=True)


@blueprint.post("/<public_id>/end")
@account_required(THIS)
def end(public_id: str) -> View:
    """Before the start it is cancelled."""
    answer = _pressed(public_id, (EntriesClosed,), services.end, manages=True)
    if isinstance(answer, BaseResponse):
        has_begun = loaded_competition(public_id).started_at is not None
        flash(OVER if has_begun else CANCELLED, "notice")
    return answer


@blueprint.get("/<public_id>/projector")
def projector(public_id: str) -> View:
    about = loaded_competition(public_id)
    part = part_of(about, "projector")
    return render_template("competitions/projector.html", part=part, **seen(about, projected=True))


@blueprint.get("/<public_id>/projector/piece")
def projector_piece(public_id: str) -> Response:
    about = loaded_competition(public_id)
    return piece_of(part_of(about, "projector"), **seen(about, projected=True))


@blueprint.get("/<public_id>/table.csv")
def csv(public_id: str) -> Response:
    """With real names for who teaches the class, as the file of its results."""
    about = loaded_competition(public_id)
    view, known = seen(about)["view"], _known(about)
    headers = {"Content-Disposition": f"attachment; filename={file_name(about.name, 'competition.csv')}"}
    file = agents_csv(view, known) if isinstance(view, AgentsView) else as_csv(view, known)
    return Response(file, headers=headers, content_type="text/csv; charset=utf-8")


def _known(about: CompetitionRecord) -> KnownBy:
    if about.classroom_id is None or about.role is not Role.INSTRUCTOR:
        return None
    return {one.user_id: Known(one.real_name, one.external_id) for one in students_of(about.classroom_id)}


@blueprint.get("/<public_id>/games/<int:first>/<int:second>")
def games(public_id: str, first: int, second: int) -> View:
    """Of two entries that met more than once, or under an older version of a program."""
    view: CompetitionView | AgentsView = seen(loaded_competition(public_id))["view"]
    if first not in view.entries or second not in view.entries:
        raise NotThere
    pair = {"one": view.entries[first], "other": view.entries[second], "games": view.between(first, second)}
    return render_template("competitions/games.html", about=view.about, told=told, **pair)


@blueprint.get("/of-game/<public_id>")
def of_game(public_id: str) -> View:
    """To the competition that a game belongs to: so a game's page need not know it."""
    game = game_seen_by(current_user.id, public_id)
    found = competition_of_game(game.public_id)
    if found is None:
        raise NotThere
    return redirect(url_for("competitions.show", public_id=found), 303)
