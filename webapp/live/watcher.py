"""One thread in each process that looks for changes, tells the streams that they concern, and wakes waiting agents.

It begins with the first stream or agent, so after the fork, and ends with the last. Who waits holds neither a thread
nor a connection to the database.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import islice

from flask import Flask

from webapp.accounts import presence
from webapp.agents.waiting import WAITERS, Waiters
from webapp.classrooms.waiting import asked_now
from webapp.games import waiting
from webapp.live import competitions, queries
from webapp.live.classrooms import classroom_scenes, members_among, pause
from webapp.live.commits import Commits, commits_of_database
from webapp.live.streams import HEARTBEAT, Stream, Streams, event
from webapp.measured import measured_by

log = logging.getLogger("noughts.live")

REST = 0.05  # seconds between two looks
SLOW_CHANGES_EVERY = 3.0  # seconds: for what time alone changes, and should a message of the database be lost
CLASSROOMS_EVERY = 1.0  # seconds
AGENTS_EVERY = 1.0  # seconds: for what no message of the database tells, as that a newer copy of one waits
COUNT_EVERY = 0.25  # seconds, at most: how many games wait for somebody
HEARTBEAT_EVERY = 15.0  # seconds: a page that hears nothing for longer than two heartbeats looks for another way
FETCH_SHARE = 0.01  # seconds of a process that a page costs when it fetches what is new
AFTER_TROUBLE = 1.0


class Watcher:
    def __init__(self, app: Flask, streams: Streams) -> None:
        self.app, self.streams = app, streams
        self.agents: Waiters = app.extensions[WAITERS]
        self.agents.on_add = self.watch
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._is_new = False  # a stream has come whose page may be older than the last look
        self._is_counted = True  # nothing has changed since it was asked how many games wait for whom
        self._queued: dict[Stream, None] = {}  # pages that are still to be told of what can wait, in their order
        self._queue_sent_at = 0.0

    def watch(self) -> None:
        """Called when a stream has begun to listen, or an agent to wait."""
        self._is_new = True
        with self._lock:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="watcher", daemon=True)
                try:
                    thread.start()
                    self._thread = thread
                except RuntimeError as trouble:  # too many threads: whoever comes next begins it
                    log.error("The watcher could not begin: %s", trouble)

    def _has_work(self) -> bool:
        measured = measured_by(self.app)
        with self._lock:
            pages, agents = len(self.streams.listening()), len(self.agents.waiting())
            measured.live_pages(pages)
            measured.waiting_agents(agents)
            if not pages and not agents:
                self._thread = None
            return self._thread is not None

    def _run(self) -> None:
        while True:
            try:
                if self._has_work():
                    with self.app.app_context():
                        self._watch(commits_of_database())
                return  # nobody waits any more; whoever comes begins another thread
            except Exception as trouble:  # whatever it is, the pages go on waiting
                log.error("The watcher begins again: %s", " ".join(str(trouble).split()))
                time.sleep(AFTER_TROUBLE)

    def _watch(self, commits: Commits) -> None:
        slow_changes = _Every(SLOW_CHANGES_EVERY, self._send_slow_changes)
        presence_refresh = _Every(presence.WRITTEN_EVERY.total_seconds(), self._refresh_presence)
        closed = _Every(1, self._drop_closed_streams)
        count = _Every(COUNT_EVERY, self._send_waiting)
        heartbeats = _Every(HEARTBEAT_EVERY / 15, self._send_heartbeats)
        classrooms = _Every(CLASSROOMS_EVERY, self._queue_changed_classrooms)
        contests = _Every(CLASSROOMS_EVERY, self._queue_changed_competitions)
        agents = _Every(AGENTS_EVERY, self._tend_agents)
        self._is_new = True
        try:
            while self._has_work():
                for task in (closed, presence_refresh, slow_changes, count, heartbeats, classrooms, contests, agents):
                    task.run_if_due()
                if commits.wait(REST) or self._is_new:
                    self._is_new = False
                    self._send_changes()
                self._send_queued()
        finally:
            commits.close()

    def _send_changes(self) -> None:
        """What people wait for: the versions of their games, and in the lobby who wants to play."""
        self._is_counted = False
        self.agents.wake_ready()
        self._end_with_their_sessions()
        games, lobby = _parted(self.streams.listening())
        if games:
            self._send_changed_games(games)
        if lobby:
            self._queue_changed_lobbies(lobby)

    def _send_changed_games(self, games: list[Stream]) -> None:
        known = {stream.game_id: stream.sent_version for stream in games if stream.game_id}
        changed = queries.changed_versions(known)
        private = [stream for stream in games if stream.is_private and stream.game_id in changed]
        hidden = queries.hidden_games({(stream.game_id, stream.user_id) for stream in private}) if private else set()
        versions = known | changed
        for stream in games:
            if (stream.game_id, stream.user_id) in hidden:
                self._end(stream)
            elif stream.game_id and (version := versions[stream.game_id]) != stream.sent_version:
                stream.sent_version = version
                self._queued.pop(stream, None)
                self._send_changed(stream, version=version)

    def _queue_changed_lobbies(self, lobby: list[Stream]) -> None:
        newest = queries.LobbyVersions({stream.user_id for stream in lobby if stream.user_id})
        for stream in lobby:
            if (version := newest.of(stream.user_id)) != stream.sent_version:
                stream.sent_version = version
                self._queued[stream] = None

    def _queue_changed_classrooms(self) -> None:
        """A stream ends with the right to see the classroom, at once."""
        streams = {stream: stream.classroom_id for stream in self.streams.listening() if stream.classroom_id}
        if not streams:
            return
        members = members_among({(classroom_id, stream.user_id) for stream, classroom_id in streams.items()})
        scenes = classroom_scenes(set(streams.values()))
        for stream, classroom_id in streams.items():
            if (classroom_id, stream.user_id) not in members:
                self._end(stream)
                continue
            scene = scenes[classroom_id]
            if scene != stream.sent_slow_state and time.monotonic() - stream.sent_at >= pause(scene):
                stream.sent_slow_state = scene
                self._queued[stream] = None

    def _queue_changed_competitions(self) -> None:
        """A stream of one that not everybody may see ends with the right to see it."""
        streams = {stream: stream.competition_id for stream in self.streams.listening() if stream.competition_id}
        if not streams:
            return
        private = {(one, stream.user_id) for stream, one in streams.items() if stream.is_private}
        seen = competitions.seen_among(private) if private else set()
        scenes = competitions.competition_scenes(set(streams.values()))
        for stream, one in streams.items():
            pause = competitions.pause(scenes[one])
            if stream.is_private and (one, stream.user_id) not in seen:
                self._end(stream)
            elif scenes[one] != stream.sent_slow_state and time.monotonic() - stream.sent_at >= pause:
                stream.sent_slow_state = scenes[one]
                self._queued[stream] = None

    def _end_with_their_sessions(self) -> None:
        streams = self.streams.listening()
        sessions = {stream.session_id for stream in streams if stream.session_id}
        ended = queries.ended_sessions(sessions) if sessions else set()
        for stream in streams:
            if stream.session_id in ended:
                self._end(stream)

    def _end(self, stream: Stream) -> None:
        """The page fetches once more, and is shown what it still may see."""
        self._send_changed(stream)
        self.streams.end([stream])

    def _send_waiting(self) -> None:
        """What waits for each of those who listen, if that is not what their page shows."""
        if self._is_counted:
            return
        self._is_counted = True
        streams = [stream for stream in self.streams.listening() if stream.is_account]
        games = queries.waiting_games({stream.user_id for stream in streams if stream.user_id}) if streams else {}
        asked = asked_now() if streams else {}
        for stream in streams:
            me = stream.user_id or 0
            now = waiting.told(games.get(me, []), but=stream.public_id, classroom=asked.get(me))
            if now != stream.sent_waiting:
                stream.sent_waiting = now
                stream.send(event("waiting", **asdict(now)))

    def _send_slow_changes(self) -> None:
        """What only time, or people who come and go, change. Who is told of a change anyway is not told twice."""
        games, lobby = _parted(self.streams.listening())
        ages = queries.ages({stream.game_id for stream in games if stream.game_id}) if games else {}
        slow_state = queries.lobby_slow_state() if lobby else set()
        told = {stream: stream.sent_version for stream in games + lobby}
        self._send_changes()
        for stream in told:
            now = ages.get(stream.game_id) if stream.game_id else slow_state
            if now != stream.sent_slow_state:
                stream.sent_slow_state = now
                if stream.sent_version == told[stream]:
                    self._queued[stream] = None

    def _send_changed(self, stream: Stream, **what: str) -> None:
        stream.send(event("changed", **what))

    def _send_queued(self) -> None:
        """One after another, as quickly as they can be served: all at once, they would fetch it before a move."""
        moment = time.monotonic()
        count = math.ceil(min(moment - self._queue_sent_at, 1) / FETCH_SHARE)
        self._queue_sent_at = moment
        for stream in list(islice(self._queued, count)):
            del self._queued[stream]
            self._send_changed(stream, **({"version": stream.sent_version, "what": "people"} if stream.game_id else {}))

    def _send_heartbeats(self) -> None:
        """Each in its own time: a word to a thousand pages in one moment would keep those waiting who play."""
        moment = time.monotonic()
        for stream in self.streams.listening():
            if moment - stream.sent_at >= HEARTBEAT_EVERY:
                stream.send(HEARTBEAT)

    def _drop_closed_streams(self) -> None:
        """Who has opened a stream is here, who has closed the connection listens no longer."""
        self.streams.drop_closed()
        _note_presence([stream for stream in self.streams.listening() if not stream.is_noted])

    def _refresh_presence(self) -> None:
        """Everybody who listens is here, and every agent that waits."""
        _note_presence(self.streams.listening())
        self.agents.note_presence()

    def _tend_agents(self) -> None:
        self.agents.tend()
        self.agents.wake_ready()


def _note_presence(streams: list[Stream]) -> None:
    """All in one statement: one for each stream that opens would take the turns of those who play."""
    presence.note({stream.user_id for stream in streams if stream.user_id and stream.is_account}, by_stream=True)
    for stream in streams:
        stream.is_noted = True


def _parted(streams: list[Stream]) -> tuple[list[Stream], list[Stream]]:
    games = [stream for stream in streams if stream.game_id is not None]
    return games, [stream for stream in streams if stream.is_lobby]


class _Every:
    def __init__(self, seconds: float, task: Callable[[], None]) -> None:
        self.seconds, self.task = seconds, task
        self.next = time.monotonic()

    def run_if_due(self) -> None:
        if time.monotonic() >= self.next:
            self.next = time.monotonic() + self.seconds
            self.task()
