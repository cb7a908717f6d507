"""Where the site is: the port that it takes, and the addresses by which others on its network reach it."""

import errno
import importlib
import socket
import sys
from collections.abc import Iterable, Mapping
from ipaddress import ip_address


def listen(host: str, port: int) -> socket.socket:
    """Take the port before anything slow happens; a browser that comes early waits in its queue."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OverflowError:
        sys.exit("Ports have numbers from 0 to 65535: choose one of those, as with --port 8000.")
    except OSError as error:
        sys.exit(_why_not(error, host, port))


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (f"Port {port} is taken, perhaps by Noughts itself: stop that program, or choose another port, "
                f"as with --port {port % 65535 + 1}.")  # fmt: skip
    if error.errno == errno.EACCES:
        return f"Only administrators can use port {port}: choose another, as with --port 8000."
    return (f"This machine has no address {host} to serve at: leave --host out, or give it 0.0.0.0 for every "
            "address it has.")  # fmt: skip


def greeting(host: str, port: int) -> list[str]:
    if not is_for_all(host):
        return [f"Noughts is at {url(host, port)} (Ctrl-C stops it)."]
    others = [url(address, port) for address in network_addresses()]
    return [
        f"Noughts is at {url('127.0.0.1', port)} on this machine (Ctrl-C stops it).",
        f"For everyone in the room it is at {' or '.join(others)}." if others else
        "Phones cannot reach it: this machine is not on a network.",
    ]  # fmt: skip


def address_for_others(host: str, port: int) -> str:
    """What links to pass on begin with; empty if this machine is not on a network."""
    hosts = network_addresses() if is_for_all(host) else [host]
    return url(hosts[0], port) if hosts else ""


def address_behind_proxy(settings: Mapping[str, str]) -> str:
    """What people open where a proxy stands in front, as far as the settings tell; else empty."""
    name = name_for_others(host.strip() for host in settings.get("NOUGHTS_HOSTS", "").split(","))
    if not name or settings.get("NOUGHTS_PROXIES", "").strip() in ("", "0"):
        return ""
    is_https = settings.get("NOUGHTS_HTTPS", "").strip().lower() in ("on", "true", "yes", "1")  # as webapp/config.py
    return f"{'https' if is_https else 'http'}://{name.lower()}"


def name_for_others(hosts: Iterable[str]) -> str:
    """The first of the site's names that other machines can open; empty if none is."""
    own = ("", "localhost")
    return next((host for host in hosts if host not in own and not host.startswith((".", "127.", "["))), "")


def is_for_all(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:  # a name
        return False


def url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def network_addresses() -> list[str]:
    """The addresses of this machine's interfaces, the one towards the outside first. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        found = interface_addresses(probe) if sys.platform == "linux" else []
        try:
            probe.connect(("192.0.2.1", 9))  # kept for documentation; to connect UDP is only to pick a route
            found.insert(0, probe.getsockname()[0])
        except OSError:
            pass  # no way out, but perhaps a network of its own
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def interface_addresses(probe: socket.socket) -> list[str]:
    ioctl = importlib.import_module("fcntl").ioctl  # Windows has none
    found = []
    for _, name in socket.if_nameindex():
        try:
            answer = ioctl(probe, 0x8915, name.encode().ljust(40, b"\0"))  # SIOCGIFADDR
            found.append(socket.inet_ntoa(answer[20:24]))
        except OSError:
            pass  # an interface without an IPv4 address
    return found
