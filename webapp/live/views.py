"""The stream: `GET /events?game=<id>`, `?lobby`, `?classroom=<id>` or `?competition=<id>`.

It says that something changed, not what.

Every stream of an account tells as well what waits for it; without a parameter that is all it tells.
"""

import random
from collections.abc import Mapping
from typing import Any, cast

from flask import Blueprint, Flask, Response, current_app, request, session
from flask.blueprints import BlueprintSetupState
from flask_login import current_user

from webapp.accounts.current_user import CurrentUser, Nobody
from webapp.accounts.sessions import current_session_id
from webapp.classrooms.queries import classroom_for
from webapp.competitions.queries import competition_for
from webapp.competitions.records import Viewer
from webapp.extensions import settings_of
from webapp.games.permissions import restrictions
from webapp.games.queries import game_seen_by
from webapp.games.states import Visibility
from webapp.live import queries
from webapp.live.classrooms import classroom_scenes
from webapp.live.competitions import competition_scenes
from webapp.live.streams import Stream, Streams, event
from webapp.live.watcher import Watcher
from webapp.serving.channel import Channel, open_channel

blueprint = Blueprint("live", __name__)

COME_BACK = (1000, 4000)  # milliseconds: after a restart the pages do not all come in one moment
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@blueprint.record_once
def _begin(state: BlueprintSetupState) -> None:
    given = settings_of(cast(Flask, state.app))
    streams = Streams(given.streams, max(1, given.streams_per_user // given.workers))
    state.app.extensions["noughts_streams"] = streams
    state.app.extensions["noughts_watcher"] = Watcher(cast(Flask, state.app), streams)


@blueprint.get("/events")
def events() -> Response:
    """204 where there is no room: it stops the browser's EventSource, and the page asks `/state` instead."""
    me: CurrentUser | Nobody = current_user._get_current_object()
    if (channel := open_channel(request.environ)) is None:
        return Response(status=204)
    stream = _stream_for(me, channel, request.args)
    if stream is None or not current_app.extensions["noughts_streams"].add(stream):
        return Response(status=204)
    current_app.extensions["noughts_watcher"].watch()
    return Response(_first_words(stream), mimetype="text/event-stream", headers=HEADERS)


def _stream_for(me: CurrentUser | Nobody, channel: Channel, asked: Mapping[str, str]) -> Stream | None:
    if "lobby" in asked:
        return _lobby_stream(me, channel)
    if "game" in asked:
        return _game_stream(me, channel, asked["game"])
    if "classroom" in asked:
        return _classroom_stream(me, channel, asked["classroom"])
    if "competition" in asked:
        return _competition_stream(me, channel, asked["competition"])
    return _stream(me, channel) if me.name is not None else None  # no game waits for who has no account


def _game_stream(me: CurrentUser | Nobody, channel: Channel, public_id: str) -> Stream:
    game = game_seen_by(me.id, public_id)
    is_public = game.visibility == Visibility.PUBLIC and (game.mark_of(me.id) or not restrictions())
    of_game = {"public_id": public_id, "is_private": not is_public}
    version, age = game.page_version, queries.age_of(game)
    return _stream(me, channel, game.id, **of_game, sent_version=version, sent_slow_state=age)


def _lobby_stream(me: CurrentUser | Nobody, channel: Channel) -> Stream:
    """What is in the lobby now is read here, because the page fetches it afresh at the first word."""
    version, slow_state = queries.LobbyVersions([me.id] if me.id else []).of(me.id), queries.lobby_slow_state()
    return _stream(me, channel, is_lobby=True, sent_version=version, sent_slow_state=slow_state)


def _classroom_stream(me: CurrentUser | Nobody, channel: Channel, public_id: str) -> Stream:
    classroom = classroom_for(public_id, me.id)
    scene = classroom_scenes([classroom.id])[classroom.id]
    return _stream(me, channel, public_id=public_id, classroom_id=classroom.id, sent_slow_state=scene)


def _competition_stream(me: CurrentUser | Nobody, channel: Channel, public_id: str) -> Stream:
    about = competition_for(public_id, Viewer(me.id))
    scene = competition_scenes([about.id]).get(about.id)
    return _stream(me, channel, competition_id=about.id, is_private=not about.is_open, sent_slow_state=scene)


def _stream(me: CurrentUser | Nobody, channel: Channel, game_id: int | None = None, **known: Any) -> Stream:
    return Stream(
        game_id,
        channel,
        holder=me.id or session["csrf_token"],
        user_id=me.id,
        session_id=current_session_id(),
        is_account=me.name is not None,  # a guest has none
        **known,
    )


def _first_words(stream: Stream) -> str:
    """At once: a page that does not get them knows that something on the way holds them back."""
    retry = random.randint(*COME_BACK)  # noqa: S311 - it spreads work
    version = {"version": stream.sent_version} if stream.game_id else {}
    return f"retry: {retry}\n{event('hello', **version)}"
