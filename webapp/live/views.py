"""The stream: `GET /events?game=<id>` or `?lobby`. It says that something changed; the page fetches what."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, cast

from flask import Blueprint, Flask, Response, current_app, request, session
from flask.blueprints import BlueprintSetupState
from flask_login import current_user

from webapp.accounts.current_user import CurrentUser, Nobody
from webapp.accounts.sessions import current_session_id
from webapp.config import Settings
from webapp.extensions import SETTINGS
from webapp.games.queries import game_seen_by
from webapp.live import queries
from webapp.live.line import Line, can_take_over
from webapp.live.streams import Stream, Streams, event
from webapp.live.watcher import Watcher

blueprint = Blueprint("live", __name__)

COME_BACK = (1000, 4000)  # milliseconds: after a restart the pages do not all come in one moment
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@blueprint.record_once
def _begin(state: BlueprintSetupState) -> None:
    given: Settings = state.app.extensions[SETTINGS]
    streams = Streams(given.streams, given.streams_per_user)
    state.app.extensions["noughts_streams"] = streams
    state.app.extensions["noughts_watcher"] = Watcher(cast(Flask, state.app), streams)


@blueprint.get("/events")
def events() -> Response:
    """204 where there is no room: it stops the browser's EventSource, and the page asks `/state` instead."""
    me: CurrentUser | Nobody = current_user._get_current_object()
    stream = _lobby_stream(me) if "lobby" in request.args else _game_stream(me, request.args.get("game", ""))
    streams: Streams = current_app.extensions["noughts_streams"]
    if not can_take_over(request.environ) or not streams.add(stream):
        return Response(status=204)
    body = _first_word(stream, current_app.extensions["noughts_watcher"], request.environ)
    response = Response(body, mimetype="text/event-stream", headers=HEADERS)
    response.call_on_close(lambda: streams.end_unheard(stream))
    return response


def _game_stream(me: CurrentUser | Nobody, public_id: str) -> Stream:
    game = game_seen_by(me.id, public_id)
    return _stream(me, game.id, queries.version_of(game), queries.age_of(game))


def _lobby_stream(me: CurrentUser | Nobody) -> Stream:
    """What is in the lobby now is read here, because the page fetches it afresh at the first word."""
    games = queries.lobby_games([me.id] if me.id else [])
    return _stream(me, None, queries.lobby_of(me.id, games), queries.lobby_scene())


def _stream(me: CurrentUser | Nobody, game_id: int | None, told: Any, told_slowly: Any) -> Stream:
    return Stream(
        game_id,
        holder=me.id or session["csrf_token"],
        user_id=me.id,
        session_id=current_session_id(),
        is_account=me.name is not None,  # a guest has none
        told=told,
        told_slowly=told_slowly,
    )


def _first_word(stream: Stream, watcher: Watcher, environ: Mapping[str, Any]) -> Iterator[str]:
    """At once: a page that does not get it knows that something on the way holds it back.

    When the server asks for more, it has sent this; the rest is the watcher's, and the thread is free for others.
    """
    retry = random.randint(*COME_BACK)  # noqa: S311 - it spreads work
    version = {"version": stream.told} if stream.game_id else {}
    yield f"retry: {retry}\n{event('hello', **version)}"
    stream.line = Line(environ)
    watcher.watch()
