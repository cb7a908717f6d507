"""Times and numbers in words, for the templates. Standard library only."""

from datetime import datetime

from webapp.clock import now

STEPS = ((60, "second", 1), (3600, "minute", 60), (86400, "hour", 3600), (30 * 86400, "day", 86400))


def until(moment: datetime) -> str:
    """When something will happen: "in 9 minutes", rounded up, so that it is never promised too early."""
    seconds = int((moment - now()).total_seconds())
    if seconds <= 0:
        return "now"
    if seconds < 60:
        return "in less than a minute"
    for limit, unit, size in STEPS[1:]:
        if seconds < limit:
            count = -(-seconds // size)
            return f"in {count} {unit}{'' if count == 1 else 's'}"
    return f"on {moment.day} {moment:%B %Y}"


def ago(moment: datetime) -> str:
    seconds = max(0, int((now() - moment).total_seconds()))
    if seconds < 10:
        return "just now"
    for limit, unit, size in STEPS:
        if seconds < limit:
            count = seconds // size
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return f"on {moment.day} {moment:%B %Y}"
