"""The settings: their names in the environment, their defaults, their meaning. Standard library only.

docs/hosting.md lists each of them; a test holds the two together.
"""

import os
import re
import secrets
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, get_args

ROOT = Path(__file__).resolve().parent.parent
SHORTEST_KEY = 16


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


def _prefix(text: str) -> str:
    if not re.fullmatch(r"(/[A-Za-z0-9_-]+)*", text):
        raise ValueError("a path such as /noughts, without a slash at its end")
    return text


def _workers(text: str) -> int:
    if not 1 <= _count(text) <= 64:
        raise ValueError("a number of processes from 1 to 64")
    return _count(text)


def _hosts(text: str) -> list[str]:
    found = [part.strip().lower() for part in text.split(",") if part.strip()]
    if any("/" in part for part in found):
        raise ValueError("names with commas between them, such as noughts.school.example, without https://")
    return found


def _address(text: str) -> str:
    if text and not re.match(r"https?://[^\s/?#]+/?\Z", text):
        raise ValueError("the beginning of a link, such as https://noughts.school.example")
    return text.removesuffix("/")


def _readers(text: str) -> list[str]:
    """Networks, and words that are tokens; `.` and `:` tell them apart."""
    found = [part.strip() for part in text.split(",") if part.strip()]
    for part in found:
        if not re.fullmatch(r"[A-Za-z0-9_-]{16,}", part):
            try:
                ip_network(part, strict=False)
            except ValueError:
                raise ValueError("addresses such as 10.0.0.5 or 10.0.0.0/24, or a token of 16 letters and digits and "
                                 "more, with commas between them") from None  # fmt: skip
    return found


def _log_form(text: str) -> str:
    if text not in ("text", "json"):
        raise ValueError("text or json")
    return text


def _issuer(text: str) -> str:
    """By https, or on this machine."""
    if text and not re.match(r"(https://|http://(localhost|127\.0\.0\.1|\[::1\])[:/])[^\s?#]+\Z", text):
        raise ValueError("the address of an OpenID provider, such as https://login.school.example")
    return text


def _header(text: str) -> str:
    if text and not re.match(r"[A-Za-z][A-Za-z0-9-]*\Z", text):
        raise ValueError("the name of a header, such as X-Remote-User")
    return text


def _networks(text: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(part.strip()) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ValueError("addresses or networks with commas between them, such as 10.0.0.5, 10.1.0.0/16") from None


def _maybe_count(text: str) -> int | None:
    return _count(text) if text else None


def _folder(text: str) -> Path:
    """Not as seen from wherever a command is typed: the server and the commands must meet in one folder."""
    return ROOT / Path(text).expanduser()


def _maybe_folder(text: str) -> Path | None:
    return _folder(text) if text else None


def _database(text: str) -> str:
    if text and not text.startswith(("sqlite:///", "postgres://", "postgresql://", "postgresql+psycopg://")):
        raise ValueError("an address that begins with postgresql:// or sqlite:///")
    return text


def _listen(text: str) -> str:
    if text and not text.startswith(("postgres://", "postgresql://", "postgresql+psycopg://")):
        raise ValueError("an address that begins with postgresql://")
    return text


def _key(text: str) -> str:
    if text and len(text) < SHORTEST_KEY:
        raise ValueError(f"at least {SHORTEST_KEY} characters long, and nobody's guess")
    return text


class Variable(NamedTuple):
    """How a setting is written in the environment: what holds if it is not there, and how it is read."""

    default: str
    read: Callable[[str], Any]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """In the environment their names are in capitals, all but the first with NOUGHTS_ in front."""

    database_url: Annotated[str, Variable("", _database)]
    listen_url: Annotated[str, Variable("", _listen)]
    instance: Annotated[Path, Variable("instance", _folder)]
    user: Annotated[str, Variable("", str)]
    secret_key: Annotated[str, Variable("", _key)]
    https: Annotated[bool, Variable("off", _switch)]
    hosts: Annotated[list[str], Variable("", _hosts)]
    address: Annotated[str, Variable("", _address)]
    proxies: Annotated[int, Variable("0", _count)]
    prefix: Annotated[str, Variable("", _prefix)]
    backups: Annotated[Path | None, Variable("", _maybe_folder)]
    metrics: Annotated[list[str], Variable("", _readers)]
    log: Annotated[str, Variable("text", _log_form)]
    guests: Annotated[bool, Variable("on", _switch)]
    guest_days: Annotated[int, Variable("7", _days)]
    session_idle_days: Annotated[int, Variable("14", _days)]
    session_days: Annotated[int, Variable("90", _days)]
    guesses_per_account: Annotated[int, Variable("20", _count)]
    guesses_per_address: Annotated[int, Variable("600", _count)]
    sign_ups_per_address: Annotated[int, Variable("300", _count)]
    guests_per_address: Annotated[int, Variable("600", _count)]
    agent_requests: Annotated[int, Variable("3000", _count)]
    agent_games: Annotated[int, Variable("1000", _count)]
    opened_games: Annotated[int, Variable("200", _count)]
    started_games: Annotated[int, Variable("600", _count)]
    unfinished_games: Annotated[int, Variable("50", _count)]
    open_hours: Annotated[int, Variable("24", _count)]
    first_move_hours: Annotated[int, Variable("24", _count)]
    abandon_hours: Annotated[int, Variable("72", _count)]
    gone_seconds: Annotated[int, Variable("90", _count)]
    gone_seconds_without_scripts: Annotated[int, Variable("300", _count)]
    offer_computer_seconds: Annotated[int, Variable("30", _count)]
    workers: Annotated[int, Variable("1" if sys.platform == "win32" else "2", _workers)]
    streams: Annotated[int, Variable("1000", _count)]
    streams_per_user: Annotated[int, Variable("4", _count)]
    passwords: Annotated[bool, Variable("on", _switch)]
    single_sign_on_title: Annotated[str, Variable("your school account", str)]
    oidc_issuer: Annotated[str, Variable("", _issuer)]
    oidc_client_id: Annotated[str, Variable("", str)]
    oidc_client_secret: Annotated[str, Variable("", str)]
    trusted_header: Annotated[str, Variable("", _header)]
    trusted_header_from: Annotated[list[IPv4Network | IPv6Network], Variable("", _networks)]
    seed: Annotated[int | None, Variable("", _maybe_count)]


    @property
    def has_single_sign_on(self) -> bool:
        return bool(self.oidc_issuer or self.trusted_header)

    def check(self) -> None:
        """What single settings cannot tell: those that go together."""
        if self.oidc_issuer and not self.oidc_client_id:
            raise BadSetting("NOUGHTS_OIDC_ISSUER needs NOUGHTS_OIDC_CLIENT_ID, which the provider gave you.")
        if self.oidc_issuer and self.trusted_header:
            raise BadSetting("Set NOUGHTS_OIDC_ISSUER or NOUGHTS_TRUSTED_HEADER, not both.")
        if bool(self.trusted_header) != bool(self.trusted_header_from):
            raise BadSetting("NOUGHTS_TRUSTED_HEADER and NOUGHTS_TRUSTED_HEADER_FROM go together: from which "
                             "addresses the header is believed.")  # fmt: skip
        if not self.passwords and not self.has_single_sign_on:
            raise BadSetting("NOUGHTS_PASSWORDS can be off only where people log in by NOUGHTS_OIDC_ISSUER or "
                             "NOUGHTS_TRUSTED_HEADER.")  # fmt: skip


def _name(field: str) -> str:
    return "DATABASE_URL" if field == "database_url" else f"NOUGHTS_{field.upper()}"


FIELDS = {_name(field): field for field in Settings.__annotations__}
VARIABLES: dict[str, Variable] = {
    name: get_args(Settings.__annotations__[field])[1] for name, field in FIELDS.items()
}


def read_settings(environ: Mapping[str, str] = os.environ, given: Mapping[str, Any] = MappingProxyType({})) -> Settings:
    """From the environment; what is `given`, as a text or a value, overrules it by the same name."""
    settings = Settings(**{
        FIELDS[name]: _read(name, variable, given.get(name, environ.get(name, "")))
        for name, variable in VARIABLES.items()
    })  # fmt: skip
    settings.check()
    return settings


def _read(name: str, variable: Variable, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return variable.read(value.strip() or variable.default)
    except ValueError as wanted:
        # Without what it is now: an address of a database holds a password.
        raise BadSetting(f"The setting {name} must be {wanted}.") from None


def database_url(settings: Settings) -> str:
    """The database as SQLAlchemy names it; hosting services still hand out the old `postgres://`."""
    scheme, _, rest = (settings.database_url or "sqlite:///noughts.db").partition("://")
    if scheme == "sqlite":
        return "sqlite:///" + (settings.instance / rest.removeprefix("/")).as_posix()
    return f"postgresql+psycopg://{rest}"


def is_pooled(settings: Settings) -> bool:
    """Whether a pooler stands between us and PostgreSQL: each transaction may have another session of the server."""
    return bool(settings.listen_url) and not database_url(settings).startswith("sqlite")


def direct_url(settings: Settings) -> str:
    """The database past a pooler, for what needs a session of its own: LISTEN, migrations, PostgreSQL's programs."""
    return database_url(replace(settings, database_url=settings.listen_url) if is_pooled(settings) else settings)


def plain_url(url: str) -> str:
    """As PostgreSQL's own programs name a database: without SQLAlchemy's word for the driver."""
    return url.replace("+psycopg", "", 1)


def secret_key(settings: Settings) -> str:
    """The key from the setting, else from the instance folder, where the first process to come leaves one."""
    if settings.secret_key:
        return settings.secret_key
    path = settings.instance / "secret_key"
    try:
        if not path.exists():
            _leave_new_key(path)
        key = path.read_text().strip()
    except OSError as error:
        if os.access(path, os.F_OK):
            raise BadSetting(f"The file {path} cannot be read ({error.strerror}). Give it to the user who runs the "
                             "site (chown), or start the site as its owner.") from None  # fmt: skip
        raise BadSetting(f"The folder {path.parent} cannot be used ({error.strerror}). Choose another one with "
                         "the setting NOUGHTS_INSTANCE.") from None  # fmt: skip
    if len(key) < SHORTEST_KEY:
        raise BadSetting(f"The file {path} holds no key. Delete it, and a new one is made.")
    return key


def _leave_new_key(path: Path) -> None:
    """Several workers start at once: each writes its own file whole, and the first link wins for all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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
