"""The running site, asked as its visitors ask: is it there, and do its proxies tell it what it must know?"""

import http.client
import json
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from webapp.config import Settings
from webapp.launcher.addresses import name_for_others
from webapp.operations.doctor.findings import Finding, Findings, consider, good, mend
from webapp.operations.doctor.seen import fingerprints, new_signature
from webapp.running_note import read_note, running_process

PATIENCE = 10
OF_ONE_SERVER = {"NOUGHTS_INSTANCE", "NOUGHTS_BACKUPS", "NOUGHTS_WORKERS"}  # each app server may have its own


class NotSeen(Exception):
    """Why the site did not tell what it sees."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def site_findings(settings: Settings, address: str = "") -> Findings:
    """At `address`, else where its visitors come, as far as the settings tell that."""
    place = address or _public_address(settings) or read_note(settings.instance)
    if not place:
        return [consider("The site is not running here, so what its proxies tell it was not looked at.")]
    parts = urlsplit(place)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return [mend(f"{place} is no address of a site. Write it as https://noughts.school.example.")]
    try:
        seen = _ask(parts)
    except NotSeen as reason:
        return [mend(reason.sentence)]
    found = [*_other_settings(settings, seen), *_proxies(settings, seen, parts), *_names(settings, seen, parts)]
    found = found or [good(f"The site answers at {place}, and sees of its visitors what it must.")]
    return [*found, *_root(settings)]


def _public_address(settings: Settings) -> str:
    name = name_for_others(settings.hosts)
    if not (name and settings.proxies):
        return ""
    return f"{'https' if settings.https else 'http'}://{name}{settings.prefix}"


def _connection(place: SplitResult) -> http.client.HTTPConnection:
    if place.scheme == "http":
        return http.client.HTTPConnection(str(place.hostname), place.port, timeout=PATIENCE)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(str(place.hostname), place.port, timeout=PATIENCE, context=context)


def _ask(place: SplitResult) -> dict[str, Any]:
    connection = _connection(place)
    try:
        connection.request("GET", f"{place.path.rstrip('/')}/readyz?deep={new_signature()}")
        answer = connection.getresponse()
        lines = answer.read(10_000).decode(errors="replace").splitlines()
    except ssl.SSLCertVerificationError as trouble:
        raise NotSeen(f"This machine does not trust the certificate at {place.geturl()} ({trouble.verify_message}). "
                      "Give the proxy one that browsers trust; of a school's own authority name the file in "
                      "SSL_CERT_FILE here.") from None  # fmt: skip
    except (OSError, http.client.HTTPException) as trouble:
        raise NotSeen(f"Nothing answers at {place.geturl()} ({trouble}). Start the site, or mend what is in front of "
                      "it.") from None  # fmt: skip
    finally:
        connection.close()
    return _read(place, answer, lines)


def _read(place: SplitResult, answer: http.client.HTTPResponse, lines: list[str]) -> dict[str, Any]:
    if answer.status == 400:
        raise NotSeen(f"The site does not answer to the name {place.hostname}. Add it to NOUGHTS_HOSTS.")
    if 300 <= answer.status < 400:
        there = str(answer.headers["Location"]).partition("/readyz")[0]
        raise NotSeen(f"{place.geturl()} sends its visitors on to {there}. Ask there: doctor --address {there}")
    if answer.status == 503:
        raise NotSeen(f"The site at {place.geturl()} is not ready: {' '.join(lines[:1])}")
    if not lines or not lines[-1].startswith("{"):
        raise NotSeen(f"What answers at {place.geturl()} is not this site, or has another secret key. Type this with "
                      "the settings that the site was started with.")  # fmt: skip
    seen: dict[str, Any] = json.loads(lines[-1])
    return seen


def _other_settings(settings: Settings, seen: dict[str, Any]) -> Findings:
    ours = fingerprints(settings)
    own = OF_ONE_SERVER if seen["forwarded"] else set()  # a proxy may have asked another app server
    unlike = [name for name in ours if name not in own and seen["settings"].get(name) != ours[name]]
    if unlike:
        yield mend(f"The running site has other settings than this terminal: {', '.join(unlike)}. Type this with those "
                   "of the site, or start it again.")  # fmt: skip


def _proxies(settings: Settings, seen: dict[str, Any], place: SplitResult) -> Findings:
    there, told = seen["forwarded"], settings.proxies
    if there == 0 and told and (place.hostname or "").startswith("127."):
        yield consider("The site was asked directly, not through its proxy. To have that looked at too, add --address "
                       "and the address that people open.")  # fmt: skip
    elif there > told:
        yield mend(f"A request came through {there} proxies (X-Forwarded-For), but NOUGHTS_PROXIES is {told}: to the "
                   f"site all people come from one address and share its limits. Set it to {there}.")  # fmt: skip
    elif there < told:
        yield mend(f"A request came through {there} proxies (X-Forwarded-For), but NOUGHTS_PROXIES is {told}: anybody "
                   f"can make up an address. Set it to {there}, or let each proxy add X-Forwarded-For.")  # fmt: skip


def _names(settings: Settings, seen: dict[str, Any], place: SplitResult) -> Findings:
    if seen["scheme"] != place.scheme:
        yield mend(f"People come by {place.scheme}, and the site sees {seen['scheme']}. Let the proxy set "
                   "X-Forwarded-Proto, and NOUGHTS_PROXIES count it.")  # fmt: skip
    if settings.https != (place.scheme == "https") and not (place.hostname or "").startswith("127."):
        wanted = "on" if place.scheme == "https" else "off"
        yield mend(f"People come by {place.scheme}. Set NOUGHTS_HTTPS to {wanted}.")
    if seen["host"].lower() != place.netloc.lower():
        yield mend(f"People open {place.netloc}, and the site sees {seen['host']}. Let the proxy pass on the name, in "
                   "Host or X-Forwarded-Host.")  # fmt: skip


def _root(settings: Settings) -> list[Finding]:
    process = running_process(settings.instance)
    owner = Path(f"/proc/{process}")
    if process and owner.exists() and owner.stat().st_uid == 0:
        return [mend("The site runs as root. Somebody who finds a fault in it could then control the whole machine. "
                     "Start it with --user and the name of an ordinary user.")]  # fmt: skip
    return []
