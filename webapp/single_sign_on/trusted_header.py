"""A proxy of the school that knows who somebody is, and says it in a header. Believed from named proxies alone."""

from ipaddress import ip_address

from flask import request

from webapp.extensions import settings
from webapp.single_sign_on.identity import Identity, identity_from
from webapp.single_sign_on.refusals import HeaderNotTrusted

ISSUER = "trusted header"  # an OpenID issuer is an address, so none is called like this


def identity_in_header() -> Identity:
    told = request.headers.get(settings().trusted_header, "")
    if not told or not _comes_from_named_proxy():
        raise HeaderNotTrusted
    return identity_from(ISSUER, told, told)


def _comes_from_named_proxy() -> bool:
    """By the address of the connection itself, whatever X-Forwarded-For says."""
    before = request.environ.get("werkzeug.proxy_fix.orig", {})
    try:
        peer = ip_address(str(before.get("REMOTE_ADDR") or request.remote_addr or "").partition("%")[0])
    except ValueError:
        return False
    peer = getattr(peer, "ipv4_mapped", None) or peer
    return any(peer in network for network in settings().trusted_header_from)
