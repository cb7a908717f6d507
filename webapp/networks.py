"""Which addresses count as one. Standard library."""

from ipaddress import IPv6Address, ip_address, ip_network


def network_of(address: str | None) -> str:
    """What limits count by: an IPv4 address, or the IPv6 network that one customer gets whole."""
    try:
        found = ip_address((address or "?").partition("%")[0])
    except ValueError:  # as from a socket in the file system
        return address or "?"
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)
