"""The host's commands for the database: backup, restore, check-database."""

from pathlib import Path

import click

from webapp.errors import Refusal
from webapp.extensions import db, settings
from webapp.operations.answer_checks import read_log
from webapp.operations.backup import back_up, restore
from webapp.operations.invariants import check

FILE = click.Path(dir_okay=False, path_type=Path)


def database() -> str:
    return db.engine.url.render_as_string(hide_password=False)


@click.command("backup")
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
def backup_command(file: Path, force: bool) -> None:
    """Copy the database into FILE, while people play."""
    if file.exists() and not force:
        raise click.ClickException(f"{file} is there already. Choose another name, or replace it with --force.")
    try:
        back_up(database(), file)
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from None
    click.echo(f"The backup is in {file}. Keep it safe: it holds names and password hashes.")


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace the users and games that are there.")
def restore_command(file: Path, force: bool) -> None:
    """Make the database what FILE holds, once FILE was found sound; ends all sessions. Stop the site first."""
    try:
        aside = restore(database(), file, settings().instance, force)
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from None
    if aside:
        click.echo(f"What was there before is kept in {aside}.")
    click.echo(f"Restored from {file}. Everybody logs in again, with the password they had then.")


@click.command("check-database")
@click.argument("place", default="")
@click.option("--answers", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A client's log of answers, to hold beside it.")  # fmt: skip
def check_command(place: str, answers: Path | None) -> None:
    """Look for anything in the database (or in PLACE, a file or a URL) that must never be."""
    broken = check(place or database(), read_log(answers) if answers else ())
    for sentence in broken:
        click.echo(str(sentence))
    if broken:
        raise click.ClickException(f"The database is not sound. What is wrong is told above: {len(broken)} in all.")
    click.echo("The database was checked, and nothing is wrong in it.")
