"""The settings: their names in the environment, their defaults, their meaning. Standard library only.

docs/hosting.md lists each of them; a test holds the two together.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent


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


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _maybe_count(text: str) -> int | None:
    return _count(text) if text else None


SETTINGS = (
    Setting("DATABASE_URL", "", str),
    Setting("NOUGHTS_INSTANCE", str(ROOT / "instance"), str),
    Setting("NOUGHTS_SECRET_KEY", "", str),
    Setting("NOUGHTS_HTTPS", "off", _switch),
    Setting("NOUGHTS_HOSTS", "", _list),
    Setting("NOUGHTS_PROXIES", "0", _count),
    Setting("NOUGHTS_GUESTS", "on", _switch),
    Setting("NOUGHTS_GUEST_DAYS", "7", _count),
    Setting("NOUGHTS_SESSION_IDLE_DAYS", "14", _count),
    Setting("NOUGHTS_SESSION_DAYS", "90", _count),
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
            raise BadSetting(f"The setting {name} is {environ[name]!r}, but it must be {wanted}.") from None
    return values


def database_url(settings: Mapping[str, Any]) -> str:
    """The database as SQLAlchemy names it; hosting services still hand out the old `postgres://`."""
    url = str(settings["DATABASE_URL"])
    if not url:
        return "sqlite:///" + (Path(settings["NOUGHTS_INSTANCE"]) / "noughts.db").as_posix()
    scheme, separator, rest = url.partition("://")
    return ("postgresql+psycopg" if scheme in ("postgres", "postgresql") else scheme) + separator + rest


def secret_key(settings: Mapping[str, Any]) -> str:
    """The key from the setting, else from the instance folder, where the first process to come leaves one."""
    if settings["NOUGHTS_SECRET_KEY"]:
        return str(settings["NOUGHTS_SECRET_KEY"])
    path = Path(settings["NOUGHTS_INSTANCE"]) / "secret_key"
    if not path.exists():
        _leave_new_key(path)
    return path.read_text().strip()


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
