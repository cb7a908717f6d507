"""Servers of others that ours is tested with: nginx and pgbouncer, from Debian's packages. Standard library only."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGES = {"nginx": "nginx-light", "pgbouncer": "pgbouncer"}
HAS_SERVICES = Path("/run/systemd/system").exists()


def find(program: str) -> str | None:
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def missing() -> list[str]:
    return [program for program in PACKAGES if not find(program)]


def install_missing() -> None:
    """Not where services run: there a package would start its own server on the ports of the machine."""
    if missing() and can_install() and not HAS_SERVICES:
        packages = [PACKAGES[program] for program in missing()]
        print(f"Installing {' and '.join(missing())} ...", flush=True)
        debian("update")
        debian("install", "-y", "--no-install-recommends", *packages)


def can_install() -> bool:
    return bool(shutil.which("apt-get")) and os.geteuid() == 0


def debian(*words: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.call(["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL) == 0


@contextmanager
def ended_with_us(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """The process ends with this block, and if the tests are killed within it as well."""
    words = ["sh", "-c", "cat > /dev/null; kill -KILL $0", str(process.pid)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True) as minder:
        try:
            yield
        finally:
            assert minder.stdin is not None
            minder.stdin.close()
            process.wait()


def unprivileged(folder: Path) -> dict[str, Any]:
    """For a program that refuses to run as root: then it runs as nobody, and the folder is nobody's."""
    if os.geteuid() != 0:
        return {}
    import pwd  # Windows has none

    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
