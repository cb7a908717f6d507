"""The pages under the account where people make and keep their agents."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_login import current_user

from webapp.accounts.access import account_required
from webapp.accounts.forms import show_errors
from webapp.accounts.names import BadName, NameTaken
from webapp.agents import services
from webapp.agents.forms import AgentSettingsForm, NewAgentForm
from webapp.agents.queries import AgentRecord, agent_for, agents_of
from webapp.agents.refusals import MadeAlready, TooManyAgents
from webapp.agents.services import MOST_AGENTS, NewToken
from webapp.classrooms.queries import rooms_without_agents
from webapp.errors import Refusal

blueprint = Blueprint("agents", __name__, url_prefix="/account/agents")


def _page(form: NewAgentForm, status: int = 200, sentence: str = "") -> tuple[str, int]:
    shown: dict[str, Any] = {"agents": agents_of(current_user.id), "most": MOST_AGENTS, "sentence": sentence}
    shown["rooms_without"] = rooms_without_agents(current_user.id)
    return render_template("agents/agents.html", form=form, **shown), status


def _token_page(made: NewToken) -> str:
    """Shown once: 200 and not stored, by the browser either."""
    return render_template("agents/token.html", made=made)


@blueprint.get("")
@account_required("agents.all")
def all() -> Any:
    return _page(NewAgentForm())


@blueprint.post("")
@account_required("agents.all")
def make() -> Any:
    form = NewAgentForm()
    fields = (form.name.data or "", _words(form.plays_with.data), request.form.get("key", ""))
    try:
        return _token_page(services.make_agent(current_user.id, *fields))
    except MadeAlready as refusal:
        return _page(NewAgentForm(formdata=None), refusal.status, refusal.sentence)
    except Refusal as refusal:
        field = "name" if isinstance(refusal, BadName | NameTaken | TooManyAgents) else "plays_with"
        show_errors(form, {field: refusal.sentence})
        return _page(form, refusal.status)


def _words(text: str | None) -> str:
    return (text or "").strip()


@blueprint.post("/<int:agent_id>/token")
@account_required("agents.all")
def renew(agent_id: int) -> Any:
    sent = (request.form.get("key", ""), request.form.get("after"))
    try:
        return _token_page(services.renew_token(current_user.id, agent_id, *sent))
    except MadeAlready as refusal:
        return _page(NewAgentForm(formdata=None), refusal.status, refusal.sentence)


@blueprint.post("/<int:agent_id>/revoke")
@account_required("agents.all")
def revoke(agent_id: int) -> Any:
    agent = agent_for(current_user.id, agent_id)
    services.revoke_token(current_user.id, agent_id)
    flash(f"The token of {agent.name} is stopped. It works no longer.", "notice")
    return redirect(url_for("agents.all"), 303)


@blueprint.get("/<int:agent_id>")
@account_required("agents.all")
def show(agent_id: int) -> Any:
    agent = agent_for(current_user.id, agent_id)
    form = AgentSettingsForm(accepts=agent.accepts, games_at_once=str(agent.games_at_once), plays_with=agent.plays_with)
    return _settings_page(agent, form)


@blueprint.post("/<int:agent_id>")
@account_required("agents.all")
def change(agent_id: int) -> Any:
    agent, form = agent_for(current_user.id, agent_id), AgentSettingsForm()
    try:
        services.change_settings(current_user.id, agent_id, *form.chosen())
    except Refusal as refusal:
        show_errors(form, {"plays_with": refusal.sentence})
        return _settings_page(agent, form), refusal.status
    flash(f"The settings of {agent.name} are saved.", "notice")
    return redirect(url_for("agents.all"), 303)


def _settings_page(agent: AgentRecord, form: AgentSettingsForm) -> str:
    return render_template("agents/agent.html", agent=agent, form=form)
