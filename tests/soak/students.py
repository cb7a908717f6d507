"""Simulated people, each in a thread: they play, meet, look around, and note every answer that they got."""

import json
import threading
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, NamedTuple

from tests.live_server import Answer, LiveBrowser, LiveServer
from tests.operations.players import Log, Player

NO_ANSWER = (OSError, HTTPException)
LOOKED_AT = ("/lobby", "/history", "/analysis?position=XO..X....", "/practice", "/labs", "/account")
PASSWORD = "correct horse"


class Visitor(LiveBrowser):
    """A 503 is deliberate only if it says when to come back: one that does not counts as any other error."""

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        answer = super().request(method, path, body, headers)
        is_deliberate = answer.status != 503 or answer.headers["Retry-After"]
        return answer if is_deliberate else answer._replace(status=500)


class Student(Visitor, Player):
    """In a class. Whoever thinks `think` seconds before each press asks as often as a person does."""

    def __init__(self, server: LiveServer, number: int, log: Log, stopped: threading.Event, think: float) -> None:
        super().__init__(server, number, log)
        self.stopped, self.think, self.name = stopped, think, f"student{number}"

    def join_class(self, code: str) -> None:
        page = f"/join/{code}"
        answer = self.send(page, page=page, name=self.name, password=PASSWORD)
        assert answer.status == 303, answer.status

    def pause(self) -> None:
        self.stopped.wait(self.think * (0.5 + self.random.random()))

    def look(self, game: str) -> Answer | None:
        self.pause()
        return None if self.stopped.is_set() else super().look(game)

    def live(self) -> None:
        while not self.stopped.is_set():
            self.pause()
            whim: Callable[[], object] = self.random.choice([self.play_game, self.play_game, self.meet, self.browse])
            try:
                whim()
            except (*NO_ANSWER, AssertionError):  # a page that says "busy" has no form
                continue

    def browse(self) -> None:
        for path in self.random.sample(LOOKED_AT, 3):
            self.pause()
            self.note("page", status=self.get(path).status)

    def meet(self) -> None:
        """A game with whoever else wants one; given up if the other is too slow."""
        answer = self.send("/lobby/play-now", page="/lobby")
        game = answer.location.rsplit("/", 1)[-1]
        for _ in range(20 if answer.status == 303 else 0):
            self.pause()
            page = self.get(f"/games/{game}")
            if page.status != 200 or "data-over" in page.text or self.stopped.is_set():
                return
            if page.free_cells:
                self.move(game, page, self.random.choice(page.free_cells))


class Instructor(Visitor):
    """Looks at the lesson all the time."""

    def enter(self, name: str) -> None:
        answer = self.send("/log-in", page="/log-in", name=name, password=PASSWORD)
        assert answer.status == 303, answer.status

    def watch(self, classroom: str, stopped: threading.Event, log: Log) -> None:
        while not stopped.wait(2):
            try:
                log.append({"client": -1, "did": "page", "status": self.get(f"/classrooms/{classroom}/lesson").status})
            except NO_ANSWER:
                continue


class Program(Visitor):
    """An agent: it starts games against a level, and answers whatever it is asked for."""

    def __init__(self, server: LiveServer, number: int, token: str, log: Log) -> None:
        super().__init__(server)
        self.number, self.log = number, log
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        answer = self.request("POST", f"/api/v1{path}", json.dumps(body).encode())
        return answer.status, json.loads(answer.body or b"null")

    def live(self, stopped: threading.Event) -> None:
        given: dict[str, Any] | None = None
        while not stopped.is_set():
            try:
                given = self._turn(given)
            except (*NO_ANSWER, ValueError):
                if given:
                    self._note(given, None)
            stopped.wait(0.5)

    def _turn(self, given: dict[str, Any] | None) -> dict[str, Any] | None:
        """Answer what was asked for last, and ask; gives the next answer."""
        status, told = self.ask("/agent/next", {"wait": 1, **({"answer": given["answer"]} if given else {})})
        if status != 200:
            return given if status == 503 else None
        if given and told["accepted"]:
            self._note(given, 303)
        if (job := told["job"]) is None:
            self.ask("/games", {"opponent": "casual", "mark": "X"})
            return None
        return {"answer": {"game": job["game"], "ply": job["ply"], "cell": job["legal"][0]}, "mark": job["mark"]}

    def _note(self, given: dict[str, Any], status: int | None) -> None:
        entry = {"client": self.number, "did": "move", "mark": given["mark"], "status": status}
        self.log.append({**entry, **given["answer"]})


class Sample(NamedTuple):
    moment: float
    seconds: float
    status: int | None


class Reader(Visitor):
    """Somebody else, whose pages are timed: a game page, the lobby, the home page."""

    paths: list[str]

    def settle(self, name: str) -> None:
        if self.get("/account").status != 200:
            self.sign_up(name)
        self.paths = [self.start_game(level="perfect", cell=4), "/lobby", "/"]

    def read(self, stopped: threading.Event, samples: list[Sample]) -> None:
        while not stopped.wait(0.1):
            for path in self.paths:
                began = time.monotonic()
                try:
                    status: int | None = self.get(path).status
                except NO_ANSWER:
                    status = None
                samples.append(Sample(began, time.monotonic() - began, status))
