"""A real pgbouncer in transaction mode in front of the tests' PostgreSQL, with the configuration that docs/ gives."""

import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.postgres import APART, PATIENCE, CannotStart, PostgresServer
from tests.programs import ended_with_us, find, unprivileged
from webapp.config import ROOT

CONFIGURATION = ROOT / "docs" / "deploy" / "pgbouncer.ini"
FOLDER = "/pooler"  # within the server's, so that its address tells where the server itself is
CONNECTIONS = 3  # to the server, for whoever comes: so that sessions change hands all the time


def through_pooler(url: str) -> str:
    return url + FOLDER


def past_pooler(url: str) -> str:
    """Empty for an address that does not lead through the pooler."""
    return url.removesuffix(FOLDER) if url.endswith(FOLDER) else ""


@contextmanager
def running_pooler(server: PostgresServer) -> Iterator[None]:
    """By a socket of its own, under the names that the server has for its databases."""
    program = find("pgbouncer")
    if program is None:
        raise CannotStart("pgbouncer was not found")
    folder = server.folder / FOLDER.strip("/")
    folder.mkdir()
    user, file = unprivileged(folder), folder / "pgbouncer.ini"
    file.write_text(_configuration(server, folder))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, file], stdout=log, stderr=log, **APART, **user)
    with ended_with_us(process):
        _wait_for(through_pooler(server.url("postgres")), process, folder / "log")
        yield


def _configuration(server: PostgresServer, folder: Path) -> str:
    own = {"listen_addr": "", "listen_port": 5432, "unix_socket_dir": folder, "default_pool_size": CONNECTIONS}
    text = _configured(CONFIGURATION.read_text(), own | {"auth_type": "any", "auth_file": ""})
    to_server = f"* = host={server.folder} port=5432 user=postgres"
    return text.replace("noughts = host=127.0.0.1 port=5432", to_server)


def _configured(text: str, settings: Mapping[str, object]) -> str:
    """Each setting must be there already: what is tested is what a host is given."""
    for name, value in settings.items():
        text, count = re.subn(rf"(?m)^{re.escape(name)} = .*$", f"{name} = {value}", text)
        assert count == 1, f"{name} is there {count} times"
    return text


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return psycopg.connect(url).close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise CannotStart(f"pgbouncer says: {log.read_text().strip()}") from None
            time.sleep(0.02)
