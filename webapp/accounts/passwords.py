"""Passwords: what is accepted, and the slow hash that keeps them. Knows no database."""

import base64
import os
import re
import secrets
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from webapp.accounts.tokens import UNMISTAKABLE
from webapp.errors import Refusal

SHORTEST, LONGEST = 8, 200
COMMON = frozenset((Path(__file__).parent / "common_passwords.txt").read_text().split())

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
CORES = os.cpu_count() or 1
# Each hash takes 19 MiB and a core. Always the same few threads do it: each thread that ever did would keep the memory.
_hashers = ThreadPoolExecutor(CORES, thread_name_prefix="hasher")
# Two hundred log-ins at once wait here, and not for the database, which would refuse the unlucky ones as busy.
log_in_slots = threading.BoundedSemaphore(CORES)
_one_class = threading.Lock()


class BadPassword(Refusal):
    """A password that we do not accept."""


def check_password(password: str, name: str) -> None:
    if len(password) < SHORTEST:
        raise BadPassword(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise BadPassword(f"A password has at most {LONGEST} characters.")
    lowered = password.lower()
    if lowered in COMMON or len(set(lowered)) < 3 or "12345678901234567890".startswith(lowered):
        raise BadPassword("Too easy to guess. Choose another password.")
    if name and name.lower() in lowered and len(password) < len(name) + 6:
        raise BadPassword("This password is almost the same as your name. Choose another one.")


def hash_password(password: str) -> str:
    return _hashers.submit(_hasher.hash, password).result()


def is_right_password(password: str, password_hash: str | None) -> bool:
    """Compare. Without a hash it takes as long and is never right, so that time tells nothing of names."""
    if len(password) > LONGEST:
        return False
    try:
        is_right = _hashers.submit(_hasher.verify, password_hash or _nobodys_hash, password).result()
    except (VerificationError, InvalidHashError):
        return False
    return is_right and password_hash is not None


def hash_passwords(passwords: Sequence[str]) -> list[str]:
    """Of a whole class: one after the other, and one class at a time, so that those who log in come in between."""
    with _one_class:
        return [hash_password(password) for password in passwords]


def one_time_password() -> str:
    """Easy to read out: groups of letters and digits that are not mistaken for each other, and spell no word.

    Twelve characters of 28 are 57 bits.
    """
    return "-".join("".join(secrets.choice(UNMISTAKABLE) for _ in range(4)) for _ in range(3))


_ONE_TIME = re.compile(rf"[{UNMISTAKABLE}]{{12}}\Z")


def as_on_card(typed: str) -> str:
    """A one-time password as it was given out, however it was typed: in capitals, without hyphens, with blanks. What is
    none stays as it is, so that there is one form to compare either way, and time tells nothing.
    """
    letters = re.sub(r"[\W_]", "", typed.lower())
    return "-".join(re.findall("....", letters)) if _ONE_TIME.match(letters) else typed


def _random_hash(hasher: PasswordHasher) -> str:
    """As of a password that nobody knows, without the slow work: each start of a program would pay for it."""
    salt, digest = (base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${digest}"


_nobodys_hash = _random_hash(_hasher)
