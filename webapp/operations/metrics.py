"""`/metrics` for Prometheus: what happens in all workers of this server. Loaded only where NOUGHTS_METRICS is set.

Labels are routes (endpoints), methods, statuses and levels: closed sets, so that neither a name nor a token is in one.
"""

import hmac
import os
import time
from collections.abc import Iterator
from ipaddress import IPv6Address, ip_address, ip_network

import prometheus_client
from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy import text

from webapp.database import UNREACHABLE, reading
from webapp.errors import NotThere
from webapp.extensions import settings
from webapp.measured import MEASURED, Measured
from webapp.operations.daily_backup import last_good_backup
from webapp.serving.metrics_folder import VARIABLE
from webapp.worker_number import worker_number

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
QUICK_SECONDS = (0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
WAITING_FOR_LOCKS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


class Metrics(Measured):
    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        routes = ("route", "method", "status")
        self._requests = Counter("noughts_requests", "Requests answered", routes, registry=own)
        self._request_seconds = _histogram("noughts_request_seconds", "What they took", ("route",), SECONDS, own)
        self._moves = Counter("noughts_moves", "Moves stored, the computer's too", registry=own)
        self._search_seconds = _histogram("noughts_search_seconds", "The computer's", ("level",), QUICK_SECONDS, own)
        self._limits = Counter("noughts_limits_hit", "Refused: too many tries", ("route",), registry=own)
        self._lock_seconds = _histogram("noughts_write_lock_wait_seconds", "Before a write", (), QUICK_SECONDS, own)
        self._live_pages = _gauge("noughts_live_pages", "Pages open for live news", own)
        self._waiting_agents = _gauge("noughts_waiting_agents", "Agents that wait for a job", own)

    def moves(self, count: int) -> None:
        self._moves.inc(count)

    def search(self, level: str, seconds: float) -> None:
        self._search_seconds.labels(level).observe(seconds)

    def limit_hit(self) -> None:
        self._limits.labels(_route()).inc()

    def write_lock_wait(self, seconds: float) -> None:
        self._lock_seconds.observe(seconds)

    def live_pages(self, count: int) -> None:
        self._live_pages.set(count)

    def waiting_agents(self, count: int) -> None:
        self._waiting_agents.set(count)

    def count_request(self, response: Response) -> Response:
        method = request.method if request.method in METHODS else "other"
        self._requests.labels(_route(), method, response.status_code).inc()
        self._request_seconds.labels(_route()).observe(time.perf_counter() - g.started)
        return response

    def show(self) -> Response:
        if not _may_read():
            raise NotThere
        shown = CollectorRegistry()
        if VARIABLE in os.environ:
            MultiProcessCollector(shown)
        else:
            shown.register(self.registry)
        shown.register(_OfDatabase())
        return Response(generate_latest(shown), content_type=prometheus_client.CONTENT_TYPE_LATEST)


class _OfDatabase(Collector):
    """What is asked for only when somebody looks, and is the same whichever server tells it."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            found = dict(_asked_of_database())
        except UNREACHABLE:
            found = {}
        for name, sentence in ASKED.items():
            if name in found:
                yield GaugeMetricFamily(name, sentence, value=found[name])
        yield GaugeMetricFamily("noughts_database_up", "1 if the database answers", value=float(bool(found)))


ASKED = {
    "noughts_database_lock_waiters": "Connections that wait for a lock of PostgreSQL now",
    "noughts_last_good_backup_timestamp_seconds": "When the last good daily backup was finished; 0 for never",
}


def _asked_of_database() -> Iterator[tuple[str, float]]:
    last = last_good_backup()
    yield "noughts_last_good_backup_timestamp_seconds", last.finished_at.timestamp() if last else 0
    with reading() as connection:
        if connection.dialect.name == "postgresql":
            yield "noughts_database_lock_waiters", connection.scalar(text(WAITING_FOR_LOCKS)) or 0


def _histogram(
    name: str, sentence: str, labels: tuple[str, ...], seconds: tuple[float, ...], own: CollectorRegistry
) -> Histogram:
    return Histogram(name, sentence, labels, buckets=seconds, registry=own)


def _gauge(name: str, sentence: str, own: CollectorRegistry) -> Gauge:
    return Gauge(name, sentence, registry=own, multiprocess_mode="livesum")


def _route() -> str:
    return request.endpoint or "none"


def _may_read() -> bool:
    """By the address that a proxy of ours gives, or by the token."""
    given = request.authorization
    token = (given.token or "").encode() if given and given.type == "bearer" else b""
    return any(
        hmac.compare_digest(reader.encode(), token) if _is_token(reader) else _is_within(reader)
        for reader in settings().metrics
    )


def _is_token(reader: str) -> bool:
    return "." not in reader and ":" not in reader


def _is_within(network: str) -> bool:
    try:
        address = ip_address((request.remote_addr or "").partition("%")[0])
    except ValueError:  # as from a socket in the file system
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address in ip_network(network, strict=False)


def init_app(app: Flask) -> None:
    """Before the blueprints, some of which keep what counts for them."""
    prometheus_client.disable_created_metrics()
    values.ValueClass = values.MultiProcessValue(worker_number) if VARIABLE in os.environ else values.MutexValue
    metrics = Metrics()
    app.extensions[MEASURED] = metrics
    app.after_request(metrics.count_request)
    app.add_url_rule("/metrics", "metrics", metrics.show)
