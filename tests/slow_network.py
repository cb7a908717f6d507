"""A slow network for tests: a TCP proxy on the loopback that passes everything on a while later."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from random import Random
from threading import Thread

Ready = tuple[str, asyncio.AbstractEventLoop, asyncio.Event]


@contextmanager
def slow_network(port: int, round_trip: float) -> Iterator[str]:
    """The address under which the server at `port` answers late: by `round_trip` seconds on the average.

    Some connections are quicker than others, as in the world, so that answers overtake each other.
    """
    ready: Future[Ready] = Future()
    thread = Thread(target=asyncio.run, args=[_serve(port, round_trip / 2, ready)])
    thread.start()
    address, loop, ended = ready.result(timeout=30)
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()


async def _serve(port: int, delay: float, ready: Future[Ready]) -> None:
    random = Random(1)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own_delay = delay * random.uniform(0.2, 1.8)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(_carry(reader, far_writer, own_delay), _carry(far_reader, writer, own_delay))

    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    ended = asyncio.Event()
    ready.set_result((f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asyncio.get_running_loop(), ended))
    await ended.wait()
    server.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Late, but not slowly: the way is long, not narrow."""
    try:
        while data := await reader.read(65_536):
            asyncio.get_running_loop().call_later(delay, writer.write, data)
        await asyncio.sleep(delay)
    except (ConnectionError, asyncio.CancelledError):
        pass  # the browser left, or the test is over
    finally:
        writer.close()
