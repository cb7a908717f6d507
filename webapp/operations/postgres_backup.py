"""Backup and restore of a PostgreSQL database, by PostgreSQL's own programs."""

import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import make_url, text

from webapp.config import plain_url
from webapp.errors import Refusal
from webapp.operations.drafts import NOT_KEPT, draft_beside, keep_as_backup
from webapp.operations.invariants import Look, snapshot

NAME, ENDING, MAGIC = "PostgreSQL", "dump", b"PGDMP"
OTHERS = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


def back_up(url: str, file: Path, look: Look | None = None) -> None:
    """Write one moment of the database into a file. Sessions, codes and links stay out: a restore ends them anyway.

    `look` gets to see the same moment.
    """
    with draft_beside(file) as draft, snapshot(url) as connection:
        moment = connection.scalar(text("SELECT pg_export_snapshot()"))
        without = (f"--exclude-table-data={table}" for table in NOT_KEPT)
        words = ("--format=custom", "--no-owner", *without, f"--snapshot={moment}")
        _run("pg_dump", url, *words, f"--file={draft}")
        if look is not None:
            look(connection)
        keep_as_backup(draft, file)


@contextmanager
def opened(url: str, file: Path) -> Iterator[str]:
    """The dump as a database of its own that can be looked at; gone afterwards."""
    if url.startswith("sqlite"):
        raise Refusal(f"{file} is a backup of PostgreSQL, and this site uses SQLite.")
    name = f"noughts_restore_{secrets.token_hex(4)}"
    scratch = make_url(url).set(database=name).render_as_string(hide_password=False)
    _execute(url, f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        _restore(scratch, file)
        yield scratch
    finally:
        _execute(url, f"DROP DATABASE {name} WITH (FORCE)")


def put_back(url: str, file: Path, aside: Path | None) -> None:
    """Make the database what the dump is, in one transaction, with all sessions ended.

    What was there is kept at `aside`.
    """
    if _is_in_company(url):
        raise Refusal("Noughts is running on this database, or a pooler is connected to it. Stop it, then restore.")
    if aside is not None:
        back_up(url, aside)
    _restore(url, file)
    for table in NOT_KEPT:
        if _execute(url, f"SELECT 1 WHERE to_regclass('{table}') IS NOT NULL"):  # an older backup has fewer
            _execute(url, f"DELETE FROM {table}")  # noqa: S608 - own names # nosec B608


def _is_in_company(url: str) -> bool:
    """Whether others are connected; the connections of a site that has just been stopped take a moment to go."""
    for _ in range(20):
        if not _execute(url, OTHERS):
            return False
        time.sleep(0.1)
    return True


def _restore(url: str, file: Path) -> None:
    _run("pg_restore", url, "--clean", "--if-exists", "--no-owner", "--single-transaction", str(file))


def _execute(url: str, statement: str) -> bool:
    """Whether the statement met any row."""
    with psycopg.connect(plain_url(url), autocommit=True) as connection:
        return connection.execute(statement).rowcount > 0


def _run(program: str, url: str, *words: str) -> None:
    """The password goes by the environment: the words of a command can be read by everybody on the machine."""
    path = shutil.which(program)
    if path is None:
        raise Refusal(f"This machine has no {program}. Install PostgreSQL's client programs, then try again.")
    parts = conninfo_to_dict(plain_url(url))
    environment = os.environ | {"PGPASSWORD": str(parts.pop("password", ""))}
    command = [path, "--dbname=" + make_conninfo("", **{key: str(part) for key, part in parts.items()}), *words]
    done = subprocess.run(command, env=environment, capture_output=True, errors="replace", check=False)  # noqa: S603 - ours
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"nothing, and ended with {done.returncode}"]
        raise Refusal(f"{program} says: {next((line for line in lines if 'error:' in line), lines[-1])}")
