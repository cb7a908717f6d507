"""Measured times on their way through the address of a page: signed, and for one position only."""

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

from webapp.analysis.measuring import Times
from webapp.tictactoe import Position


def write(times: list[Times], position: Position) -> str:
    return str(_serializer(position).dumps(times))


def read(text: str, position: Position) -> dict[str, Times]:
    """By the name of the search; none if they are not ours, or were measured elsewhere."""
    if not text:
        return {}
    try:
        return {name: Times(name, *figures) for name, *figures in _serializer(position).loads(text)}
    except BadSignature:
        return {}


def _serializer(position: Position) -> URLSafeSerializer:
    salt = f"analysis {position.text} {position.to_move}"
    return URLSafeSerializer(str(current_app.secret_key), salt=salt)
