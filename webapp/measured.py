"""What can be counted while the site runs. Here nothing is: operations/metrics.py counts, if a setting asks for it."""

from flask import Flask, current_app

MEASURED = "noughts_measured"


class Measured:
    """Told of each thing as it happens. Neither a name nor an address is told, so that none can end up in a label."""

    def moves(self, count: int) -> None:
        """So many were stored together."""

    def search(self, level: str, seconds: float) -> None:
        """The computer has searched for its answer."""

    def limit_hit(self) -> None:
        """Somebody was refused because it was tried too often."""

    def write_lock_wait(self, seconds: float) -> None:
        """A unit that writes has begun, after so long in the queue (SQLite)."""

    def live_pages(self, count: int) -> None:
        """So many are open in this process now."""

    def waiting_agents(self, count: int) -> None:
        """So many wait for a job in this process now."""


def measured() -> Measured:
    return measured_by(current_app)


def measured_by(app: Flask) -> Measured:
    found: Measured = app.extensions[MEASURED]
    return found
