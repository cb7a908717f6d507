"""Requests that wait for a job: they hold no thread, and end with a job, by a newer copy, or with their token."""

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask

from tests.agents.programs import Program, make_program, wait_until
from tests.conftest import Browser
from tests.databases import KeptApp
from tests.factories import member_of
from tests.tables import rows_of
from webapp.accounts.queries import account_named
from webapp.agents import api_views
from webapp.agents.services import revoke_token
from webapp.agents.waiting import WAITERS, Waiter, Waiters
from webapp.privacy.services import delete_account
from webapp.serving.deferral import defer
from webapp.serving.front import Front, Message


@pytest.fixture
def app(database_kind: str, kept_apps: Callable[..., KeptApp]) -> Iterator[Flask]:
    with kept_apps(database_kind, NOUGHTS_STREAMS=8, NOUGHTS_WORKERS=1).lent() as app:
        yield app
        for waiter in app.extensions[WAITERS].waiting():
            waiter.deferral.close()
        if thread := app.extensions["noughts_watcher"]._thread:
            thread.join(10)


class Waiting:
    """A request on its way."""

    def __init__(self, front: Front, loop: asyncio.AbstractEventLoop, token: str, **body: Any) -> None:
        self._loop, self._gone = loop, asyncio.Event()
        self._sent: list[Message] = []
        content = json.dumps(body).encode()
        self._requests = [{"type": "http.request", "body": content, "more_body": False}]
        path = "/api/v1/agent/next"
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode()),
                   (b"content-length", str(len(content)).encode())]  # fmt: skip
        scope = {"method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers,
                 "http_version": "1.1", "client": None, "server": None}  # fmt: skip
        self._answering: Future[None] = asyncio.run_coroutine_threadsafe(
            front(scope, self._receive, self._send), loop
        )

    async def _receive(self) -> Message:
        if self._requests:
            return self._requests.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self._sent.append(message)

    @property
    def is_answered(self) -> bool:
        return bool(self._sent)

    def result(self) -> tuple[int, Any]:
        self._answering.result(30)
        return self._sent[0]["status"], json.loads(b"".join(part["body"] for part in self._sent[1:]))

    def hang_up(self) -> None:
        self._loop.call_soon_threadsafe(self._gone.set)
        self._answering.result(30)


Ask = Callable[..., Waiting]


@pytest.fixture
def front(app: Flask) -> Front:
    """With fewer threads than agents that wait."""
    return Front(app, threads=2)


@pytest.fixture
def ask(app: Flask, front: Front, loop: asyncio.AbstractEventLoop) -> Iterator[Ask]:
    """Comes back when the request waits, or is answered."""
    asked: list[Waiting] = []

    def ask(program: Program, **body: Any) -> Waiting:
        before = set(front.deferrals)
        asked.append(waiting := Waiting(front, loop, program.token, **body))
        wait_until(lambda: waiting.is_answered or set(front.deferrals) - before or waiting._answering.done())
        return waiting

    yield ask
    for waiting in asked:
        waiting.hang_up()


def test_many_wait_without_a_thread_and_each_hears_of_its_own_game(app: Flask, front: Front, ask: Ask) -> None:
    programs = [make_program(app, f"owner{number}", f"robot{number}") for number in range(100, 105)]
    waiting = [ask(program) for program in programs]
    assert len(front.deferrals) == 5, "and there are two threads"
    browser = member_of(app, "player7")
    address = str(browser.send("/games", opponent="robot102", mark="X").location)
    browser.send(f"{address}/moves", cell=4, ply=0)
    status, told = waiting[2].result()
    assert (status, told["accepted"], told["job"]["moves"]) == (200, None, [4])
    assert not any(one.is_answered for one in waiting[:2] + waiting[3:])


def test_an_answer_waits_for_the_opponents_move_and_says_that_it_was_accepted(app: Flask, ask: Ask) -> None:
    one, other = make_program(app), make_program(app, "owner8", "robot8")
    game = one.start("robot8", "X")
    waiting = ask(one, answer={"game": game, "ply": 0, "cell": 4})
    other.play(0)
    status, told = waiting.result()
    assert (status, told["accepted"], told["job"]["moves"]) == (200, True, [4, 0])


def test_after_its_time_it_is_told_that_there_is_none(app: Flask, ask: Ask) -> None:
    assert ask(make_program(app), wait=0.05).result() == (200, {"accepted": None, "job": None})


def test_a_newer_copy_ends_the_older_at_once(app: Flask, ask: Ask) -> None:
    program = make_program(app)
    older, newer = ask(program), ask(program)
    status, told = older.result()
    assert status == 409 and "newer copy" in told["error"]
    assert not newer.is_answered


def test_a_newer_copy_in_another_process_ends_the_older(
    make_app: Callable[..., Flask], loop: asyncio.AbstractEventLoop
) -> None:
    """It has waiters and a watcher of its own, and the same database. One that does not wait is a newer copy too."""
    apps = make_app(), make_app()
    program, (one, other) = make_program(apps[0]), (Front(app, threads=2) for app in apps)
    older = Waiting(one, loop, program.token)
    wait_until(lambda: one.deferrals)
    newer = Waiting(other, loop, program.token)
    assert older.result()[0] == 409
    assert not newer.is_answered
    assert Waiting(one, loop, program.token, wait=0).result()[0] == 200
    assert newer.result()[0] == 409
    for app in apps:
        if thread := app.extensions["noughts_watcher"]._thread:
            thread.join(10)


def test_a_wait_after_an_answer_is_the_newest_from_the_moment_of_the_move(app: Flask, ask: Ask) -> None:
    """Given later, its number would end the next wait of the same copy, if that had begun on another worker."""
    program = make_program(app)
    make_program(app, "owner8", "robot8")
    game = program.start("robot8", "X")
    before = rows_of(app, "agent")[0]["wait_number"]
    waiting = ask(program, answer={"game": game, "ply": 0, "cell": 4})
    assert rows_of(app, "agent")[0]["wait_number"] == before + 1
    wait_until(lambda: [one.number for one in app.extensions[WAITERS].waiting()] == [before + 1])
    assert not waiting.is_answered


def test_an_older_wait_that_is_asked_again_does_not_end_a_newer_one() -> None:
    """Both in one process: the older finds no job, and waits once more, when the newer waits already."""
    older, newer = (Waiter(7, number, None, ends_at=0, deferral=Mock(is_closed=False)) for number in (1, 2))
    waiters = Waiters()
    for waiter in (older, newer, older):
        waiters.add(waiter)
    assert waiters.waiting() == [newer]
    assert older.deferral.wake.called and not newer.deferral.wake.called


def test_a_token_that_is_revoked_ends_the_wait(app: Flask, ask: Ask) -> None:
    program = make_program(app)
    waiting = ask(program)
    with app.app_context():
        revoke_token(rows_of(app, "agent")[0]["owner_id"], program.agent_id)
    status, told = waiting.result()
    assert status == 401 and "stopped" in told["error"]


def test_the_deletion_of_its_owner_ends_the_wait(app: Flask, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not its time, which is not up before the test is."""
    monkeypatch.setattr(api_views, "defer", lambda environ, _seconds, state: defer(environ, 600, state))
    waiting, other = ask(make_program(app)), ask(make_program(app, "owner8", "robot8"))
    with app.app_context():
        delete_account(account_named("owner7"))
    assert waiting.result()[0] == 401
    assert not other.is_answered


def test_who_waits_is_here_and_who_hangs_up_is_forgotten(app: Flask, front: Front, ask: Ask) -> None:
    program = make_program(app)
    waiting = ask(program)
    assert program.agent_id in {row["user_id"] for row in rows_of(app, "presence")}
    waiting.hang_up()
    waiters = app.extensions[WAITERS]
    assert not waiters.waiting() and not front.deferrals
    assert not waiting.is_answered


def test_when_the_server_ends_it_is_told_to_come_back(app: Flask, front: Front, ask: Ask, client: Browser) -> None:
    waiting = ask(make_program(app))
    front._pool.submit(front.end)
    assert waiting.result() == (200, {"accepted": None, "job": None})
