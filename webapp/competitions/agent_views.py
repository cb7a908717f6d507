"""What is pressed on the page of a competition of agents, and the page of one agent in it."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.accounts.access import account_required
from webapp.competitions.agent_entries import enter_agent, replace_agent, withdraw_agent
from webapp.competitions.agent_games import begin_game
from webapp.competitions.agent_page import AgentPage
from webapp.competitions.agent_queries import AgentEntry, candidates_for, entries_in
from webapp.competitions.agent_view import AgentsView, seconds
from webapp.competitions.loading import THIS, loaded_competition
from webapp.competitions.pages import page_of, settled_agents
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.refusals import EntriesClosed
from webapp.competitions.states import CompetitionKind
from webapp.errors import BadRequest, NotThere, Refusal
from webapp.row_ids import ids_among

blueprint = Blueprint("competition_agents", __name__, url_prefix="/competitions")

View = str | Response | tuple[str, int]


def _loaded(public_id: str) -> CompetitionRecord:
    about = loaded_competition(public_id)
    if about.kind is not CompetitionKind.AGENTS:
        raise NotThere
    return about


def _entry(view: AgentsView, entry_id: int, changes: bool = False) -> AgentEntry:
    """404 for one of another competition, and for who may not do with it what is asked."""
    entry = view.entries.get(entry_id)
    if entry is None or (changes and not view.may_change(entry)):
        raise NotThere
    return entry


def _back(public_id: str) -> Response:
    return redirect(url_for("competitions.show", public_id=public_id), 303)


@blueprint.post("/<public_id>/agents")
@account_required(THIS)
def enter(public_id: str) -> View:
    """One agent of one's own; or, for an instructor, all of the class that were never in."""
    about = _loaded(public_id)
    allowed = {one.agent_id for one in candidates_for(about)}
    if request.form.get("agent") == "all" and about.may_manage:
        asked = allowed - {entry.user_id for entry in entries_in(about.id)}
    elif not (asked := ids_among(request.form.getlist("agent"))):
        raise BadRequest("No agent was chosen. Go back, reload the page, and press the button again.")
    if not asked <= allowed:
        raise NotThere
    try:
        for agent_id in sorted(asked):
            enter_agent(about, agent_id)
            begin_game(agent_id)
    except EntriesClosed as refusal:
        return _refused(public_id, refusal)
    return _back(public_id)


@blueprint.post("/<public_id>/entries/<int:entry_id>/replace")
@account_required(THIS)
def replace(public_id: str, entry_id: int) -> View:
    """The page says which version it showed, so that two presses make one new version."""
    about = _loaded(public_id)
    entry = _entry(AgentsView(about), entry_id, changes=True)
    try:
        replace_agent(about, entry.user_id or 0, entry.program_version)
        begin_game(entry.user_id or 0)
    except EntriesClosed as refusal:
        return _refused(public_id, refusal)
    return _back(public_id)


@blueprint.post("/<public_id>/entries/<int:entry_id>/withdraw")
@account_required(THIS)
def withdraw(public_id: str, entry_id: int) -> View:
    about = _loaded(public_id)
    entry = _entry(AgentsView(about), entry_id, changes=True)
    try:
        if entry.replaced_by is None:
            withdraw_agent(about, entry.user_id or 0)
    except EntriesClosed as refusal:
        return _refused(public_id, refusal)
    return _back(public_id)


def _refused(public_id: str, refusal: Refusal) -> View:
    """The sentence stands on the page where it was pressed."""
    return page_of(loaded_competition(public_id), sentence=refusal.sentence), refusal.status


@blueprint.get("/<public_id>/entries/<int:entry_id>")
def entry(public_id: str, entry_id: int) -> View:
    """All games of one agent, older versions of it on pages of their own."""
    view = settled_agents(_loaded(public_id))
    page = AgentPage(view, _entry(view, entry_id))
    return render_template("competitions/agent.html", about=view.about, page=page, entry=page.entry, seconds=seconds)


@blueprint.get("/<public_id>/crosstable")
def crosstable(public_id: str) -> View:
    """Of a competition with too many agents for its page."""
    view = settled_agents(_loaded(public_id))
    if view.about.started_at is None:
        return _back(public_id)
    return render_template("competitions/crosstable.html", about=view.about, view=view)
