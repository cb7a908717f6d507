"""Which browser is asking: its name in words, and the cookie by which it is known again. Knows Flask."""

import re

from flask import Response, g, request

from webapp.accounts.tokens import TOKEN, hash_of, new_token
from webapp.extensions import settings

# In this order: Edge and Opera call themselves Chrome too, Chrome calls itself Safari.
BROWSERS = {"Firefox": "Firefox", "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet",
            "Chrom": "Chromium", "CriOS": "Chrome", "FxiOS": "Firefox", "Safari": "Safari"}  # fmt: skip
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "CrOS": "ChromeOS",
           "Mac OS": "macOS", "Linux": "Linux"}  # fmt: skip


def browser_name(user_agent: str) -> str:
    browser = next((name for sign, name in BROWSERS.items() if re.search(sign, user_agent)), "A browser")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), None)
    return f"{browser} on {system}" if system else browser


def browser_hash() -> str:
    """The hash of this browser's long-lived cookie, which is set with the answer if there is none yet."""
    token = request.cookies.get(_cookie_name(), "")
    if not TOKEN.match(token):
        token = g.new_browser_token = new_token()
    return hash_of(token)


def _cookie_name() -> str:
    """With https a name that no other site on the same domain can set."""
    return "__Host-noughts_browser" if settings().https else "noughts_browser"


def set_browser_cookie(response: Response) -> Response:
    if token := g.get("new_browser_token"):
        secure = settings().https
        response.set_cookie(_cookie_name(), token, max_age=365 * 86400, httponly=True, secure=secure, samesite="Lax")
    return response
