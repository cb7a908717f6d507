"""The stream: `GET /events?game=<id>` or `?lobby`. It says that something changed; the page fetches what."""

import json
import random
from collections.abc import Iterator
from typing import Any, cast

from flask import Blueprint, Flask, Response, current_app, request, session
from flask.blueprints import BlueprintSetupState
from flask_login import current_user

from webapp.accounts.presence import note_page
from webapp.games.queries import game_seen_by
from webapp.games.views import is_account
from webapp.live import queries
from webapp.live.streams import Stream, Streams
from webapp.live.watcher import Watcher
from webapp.sessions import current_session_id

blueprint = Blueprint("live", __name__)

BEAT_SECONDS = 15
COME_BACK = (1000, 4000)  # milliseconds: after a restart the pages do not all come in one moment
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@blueprint.record_once
def _begin(state: BlueprintSetupState) -> None:
    streams = Streams(state.app.config["NOUGHTS_STREAMS"], state.app.config["NOUGHTS_STREAMS_PER_USER"])
    state.app.extensions["noughts_streams"] = streams
    state.app.extensions["noughts_watcher"] = Watcher(cast(Flask, state.app), streams)


@blueprint.get("/events")
def events() -> Response:
    """204 where there is no room: it stops the browser's EventSource, and the page asks `/state` instead."""
    stream = _lobby_stream() if "lobby" in request.args else _game_stream(request.args.get("game", ""))
    if not streams_of_app().add(stream):
        return Response(status=204)
    if is_account():
        note_page(current_user.id)
    current_app.extensions["noughts_watcher"].watch()
    streams = streams_of_app()
    response = Response(_lines(stream), mimetype="text/event-stream", headers=HEADERS)
    response.call_on_close(lambda: streams.remove(stream))
    return response


def streams_of_app() -> Streams:
    streams: Streams = current_app.extensions["noughts_streams"]
    return streams


def _game_stream(public_id: str) -> Stream:
    game = game_seen_by(current_user.id, public_id)
    return _stream(game.id, queries.version_of(game), queries.ages([game.id]).get(game.id))


def _lobby_stream() -> Stream:
    """What is in the lobby now is read here, because the page fetches it afresh at the first word."""
    me = current_user.id
    return _stream(None, queries.lobby_of(me, queries.lobby_games([me] if me else [])), queries.lobby_scene())


def _stream(game_id: int | None, told: Any, told_slowly: Any) -> Stream:
    return Stream(
        game_id,
        holder=current_user.id or session["csrf_token"],
        user_id=current_user.id,
        session_id=current_session_id(),
        is_account=is_account(),
        line=request.environ.get("gunicorn.socket") or request.environ.get("werkzeug.socket"),
        told=told,
        told_slowly=told_slowly,
    )


def _lines(stream: Stream) -> Iterator[str]:
    """The first line at once: a page that does not get it knows that something on the way holds it back."""
    retry = random.randint(*COME_BACK)  # noqa: S311 - it spreads work
    version = {"version": stream.told} if stream.game_id else {}
    yield f"retry: {retry}\n{_event('hello', version)}"
    while (news := stream.next(BEAT_SECONDS)) is not None:
        yield _event(*news)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
