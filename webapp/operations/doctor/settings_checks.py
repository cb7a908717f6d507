"""The settings: each can be read by itself, or the site would not start; here it is asked whether they fit together."""

import difflib
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from webapp.config import VARIABLES, Settings
from webapp.operations.doctor.findings import Finding, Findings, consider, good, mend

PREFIX = "NOUGHTS_"


def settings_findings(settings: Settings, environ: Mapping[str, str] = os.environ) -> Findings:
    found = [*_unknown(environ), *_https(settings), *_hosts(settings), *_metrics(settings), *_seed(settings)]
    return found or [good("The settings fit together.")]


def _unknown(environ: Mapping[str, str]) -> Findings:
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in VARIABLES:
            known = [one.removeprefix(PREFIX) for one in VARIABLES]
            close = difflib.get_close_matches(name.removeprefix(PREFIX), known, 1)
            hint = f" Did you mean {PREFIX}{close[0]}?" if close else " docs/hosting.md lists them all."
            yield mend(f"There is no setting {name}, so it does nothing.{hint}")


def _https(settings: Settings) -> Findings:
    scheme = urlsplit(settings.address).scheme
    if settings.https and scheme == "http" and not _is_local(settings.address):
        yield mend("NOUGHTS_HTTPS is on, but NOUGHTS_ADDRESS begins with http: people who come that way cannot stay "
                   "logged in. Let it begin with https.")  # fmt: skip
    if not settings.https and scheme == "https":
        yield mend("NOUGHTS_ADDRESS begins with https, but NOUGHTS_HTTPS is off, so cookies are sent by http too. "
                   "Turn it on.")  # fmt: skip
    if settings.https and not settings.proxies:
        yield consider("NOUGHTS_HTTPS is on, but NOUGHTS_PROXIES is 0: the site itself speaks http only. If a proxy "
                       "with https stands in front, set NOUGHTS_PROXIES to 1.")  # fmt: skip


def _is_local(address: str) -> bool:
    return (urlsplit(address).hostname or "").startswith("127.")  # as run.py itself sets it


def _hosts(settings: Settings) -> Findings:
    host = urlsplit(settings.address).hostname
    if settings.hosts and host and host not in settings.hosts and not _is_local(settings.address):
        yield mend(f"NOUGHTS_ADDRESS leads to {host}, which is not among NOUGHTS_HOSTS: its visitors are refused. Add "
                   "it there.")  # fmt: skip
    if settings.proxies and not settings.hosts:
        yield consider("NOUGHTS_HOSTS is not set, so the site answers to any name that somebody gives it. Set it to "
                       "the names that lead to your proxy.")  # fmt: skip


def _metrics(settings: Settings) -> Findings:
    if any(reader.endswith("/0") for reader in settings.metrics):
        yield mend("NOUGHTS_METRICS lets everybody read /metrics. Name the address of your Prometheus, or a token.")


def _seed(settings: Settings) -> list[Finding]:
    if settings.seed is None:
        return []
    return [consider("NOUGHTS_SEED is set, so Beginner and Casual play the same way after each start. Take it away "
                     "unless this is a demonstration.")]  # fmt: skip
