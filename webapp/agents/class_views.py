"""An instructor makes agents for a whole class: the cards with their tokens answer a post with 200, and never again."""

from typing import Any

from flask import Blueprint, render_template, request

from webapp.accounts.access import account_required
from webapp.agents.class_agents import make_class_agents
from webapp.agents.refusals import AgentsAreOff
from webapp.classrooms.loading import in_use
from webapp.classrooms.roles import Role

blueprint = Blueprint("class_agents", __name__, url_prefix="/classrooms/<public_id>")


@blueprint.post("/agents")
@account_required("rosters.students/{public_id}")
def make(public_id: str) -> Any:
    classroom = in_use(public_id, Role.INSTRUCTOR)
    if not classroom.allows_agents:
        raise AgentsAreOff
    cards, others = make_class_agents(classroom.id, request.form.get("key", ""))
    return render_template("agents/class_cards.html", classroom=classroom, cards=cards, others=others)
