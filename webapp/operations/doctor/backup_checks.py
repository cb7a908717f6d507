"""The backups that the site makes by itself: are there any, how old is the last, and is its file as it was written?"""

import os
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from webapp.clock import now
from webapp.config import Settings
from webapp.database import UNREACHABLE, reading
from webapp.extensions import db
from webapp.operations.backup_folder import day_of
from webapp.operations.checksum import is_as_written
from webapp.operations.daily_backup import GoodBackup, last_good_backup, told_backup
from webapp.operations.doctor.findings import Finding, Findings, consider, good, mend

TOO_OLD = timedelta(hours=36)


def backup_findings(settings: Settings, is_running: bool) -> Findings:
    try:
        last, is_postgres = last_good_backup(), db.engine.dialect.name == "postgresql"
        found = [*_programs()] if is_postgres else []
    except UNREACHABLE:
        return []  # that the database does not answer is said already
    if settings.backups is None:
        none = "No backups are made by themselves. Set NOUGHTS_BACKUPS to a folder, best on another disk."
        return [*found, consider(none)]
    return [*found, *_age(last, is_running), *_files(settings.backups, last), *_place(settings, settings.backups)]


def _age(last: GoodBackup | None, is_running: bool) -> Findings:
    if last is None:
        yield consider("No backup was made by itself yet. The running site makes one within minutes; its log tells why "
                       "if it cannot.")  # fmt: skip
    elif now() - last.finished_at > TOO_OLD and is_running:
        yield mend(f"{told_backup()} The site makes one each day, so look into its log for the reason.")
    elif now() - last.finished_at > TOO_OLD:
        yield consider(f"{told_backup()} The next is made when the site runs.")
    else:
        yield good(told_backup())


def _files(folder: Path, last: GoodBackup | None) -> Findings:
    try:
        names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    except PermissionError:
        return  # told with the permissions
    daily = [name for name in names if day_of(name)]
    faulty = [name for name in names if name.startswith("faulty-")]
    if daily and is_as_written(folder / daily[-1]) is False:
        yield mend(f"The newest backup {folder / daily[-1]} is not as it was written: its checksum is wrong. Make "
                   "another with 'python3 run.py backup', and look at that disk.")  # fmt: skip
    if last is not None and last.file not in names:
        yield _lost(folder / last.file)
    if faulty and (not daily or faulty[-1].removeprefix("faulty-") > daily[-1].removeprefix("daily-")):
        yield mend(f"The check found faults in the newest backup, {folder / faulty[-1]}. 'python3 run.py "
                   "check-database' tells what is wrong in the database.")  # fmt: skip


def _lost(file: Path) -> Finding:
    if db.engine.dialect.name == "sqlite":
        return mend(f"The last good backup {file} is not there. Look whether its disk is, and make another with "
                    "'python3 run.py backup'.")  # fmt: skip
    return consider(f"The last good backup {file} is not there. If another app server made it, it is on the disk of "
                    "that one.")  # fmt: skip


def _place(settings: Settings, folder: Path) -> Findings:
    is_file = db.engine.dialect.name == "sqlite"
    if is_file and os.access(folder, os.F_OK) and folder.stat().st_dev == settings.instance.stat().st_dev:
        yield consider(f"The backups in {folder} lie on the same disk as the database. If it breaks, both are lost: "
                       "choose a folder on another one.")  # fmt: skip


def _programs() -> Findings:
    """PostgreSQL's own programs make the backups, and refuse a server that is newer than they are."""
    with reading() as connection:
        server = int(str(connection.scalar(text("SHOW server_version"))).split(".")[0].split()[0])
    path = shutil.which("pg_dump")
    if path is None:
        yield mend("This machine has no pg_dump, so no backup can be made. Install PostgreSQL's client programs.")
        return
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = re.search(r"(\d+)[.\d]*", said)
    if found and int(found[1]) < server:
        yield mend(f"pg_dump is of version {found[1]} and PostgreSQL of {server}, so no backup can be made. Install "
                   f"the client programs of {server}.")  # fmt: skip
