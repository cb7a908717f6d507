"""The backups that the site makes by itself: one a day, by one process of however many, checked as `backup` does."""

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, or_, select, update

from webapp.clock import now
from webapp.database import insert_or_update, reading, writing
from webapp.errors import Refusal
from webapp.extensions import settings
from webapp.operations.backup import back_up, ending_of
from webapp.operations.backup_folder import name_of, name_of_faulty, thin_out
from webapp.operations.models import DailyBackup
from webapp.private_files import make_private_folder
from webapp.words import ago

ABANDONED = timedelta(hours=2)  # a claim so old is a dead process's
REMEMBERED = timedelta(days=60)
SLACK = timedelta(minutes=5)  # between the clocks of two machines


class GoodBackup(NamedTuple):
    finished_at: datetime
    file: str


class SomebodyIsAtIt(Refusal):
    def __init__(self) -> None:
        super().__init__("Another process is making the backup of today.")


def make_daily_backup(url: str, folder: Path) -> Path | None:
    """The backup of today in the folder; None if there is one already, in this folder or in another server's."""
    moment = now()
    if not _claim(moment):
        if not _is_finished(moment.date()):
            raise SomebodyIsAtIt
        return None
    try:
        file = _good_copy(url, folder / name_of(moment, ending_of(url)))
        _note_finished(moment, file.name)
    except BaseException:  # a signal too: the next to come need not wait until the claim counts as abandoned
        _give_up(moment)
        raise
    thin_out(folder, moment.date())
    return file


def _good_copy(url: str, file: Path) -> Path:
    """A copy in which something is wrong is kept under another name, and counts for nothing."""
    make_private_folder(file.parent)
    found = back_up(url, file)
    if found:
        faulty = file.replace(file.with_name(name_of_faulty(file.name)))
        thin_out(file.parent, now().date())
        raise Refusal(f"The backup in {faulty} was checked, and something is wrong in it: {found[0]} "
                      f"({len(found)} in all; check-database shows them.)")  # fmt: skip
    return file


def _claim(moment: datetime) -> bool:
    """Of several at once one gets the row. A claim that was abandoned, or made by a wrong clock, can be taken over."""
    new = insert_or_update(DailyBackup).values(day=moment.date(), claimed_at=moment)
    is_dead = or_(DailyBackup.claimed_at < moment - ABANDONED, DailyBackup.claimed_at > moment + SLACK)
    claim = new.on_conflict_do_update(
        index_elements=[DailyBackup.day],
        set_={"claimed_at": new.excluded.claimed_at},
        where=and_(DailyBackup.finished_at.is_(None), is_dead),
    ).returning(DailyBackup.day)
    with writing() as connection:
        return connection.execute(claim).first() is not None


def _is_finished(day: date) -> bool:
    with reading() as connection:
        return connection.scalar(select(DailyBackup.finished_at).where(DailyBackup.day == day)) is not None


def _note_finished(moment: datetime, name: str) -> None:
    with writing() as connection:
        connection.execute(
            update(DailyBackup).where(DailyBackup.day == moment.date()).values(finished_at=now(), file=name)
        )
        connection.execute(delete(DailyBackup).where(DailyBackup.day < moment.date() - REMEMBERED))


def _give_up(moment: datetime) -> None:
    ours = (DailyBackup.day == moment.date(), DailyBackup.claimed_at == moment, DailyBackup.finished_at.is_(None))
    with writing() as connection:
        connection.execute(delete(DailyBackup).where(*ours))


def last_good_backup() -> GoodBackup | None:
    """Of the whole site, whichever of its servers made it."""
    newest = select(DailyBackup.finished_at, DailyBackup.file).where(DailyBackup.finished_at <= now() + SLACK)
    with reading() as connection:
        row: Any = connection.execute(newest.order_by(DailyBackup.finished_at.desc()).limit(1)).one_or_none()
    return GoodBackup(*row) if row else None


def told_backup() -> str:
    """When the last good one was made, in a sentence for the host."""
    if settings().backups is None:
        return "Backups are not made by themselves: NOUGHTS_BACKUPS names no folder."
    if (last := last_good_backup()) is None:
        return "No backup was made by itself yet."
    return f"The last good backup was made {ago(last.finished_at)}: {last.finished_at:%Y-%m-%d %H:%M} UTC."
