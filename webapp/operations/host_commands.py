"""The commands of a host: `python3 run.py <command>`. Loaded only where a command runs."""

import runpy
from copy import copy
from functools import wraps
from typing import Any

import click
from flask import Flask

from webapp.accounts import changing_passwords, logging_in
from webapp.accounts import services as accounts
from webapp.accounts.passwords import one_time_password
from webapp.accounts.sessions import purge_sessions
from webapp.browser_python import CannotFetch, fetch
from webapp.classrooms.commands import greet_host, make_instructor_command, remove_instructor_command, setup_link
from webapp.classrooms.log_in_codes import purge_codes
from webapp.database import UNREACHABLE
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.operations.commands import (
    backup_command,
    check_command,
    copy_command,
    daily_backup_command,
    restore_command,
)
from webapp.operations.doctor.command import doctor_command
from webapp.privacy import services as privacy
from webapp.throttle import purge_tries


def init_app(app: Flask) -> None:
    own: tuple[click.Command, ...] = (upgrade_database, create_user, reset_password, purge, start_up)
    own += (doctor_command, setup_link, make_instructor_command, remove_instructor_command, add_browser_python)
    for command in (*own, backup_command, daily_backup_command, restore_command, check_command, copy_command):
        app.cli.add_command(_for_a_host(command))
    if context := click.get_current_context(silent=True):
        context.find_root().info_name = "python3 run.py"  # as the host typed it, where it says how a command is used


def _for_a_host(command: click.Command) -> click.Command:
    """The same, with a sentence instead of a traceback where the database cannot be used."""
    told, run = copy(command), command.callback
    assert run is not None  # noqa: S101 - each of them is a function

    @wraps(run)
    def run_or_tell(*words: Any, **options: Any) -> None:
        try:
            run(*words, **options)
        except UNREACHABLE as trouble:
            reason = " ".join(str(getattr(trouble, "orig", None) or trouble).split()).rstrip(".?")
            raise click.ClickException(f"The database cannot be used: {reason}. 'python3 run.py doctor' says what to "
                                       "mend.") from None  # fmt: skip

    told.callback = run_or_tell
    return told


@click.command("upgrade-database")
def upgrade_database() -> None:
    """Create the database, or bring it up to the newest version."""
    runpy.run_module("webapp.upgrade", run_name="__main__")  # here, so that no other command loads Alembic


@click.command("create-user")
@click.argument("name")
def create_user(name: str) -> None:
    """Make an account; prints a one-time password that must be changed after the first log-in."""
    password = one_time_password()
    try:
        accounts.sign_up(name, password, must_change=True)
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from None
    click.echo(f"{name} logs in with the password {password} and must then choose another one.")


@click.command("reset-password")
@click.argument("name")
def reset_password(name: str) -> None:
    """Give a one-time password to somebody who forgot theirs; logs them out everywhere."""
    try:
        password = changing_passwords.reset_password(name)
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from None
    click.echo(f"{name} logs in with the password {password} and must then choose another one.")


@click.command("start-up")
@click.option("--address", default="", help="Where the site is.")
def start_up(address: str) -> None:
    """What is done at each start: tell the host what to do next, and delete what is old."""
    greet_host(address + settings().prefix)
    _purge()


@click.command("purge")
def purge() -> None:
    """Delete old sessions, guests who do not come back, and counts that are over."""
    ended, gone = _purge()
    click.echo(f"Deleted: expired sessions {ended}, guests {gone}.")


def _purge() -> tuple[int, int]:
    ended, gone = purge_sessions(), privacy.purge_guests()
    privacy.finish_deletions()
    purge_tries()
    purge_codes()
    logging_in.purge_known_browsers()
    return ended, gone


@click.command("add-browser-python")
def add_browser_python() -> None:
    """Fetch Python for the browser once, so that students can try their files at /labs/try."""
    try:
        fetch(settings().instance, click.echo)
    except CannotFetch as reason:
        raise click.ClickException(str(reason)) from None
