"""The API that agents speak: JSON in and out, a bearer token and no cookie. See docs/api.md."""

import time
from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app, g, request
from flask.blueprints import BlueprintSetupState
from sqlalchemy import Connection

from webapp.accounts.presence import note_page
from webapp.agents import bodies, limits, playing
from webapp.agents.answers import AgentAnswer, NextAnswer, game_answer
from webapp.agents.openapi import document
from webapp.agents.playing import Accepted
from webapp.agents.queries import AgentRecord, agent_with, unfinished_count
from webapp.agents.refusals import NewerCopy
from webapp.agents.waiting import WAITERS, Waiter, Waiters
from webapp.database import release_connection
from webapp.errors import Refusal
from webapp.extensions import app_random, csrf
from webapp.games.deadlines import settle_due
from webapp.games.permissions import levels_for
from webapp.games.queries import game_seen_by
from webapp.serving.clients import tell_known
from webapp.serving.deferral import LATER, defer, deferred_state

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
csrf.exempt(blueprint)  # no cookie counts here, so no other site can speak for somebody

COME_BACK = 2  # seconds: where nobody can be kept waiting
SCHEME = "bearer "


@blueprint.record_once
def _begin(state: BlueprintSetupState) -> None:
    app = state.app
    assert isinstance(app, Flask)  # noqa: S101 - nobody else registers blueprints
    app.extensions[WAITERS] = Waiters()


@blueprint.before_request
def authenticate() -> None:
    given = request.headers.get("Authorization", "")
    if request.endpoint == "api.openapi":  # anybody may read what there is
        return
    token = given[len(SCHEME):].strip() if given.lower().startswith(SCHEME) else ""
    g.agent = agent_with(token)
    tell_known(request.environ, token, g.agent.owner_id)


@blueprint.after_request
def name_the_scheme(response: Response) -> Response:
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="noughts"'
    return response


def _me() -> AgentRecord:
    agent: AgentRecord = g.agent
    return agent


def _answer(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(content), status, headers, mimetype="application/json")


@blueprint.get("/openapi.json")
def openapi() -> Response:
    text = document(f"{request.script_root}{blueprint.url_prefix}")
    return Response(text, mimetype="application/json", headers={"Cache-Control": "public, max-age=300"})


@blueprint.get("/agent")
def agent() -> Response:
    me = _me()
    limits.count_request(me.user_id)
    games, levels = unfinished_count(me.user_id), levels_for(me.user_id)
    who = (me.name, me.owner, me.plays_with, me.accepts, me.games_at_once)
    return _answer(AgentAnswer(*who, games, levels, bodies.LONGEST_WAIT))


@blueprint.post("/agent/next")
def next_job() -> Response:
    """Answer the last job and ask for the next. It may be asked again by the server, when there may be one."""
    waiter: Waiter | None = deferred_state(request.environ)
    if waiter is None:
        waiter = _begin_to_wait(_me())
    elif waiter.number != _me().wait_number:
        raise NewerCopy
    settle_due()
    job = playing.next_job(waiter.user_id)
    rest = waiter.ends_at - time.monotonic()
    if job is None and rest > 0:
        return _wait(waiter, rest)
    return _answer(NextAnswer(waiter.accepted, job))


def _begin_to_wait(me: AgentRecord) -> Waiter:
    """A request with a new move counts for no limit, and gets its number in the unit of the move. One that does not
    wait is numbered too: it ends the wait of an older copy.
    """
    numbers: list[int] = []

    def number(connection: Connection) -> None:
        numbers.append(limits.number_wait(connection, me.user_id))

    try:
        asked = bodies.read(request.get_data(), bodies.Next)
        played = playing.play_answer(me.user_id, asked.answer, app_random(), number) if asked.answer else None
    except Refusal:
        limits.count_request(me.user_id)
        raise
    finally:
        note_page(me.user_id, by_stream=True)  # not before: a move need not wait until that is on the disk
    newest = numbers[-1] if numbers else limits.count_wait(me.user_id)
    _waiters().wake(me.user_id)
    accepted = None if played is None else played is not Accepted.NO
    return Waiter(me.user_id, newest, accepted, ends_at=time.monotonic() + asked.wait)


def _wait(waiter: Waiter, seconds: float) -> Response:
    release_connection()
    waiter.deferral = defer(request.environ, seconds, waiter)
    if waiter.deferral is None:
        return _answer(NextAnswer(waiter.accepted, None), headers={"Retry-After": str(COME_BACK)})
    _waiters().add(waiter)
    return Response(status=LATER)


def _waiters() -> Waiters:
    waiters: Waiters = current_app.extensions[WAITERS]
    return waiters


@blueprint.post("/games")
def start() -> Response:
    me, wish = _me(), bodies.read(request.get_data(), bodies.NewGame)
    limits.count_game(me.user_id)
    return _answer(game_answer(playing.start_game(me.user_id, wish, app_random())), 201)


@blueprint.get("/games/<public_id>")
def game(public_id: str) -> Response:
    limits.count_request(_me().user_id)
    settle_due()
    return _answer(game_answer(game_seen_by(_me().user_id, public_id)))


@blueprint.post("/games/<public_id>/resign")
def resign(public_id: str) -> Response:
    me = _me()
    limits.count_request(me.user_id)
    given = bodies.read(request.get_data() or b"{}", bodies.Resignation)
    return _answer(game_answer(playing.resign(me.user_id, public_id, bodies.one_line(given.cause))))
