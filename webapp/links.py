"""Links to pass on: whole addresses that others can open, as far as we know one; and as pictures for phones."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Flask, url_for
from markupsafe import Markup

from webapp.extensions import settings


def init_app(app: Flask) -> None:
    app.add_template_global(link_to)
    app.add_template_global(is_only_here)
    app.add_template_global(command_for_network)
    app.add_template_global(qr_code)


def link_to(endpoint: str, **values: Any) -> str:
    """As the page was asked for; but whoever sits at the server passes on the address that others have for it."""
    link = url_for(endpoint, **values, _external=True)
    given = settings().address
    return given + url_for(endpoint, **values) if given and is_only_here(link) else link


def is_only_here(link: str) -> bool:
    """Whether it leads every machine to itself."""
    host = urlsplit(link).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost" or host.endswith(".localhost")


def command_for_network(link: str) -> str:
    """What to type so that others on the network can open the site, at the port where it is now."""
    port = urlsplit(link).port
    return "python3 run.py --host 0.0.0.0" + (f" --port {port}" if port not in (None, 8000) else "")


def qr_code(link: str) -> Markup:
    """A picture that the camera of a phone opens; black on white in dark pages too, which not every camera can turn."""
    code = segno.make(link, micro=False, error="m")
    picture = code.svg_inline(omitsize=True, border=3, light="#fff", svgclass="qr", lineclass=None)
    return Markup(picture)  # noqa: S704 - it draws squares only # nosec B704
