"""The host's commands for classrooms: the set-up link, instructors, and what a host is told at each start."""

import sys
from urllib.parse import urlsplit

import click

from webapp.classrooms.services import make_instructor, remove_instructor
from webapp.classrooms.set_up import has_instructor, new_set_up_token
from webapp.errors import NotThere, Refusal
from webapp.extensions import settings
from webapp.running_note import read_note


@click.command("setup-link")
@click.option("--address", default="", help="Where the site is, such as http://127.0.0.1:8000.")
def setup_link(address: str) -> None:
    """Print a link that makes an instructor; it works once, within a day."""
    address = address or read_note(settings().instance)
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname:
        raise click.ClickException("The site is not running, so its address is not known. Start it first, or give the "
                                   "address: --address http://127.0.0.1:8000")  # fmt: skip
    click.echo(_link(address))


def _link(address: str) -> str:
    return f"{address.rstrip('/')}/set-up/{new_set_up_token()}"


@click.command("make-instructor")
@click.argument("name")
def make_instructor_command(name: str) -> None:
    """Let somebody who has an account make classrooms."""
    try:
        make_instructor(name)
    except Refusal:
        raise click.ClickException(f"There is no account with the name {name}. Make it with create-user.") from None
    click.echo(f"{name} is an instructor now: the page Class shows what to do next.")


@click.command("remove-instructor")
@click.argument("name")
def remove_instructor_command(name: str) -> None:
    """Let an instructor make no more classrooms; those that they lead stay theirs."""
    try:
        remove_instructor(name)
    except NotThere:
        raise click.ClickException(f"There is no account with the name {name}.") from None
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from None
    click.echo(f"{name} can make no classrooms any more.")


def greet_host(address: str) -> None:
    """At each start, as long as nobody can make classrooms. Visitors are told nothing of it."""
    if has_instructor():
        return
    if sys.stdout.isatty():  # else the link would land in a log
        click.echo(f"There is no instructor yet. To run a class, open this link within a day:\n{_link(address)}")
    else:
        click.echo("There is no instructor yet. To run a class, type: python3 run.py setup-link")
