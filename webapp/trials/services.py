"""Keeps the result of a check that a student made in their browser."""

from webapp.accounts.locking import lock_users
from webapp.clock import now
from webapp.database import insert_or_update, writing
from webapp.errors import Refusal
from webapp.labs.checker.labs import LABS, LOADS, NAMED
from webapp.labs.checker.mistakes import MISTAKES
from webapp.trials.models import SelfCheck


class NoSuchResult(Refusal):
    """No check of ours ends like this."""

    def __init__(self) -> None:
        super().__init__("That is not the result of a check. Check your file again, then keep the result.")


def keep_check(user_id: int, lab: str, passed: int, wrong: str, mistake: str) -> None:
    """In place of an older one of the same lab. It can be made up, but only in a form that a check could have."""
    names = tests_of(lab)
    is_whole = wrong == "" and passed == len(names)
    if not (is_whole or (wrong in names and 0 <= passed < len(names))) or mistake not in {"", *MISTAKES}:
        raise NoSuchResult
    told = {"passed": passed, "tests": len(names), "wrong": wrong, "mistake": mistake, "checked_at": now()}
    with writing() as connection:
        if not lock_users(connection, {user_id}):
            return  # deleted a moment ago
        new = insert_or_update(SelfCheck).values(user_id=user_id, lab=lab, **told)
        connection.execute(new.on_conflict_do_update(index_elements=[SelfCheck.user_id, SelfCheck.lab], set_=told))


def tests_of(lab: str) -> list[str]:
    if lab not in LABS:
        raise NoSuchResult
    return [LOADS.name, NAMED.name, *(test.name for test in LABS[lab].tests)]
