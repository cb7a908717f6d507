"""What the running site sees of a request that the doctor sends it: through how many proxies, by which name.

The doctor shows that it has the site's secret key, by a signature that is good for a minute; others are told nothing.
"""

import hashlib
import hmac
import json
from typing import Any

from flask import current_app, request
from itsdangerous import BadSignature, TimestampSigner

from webapp.config import FIELDS, Settings
from webapp.extensions import settings

GOOD_FOR = 60  # seconds
SET_BY_START = {"NOUGHTS_ADDRESS", "NOUGHTS_USER"}  # the first by run.py, if the host does not; the second is done with


def _signer() -> TimestampSigner:
    return TimestampSigner(str(current_app.config["SECRET_KEY"]), salt="doctor")


def new_signature() -> str:
    return _signer().sign(b"doctor").decode()


def told_seen() -> str:
    """One line of JSON, or nothing for who is not the doctor."""
    try:
        _signer().unsign(request.args.get("deep", ""), max_age=GOOD_FOR)
    except BadSignature:
        return ""
    return json.dumps(seen())


def seen() -> dict[str, Any]:
    forwarded = request.headers.get("X-Forwarded-For", "")
    return {
        "forwarded": len([part for part in forwarded.split(",") if part.strip()]),
        "scheme": request.scheme,
        "host": request.host,
        "settings": fingerprints(settings()),
    }


def fingerprints(known: Settings) -> dict[str, str]:
    """Of each setting, so that two processes can compare them without telling them."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    return {
        name: hmac.new(key, repr(getattr(known, field)).encode(), hashlib.sha256).hexdigest()
        for name, field in FIELDS.items()
        if name not in SET_BY_START
    }
