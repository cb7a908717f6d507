"""Clients that dawdle, by the hundred, on the real server: other people's pages are answered meanwhile."""

import select
import socket

import pytest

from tests.live_server import LiveBrowser, LiveServer
from tests.serving.slow_clients import HALF_A_BODY, HALF_A_HEAD, WHOLE, held, log_in_request


def still_open(connections: list[socket.socket]) -> int:
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLIN)
    return len(connections) - len(poll.poll(0))


def assert_pages_are_answered(server: LiveServer, count: int = 20) -> None:
    assert {LiveBrowser(server).get("/").status for _ in range(count)} == {200}


def test_sockets_left_open_after_their_answer_hold_up_nobody(server: LiveServer) -> None:
    """Were the server to wait for each to be closed, a moment each would add up."""
    with held(server, 1, HALF_A_HEAD) as unfinished, held(server, 200, WHOLE) as lingering:
        assert_pages_are_answered(server)
        for connection in lingering:
            answer = b""
            while part := connection.recv(4096):  # to its end: nobody waits for us to close it
                answer += part
            assert answer.endswith(b"ok\n")
        assert still_open(unfinished) == 1, "all that before a head that never comes whole is given up"


@pytest.mark.parametrize(("count", "sent"), [(900, HALF_A_HEAD), (900, HALF_A_BODY), (2000, b"")])
def test_half_sent_requests_and_idle_connections_hold_up_nobody(server: LiveServer, count: int, sent: bytes) -> None:
    with held(server, count, sent) as connections:
        assert_pages_are_answered(server)
        assert still_open(connections) > count / 2, "they were there all the while"


def test_one_byte_after_another_holds_up_nobody(server: LiveServer) -> None:
    with held(server, 100, b"") as connections:
        for place, byte in enumerate(HALF_A_BODY):
            for connection in connections:
                connection.send(bytes([byte]))
            if place % 8 == 0:
                assert_pages_are_answered(server, 1)
        assert still_open(connections) == len(connections)


def test_a_rush_of_log_ins_holds_up_nobody_who_reads(server: LiveServer) -> None:
    with held(server, 240, log_in_request(server, "rusher")) as connections:
        assert_pages_are_answered(server, 5)
        assert still_open(connections) > 0, "some of them still waited for their log-in"
        answered = select.select(connections, [], [])[0]
        assert {connection.recv(65536).split(b" ")[1] for connection in answered} == {b"303"}
    assert LiveBrowser(server).send("/log-in", name="rusher", password="correct horse").status == 303
    assert server.log.read_text().count("POST /log-in 303") < 240, "who has hung up is not waited for"
