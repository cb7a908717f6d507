"""Times and numbers in words, for the templates. Standard library only."""

from datetime import datetime

from webapp.clock import now

STEPS = ((60, "second", 1), (3600, "minute", 60), (86400, "hour", 3600), (30 * 86400, "day", 86400))


def ago(moment: datetime) -> str:
    seconds = max(0, int((now() - moment).total_seconds()))
    if seconds < 10:
        return "just now"
    for limit, unit, size in STEPS:
        if seconds < limit:
            count = seconds // size
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return f"on {moment.day} {moment:%B %Y}"
