"""Random tokens and the hashes under which they are kept. Standard library only."""

import hashlib
import re
import secrets

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z")


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
