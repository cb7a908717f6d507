"""Random tokens and the hashes under which they are kept. Standard library only."""

import hashlib
import hmac
import re
import secrets

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z")


UNMISTAKABLE = "bcdfghjkmnpqrstvwxyz23456789"  # letters and digits that are not mistaken for each other


def new_token() -> str:
    return secrets.token_urlsafe(32)


def new_readable_token() -> str:
    """One that may be typed from a printed card: eleven groups of three, 158 bits. No option begins like it."""
    return "-".join("".join(secrets.choice(UNMISTAKABLE) for _ in range(3)) for _ in range(11))


def derived_readable_token(secret: str, *words: object) -> str:
    """As readable as a new one, and the same whenever it is derived from the same words."""
    digest = hmac.new(secret.encode(), "\n".join(map(str, words)).encode(), hashlib.sha512).digest()
    number, letters = int.from_bytes(digest), ""
    for _ in range(33):
        number, place = divmod(number, len(UNMISTAKABLE))
        letters += UNMISTAKABLE[place]
    return "-".join(letters[at : at + 3] for at in range(0, 33, 3))


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
