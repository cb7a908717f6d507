"""One thread in each process that looks for changes and wakes the streams that they concern.

It begins with the first stream, so after the fork, and ends with the last. No connection is held for a stream.
"""

import logging
import threading
import time
from collections.abc import Callable

from flask import Flask

from webapp.accounts import presence
from webapp.live import queries
from webapp.live.news import News, news_of_database
from webapp.live.streams import Stream, Streams

log = logging.getLogger("noughts.live")

LOOK_AROUND_EVERY = 3.0  # seconds: for what time alone changes, and should a message of the database be lost
LOBBY_SHARE = 0.01  # seconds of a process that a lobby page costs; many pages of it are told one after another
AFTER_TROUBLE = 1.0


class Watcher:
    def __init__(self, app: Flask, streams: Streams) -> None:
        self.app, self.streams = app, streams
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._is_new = False  # a stream has come whose page may be older than the last look

    def watch(self) -> None:
        """Called after a stream was added."""
        self._is_new = True
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
                self._thread.start()

    def _has_work(self) -> bool:
        if self.streams.is_ending:
            self.streams.end_all()
        with self._lock:
            if not self.streams.all():
                self._thread = None
            return self._thread is not None

    def _run(self) -> None:
        while self._has_work():
            try:
                with self.app.app_context():
                    self._watch(news_of_database())
            except Exception as trouble:  # whatever it is, the pages go on waiting for news
                log.error("The watcher begins again: %s", " ".join(str(trouble).split()))
                time.sleep(AFTER_TROUBLE)

    def _watch(self, news: News) -> None:
        around = _Every(LOOK_AROUND_EVERY, self._look_around)
        house = _Every(presence.WRITTEN_EVERY.total_seconds(), self._keep_house)
        hung_up = _Every(1, lambda: self.streams.take_out_gone())
        self._is_new = True
        try:
            while self._has_work():
                for duty in (hung_up, house, around):
                    duty.do_if_due()
                if news.wait() or self._is_new:
                    self._is_new = False
                    self._look()
        finally:
            news.close()

    def _look(self) -> None:
        """At what people wait for: the versions of their games, and in the lobby who wants to play."""
        games, lobby = _parted(self.streams.all())
        if games:
            versions = queries.versions({stream.game_id for stream in games if stream.game_id})
            for stream in games:
                version = versions.get(stream.game_id or 0, stream.told)
                if version != stream.told:
                    stream.told = version
                    stream.tell({"version": version})
        if lobby:
            seen = queries.lobby_games({stream.user_id for stream in lobby if stream.user_id})
            for stream in lobby:
                if (now := queries.lobby_of(stream.user_id, seen)) != stream.told:
                    stream.told = now
                    _tell_in_turn(stream, lobby)

    def _look_around(self) -> None:
        """At what only time or people's coming and going changes. Who is told of a change anyway is not told twice."""
        games, lobby = _parted(self.streams.all())
        ages = queries.ages({stream.game_id for stream in games if stream.game_id}) if games else {}
        scene = queries.lobby_scene() if lobby else set()
        told = {stream: stream.told for stream in games + lobby}
        self._look()
        for stream in told:
            now = ages.get(stream.game_id) if stream.game_id else scene
            if now != stream.told_slowly:
                stream.told_slowly = now
                if stream.told == told[stream]:
                    self._tell_of_people(stream, lobby)

    def _tell_of_people(self, stream: Stream, lobby: list[Stream]) -> None:
        if stream.game_id:
            stream.tell({"version": stream.told, "what": "people"})
        else:
            _tell_in_turn(stream, lobby)

    def _keep_house(self) -> None:
        """Everybody who listens is here; and whose session has ended listens no longer."""
        streams = self.streams.all()
        presence.note({stream.user_id for stream in streams if stream.user_id and stream.is_account}, by_stream=True)
        sessions = {stream.session_id for stream in streams if stream.session_id}
        ended = sessions - queries.live_sessions(sessions) if sessions else set()
        for stream in streams:
            if stream.session_id in ended:
                self.streams.remove(stream)
                stream.end()


def _parted(streams: list[Stream]) -> tuple[list[Stream], list[Stream]]:
    games = [stream for stream in streams if stream.game_id is not None]
    return games, [stream for stream in streams if stream.game_id is None]


def _tell_in_turn(stream: Stream, lobby: list[Stream]) -> None:
    if not stream.has_news():
        stream.tell({}, within=LOBBY_SHARE * len(lobby))


class _Every:
    def __init__(self, seconds: float, duty: Callable[[], None]) -> None:
        self.seconds, self.duty = seconds, duty
        self.next = time.monotonic()

    def do_if_due(self) -> None:
        if time.monotonic() >= self.next:
            self.next = time.monotonic() + self.seconds
            self.duty()
