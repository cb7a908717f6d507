"""The settings: their names in the environment, their defaults, their meaning. Standard library only.

docs/hosting.md lists each of them; a test holds the two together.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SHORTEST_KEY = 16


class Setting(NamedTuple):
    name: str
    default: str
    read: Callable[[str], Any]


class BadSetting(ValueError):
    """A setting that cannot be understood; the text says which and what is wanted."""


def _switch(text: str) -> bool:
    if text.lower() not in ("on", "true", "yes", "1", "off", "false", "no", "0"):
        raise ValueError("on or off")
    return text.lower() in ("on", "true", "yes", "1")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError("a whole number, zero or more")
    return int(text)


def _days(text: str) -> int:
    if not 1 <= _count(text) <= 3650:
        raise ValueError("a number of days from 1 to 3650")
    return _count(text)


def _hosts(text: str) -> list[str]:
    return [part.strip().lower() for part in text.split(",") if part.strip()]


def _maybe_count(text: str) -> int | None:
    return _count(text) if text else None


def _folder(text: str) -> str:
    """Not as seen from wherever a command is typed: the server and the commands must meet in one folder."""
    return str(ROOT / Path(text).expanduser())


def _database(text: str) -> str:
    if text and not text.startswith(("sqlite:///", "postgres://", "postgresql://", "postgresql+psycopg://")):
        raise ValueError("an address that begins with postgresql:// or sqlite:///")
    return text


def _key(text: str) -> str:
    if text and len(text) < SHORTEST_KEY:
        raise ValueError(f"at least {SHORTEST_KEY} characters long, and nobody's guess")
    return text


SETTINGS = (
    Setting("DATABASE_URL", "", _database),
    Setting("NOUGHTS_INSTANCE", "instance", _folder),
    Setting("NOUGHTS_SECRET_KEY", "", _key),
    Setting("NOUGHTS_HTTPS", "off", _switch),
    Setting("NOUGHTS_HOSTS", "", _hosts),
    Setting("NOUGHTS_PROXIES", "0", _count),
    Setting("NOUGHTS_GUESTS", "on", _switch),
    Setting("NOUGHTS_GUEST_DAYS", "7", _days),
    Setting("NOUGHTS_SESSION_IDLE_DAYS", "14", _days),
    Setting("NOUGHTS_SESSION_DAYS", "90", _days),
    Setting("NOUGHTS_GUESSES_PER_ACCOUNT", "20", _count),
    Setting("NOUGHTS_GUESSES_PER_ADDRESS", "600", _count),
    Setting("NOUGHTS_SIGN_UPS_PER_ADDRESS", "300", _count),
    Setting("NOUGHTS_GUESTS_PER_ADDRESS", "600", _count),
    Setting("NOUGHTS_OPEN_HOURS", "24", _count),
    Setting("NOUGHTS_FIRST_MOVE_HOURS", "24", _count),
    Setting("NOUGHTS_ABANDON_HOURS", "72", _count),
    Setting("NOUGHTS_GONE_SECONDS", "90", _count),
    Setting("NOUGHTS_GONE_SECONDS_WITHOUT_SCRIPTS", "300", _count),
    Setting("NOUGHTS_OFFER_COMPUTER_SECONDS", "30", _count),
    Setting("NOUGHTS_STREAMS", "0", _count),
    Setting("NOUGHTS_STREAMS_PER_USER", "4", _count),
    Setting("NOUGHTS_SEED", "", _maybe_count),
)


def read_settings(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    values = {}
    for name, default, read in SETTINGS:
        try:
            values[name] = read(environ.get(name, "").strip() or default)
        except ValueError as wanted:
            # Without what it is now: an address of a database holds a password.
            raise BadSetting(f"The setting {name} must be {wanted}.") from None
    return values


def database_url(settings: Mapping[str, Any]) -> str:
    """The database as SQLAlchemy names it; hosting services still hand out the old `postgres://`."""
    scheme, _, rest = (settings["DATABASE_URL"] or "sqlite:///noughts.db").partition("://")
    if scheme == "sqlite":
        return "sqlite:///" + (Path(settings["NOUGHTS_INSTANCE"]) / rest.removeprefix("/")).as_posix()
    return f"postgresql+psycopg://{rest}"


def secret_key(settings: Mapping[str, Any]) -> str:
    """The key from the setting, else from the instance folder, where the first process to come leaves one."""
    if settings["NOUGHTS_SECRET_KEY"]:
        return str(settings["NOUGHTS_SECRET_KEY"])
    path = Path(settings["NOUGHTS_INSTANCE"]) / "secret_key"
    if not path.exists():
        _leave_new_key(path)
    key = path.read_text().strip()
    if len(key) < SHORTEST_KEY:
        raise BadSetting(f"The file {path} holds no key. Delete it, and a new one is made.")
    return key


def _leave_new_key(path: Path) -> None:
    """Several workers start at once: each writes its own file whole, and the first link wins for all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"secret_key.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(48) + "\n")
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
