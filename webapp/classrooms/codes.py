"""The code that opens a classroom: easy to read from a wall and to type, hopeless to guess. Standard library only.

Eight characters of 31 are 8.5 * 10^11 codes. Wrong ones are limited by network (views), so that a thousand open
classrooms and a year of guessing from one address find one with a chance of less than one in a hundred.
"""

import re
import secrets

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
CODE = re.compile(f"[{ALPHABET}]{{8}}\\Z")


def new_join_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(8))


def typed_code(text: str) -> str | None:
    """The code that somebody typed, in capitals or with signs between; None if it cannot be one."""
    code = re.sub(r"[\s-]", "", text).lower()
    return code if CODE.match(code) else None


def shown_code(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"
