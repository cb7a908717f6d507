"""The host's commands for the database: backup, restore, check-database."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from webapp.config import direct_url
from webapp.database import UNREACHABLE
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.operations.backup import back_up, check_backup, check_served, restore
from webapp.operations.broken import Broken
from webapp.operations.checksum import is_as_written
from webapp.operations.copying import copy_database
from webapp.operations.daily_backup import SomebodyIsAtIt, make_daily_backup

log = logging.getLogger("noughts.backups")
NOT_NOW = 75  # EX_TEMPFAIL: to be tried again later
FILE = click.Path(dir_okay=False, path_type=Path)
SHOWN = 20  # findings


def database() -> str:
    """Past a pooler: pg_restore leaves a session behind in which no table is found by its name alone."""
    return direct_url(settings())


def show(found: list[Broken]) -> None:
    for broken in found[:SHOWN]:
        click.echo(str(broken), err=True)
    if len(found) > SHOWN:
        click.echo(f"And {len(found) - SHOWN} more.", err=True)


@contextmanager
def refusals_told() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from None


@click.command("backup")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
def backup_command(file: Path, force: bool) -> None:
    """Copy the database into FILE, while people play, and check what was copied."""
    if os.access(file, os.F_OK) and not force:  # Path.exists raises where one may not look
        raise click.ClickException(f"{file} is there already. Choose another name, or replace it with --force.")
    with refusals_told():
        found = back_up(database(), file)
    click.echo(f"The backup is in {file}. Keep it safe: it holds names and password hashes.")
    show(found)
    if found:
        click.echo(f"It was checked, and something is wrong in it. The lines above say what: {len(found)} in all. To "
                   "restore it anyway, add --despite-findings.", err=True)  # fmt: skip
    else:
        click.echo("It was checked, and nothing is wrong in it.")


@click.command("daily-backup")
def daily_backup_command() -> None:
    """Make the backup of today in NOUGHTS_BACKUPS, unless there is one. The running site does this by itself."""
    folder = settings().backups
    if folder is None:
        raise click.ClickException("The setting NOUGHTS_BACKUPS names no folder.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(NOT_NOW))  # so that the draft is deleted
    if hasattr(os, "nice"):
        os.nice(10)  # players come first
    try:
        file = make_daily_backup(database(), folder)
    except SomebodyIsAtIt as refusal:
        log.info(refusal.sentence)
        sys.exit(NOT_NOW)
    except Refusal as refusal:
        log.error("The backup of today was not made. %s", refusal.sentence)
        sys.exit(1)
    except UNREACHABLE as error:
        log.error("The backup of today was not made. The database says: %s", " ".join(str(error.args[0]).split()))
        sys.exit(1)
    is_new = f"is in {file}. It was checked, and nothing is wrong in it." if file else "is there already."
    log.info("The backup of today %s", is_new)


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace the users and games that are there.")
@click.option("--despite-findings", is_flag=True, help="Go on if something is wrong in FILE, after it was shown.")
def restore_command(file: Path, force: bool, despite_findings: bool) -> None:
    """Make the database what FILE holds, after FILE was checked; everybody is logged out. Stop the site first."""

    def go_on(found: list[Broken]) -> bool:
        show(found)
        return despite_findings

    with refusals_told():
        aside = restore(database(), file, settings().instance, force, go_on)
    if is_as_written(file) is None:
        click.echo(f"{file} has no checksum, because an older version made it: only what it holds was checked.")
    if aside:
        click.echo(f"What was there before is kept in {aside}.")
    click.echo(f"Restored from {file}. Everybody logs in again, with the password they had then.")


@click.command("copy-database")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_command(source: str, target: str) -> None:
    """Copy everything FROM a database TO an empty one (a file or a URL each) and compare them. Stop the site first."""
    with refusals_told():
        copy_database(source, target, click.echo)
    click.echo("Everything was copied, and both were compared row by row: they are the same. To use the copy, set "
               "DATABASE_URL to it and start the site.")  # fmt: skip


@click.command("check-database")
@click.argument("place", default="")
def check_command(place: str) -> None:
    """Look for anything in the database (or in PLACE, a backup or a URL) that must never happen."""
    with refusals_told():
        is_file = bool(place) and "://" not in place
        found = check_backup(database(), Path(place)) if is_file else check_served(place or database())
    for broken in found:
        click.echo(str(broken))
    if found:
        raise click.ClickException(f"The database has faults. The lines above say which: {len(found)} in all.")
    click.echo("The database was checked, and nothing is wrong in it.")
