"""The live part of a page, for the script that swaps it; 304 while it has not changed."""

import hashlib
from typing import Any, cast

from flask import Response, g, render_template, request


def piece_of(template: str, **values: Any) -> Response:
    text = render_template(template, **values)
    # The token in the forms, if there are any, is written anew each time, and the one from before is as good.
    return tagged(Response(text), text.replace(g.get("csrf_token", ""), ""))


def tagged(response: Response, text: str) -> Response:
    response.headers["Cache-Control"] = "private, no-cache"
    response.set_etag(hashlib.sha256(text.encode()).hexdigest()[:20])
    return cast(Response, response.make_conditional(request))
