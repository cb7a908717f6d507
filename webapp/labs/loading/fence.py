"""What a student's program may do to the machine: bounds and refusals against accidents.

Standard library only. It is a fence for mistakes, not a wall against malice: hence never on a server."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if sys.platform != "win32" and sys.platform != "emscripten":  # a browser has its own
    import resource

MOST_MEMORY = 512 << 20
MOST_CPU_SECONDS = 900
MOST_FILE_SIZE = 10_000_000

PROGRAMS = {
    "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "os.startfile",
    "subprocess.Popen", "pty.spawn", "os.kill", "os.killpg",
}  # fmt: skip
NETWORK = {"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"}
FILES = {
    "os.remove", "os.rmdir", "os.mkdir", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chmod",
    "os.chown", "os.utime", "shutil.rmtree", "shutil.move",
}  # fmt: skip
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def limit_resources() -> None:
    """Bound memory, processor time and file size where the system can.

    The number of processes is not bounded so: that limit counts all of a user's programs, and spares root.
    """
    if sys.platform == "win32" or sys.platform == "emscripten":
        return
    for name, bound in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, MOST_CPU_SECONDS),
        (resource.RLIMIT_FSIZE, MOST_FILE_SIZE),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(name, (bound, bound))
        except (OSError, ValueError):  # macOS knows some of the names and refuses them
            continue


def refuse(event: str, args: tuple[Any, ...], folder: Path) -> str | None:
    """Say why an audited event is refused, or None."""
    if event in PROGRAMS:
        return "a file under check may not start or stop other programs"
    if event in NETWORK:
        return "a file under check may not use the network"
    writes = event == "open" and isinstance(args[2], int) and args[2] & WRITES
    if (writes and is_outside(args[0], folder)) or (
        event in FILES and any(is_outside(path, folder) for path in args[:2])
    ):
        return "a file under check may change nothing outside its own folder"
    return None


def is_outside(path: Any, folder: Path) -> bool:
    """Tell whether a path leads out of the folder. (File descriptors come from paths seen before.)"""
    if not isinstance(path, str | bytes) or path == os.devnull:
        return False
    return not Path(os.fsdecode(path)).resolve().is_relative_to(folder)


def put_up(folder: Path) -> None:
    """Bound the process and refuse, from now on, what reaches beyond the folder."""
    limit_resources()

    def watch(event: str, args: tuple[Any, ...]) -> None:
        reason = refuse(event, args, folder)
        if reason:
            raise PermissionError(reason)

    hook: Callable[[str, tuple[Any, ...]], None] = watch
    sys.addaudithook(hook)
