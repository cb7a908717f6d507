"""The command: all checks one after another, and whether something must be mended."""

import sys
from collections.abc import Iterator

import click

from webapp.extensions import settings
from webapp.operations.doctor.backup_checks import backup_findings
from webapp.operations.doctor.database_checks import database_findings
from webapp.operations.doctor.findings import Finding, Weight
from webapp.operations.doctor.machine_checks import (
    browser_python_findings,
    disk_findings,
    permission_findings,
    version_findings,
)
from webapp.operations.doctor.settings_checks import settings_findings
from webapp.operations.doctor.site_checks import site_findings
from webapp.running_note import read_note


def examine(address: str = "") -> Iterator[Finding]:
    known = settings()
    yield from settings_findings(known)
    database = list(database_findings())
    yield from database
    if database[0].weight == Weight.GOOD:  # it answers
        yield from backup_findings(known, is_running=bool(read_note(known.instance)))
    yield from permission_findings(known)
    yield from disk_findings(known)
    yield from version_findings()
    yield from site_findings(known, address)
    yield from browser_python_findings(known)


@click.command("doctor")
@click.option("--address", default="", help="The address that people open, to be asked as they ask.")
def doctor_command(address: str) -> None:
    """Look at settings, database, backups, machine and proxies, and say what to mend."""
    found = list(examine(address))
    for weight in (Weight.GOOD, Weight.CONSIDER, Weight.MEND):  # what matters most stands last, where one looks
        for finding in found:
            if finding.weight == weight:
                click.echo(str(finding))
    count = sum(finding.weight == Weight.MEND for finding in found)
    click.echo("Nothing must be mended." if not count else f"To be mended: {count}.")
    sys.exit(1 if count else 0)
