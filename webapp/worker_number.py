"""Which of the workers this process is: its number, which the one that takes its place after a crash gets again.

0 is the supervisor, or a command. Standard library only.
"""

_number = 0


def worker_number() -> int:
    return _number


def set_worker_number(number: int) -> None:
    """Called once, as a worker's process begins."""
    global _number
    _number = number
