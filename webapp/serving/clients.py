"""Whose request it is, as far as that is known before the app is called: by network, and there by user."""

import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from webapp.networks import network_of
from webapp.serving.environ import Scope
from webapp.serving.turns import Client

TELL_KNOWN = "noughts.tell_known"  # in the environ
KNOWN = 10_000  # secrets; who has none of them shares the turns of their network with others, and has one the next time
BEARER = re.compile(rb"bearer\s+(\S+)", re.IGNORECASE)


def tell_known(environ: Mapping[str, Any], secret: str, user_id: int) -> None:
    """For the app: this cookie or token was not made up, and this is whose it is. With all that they have, of whatever
    age, and with all their programs, somebody is one client.
    """
    if tell := environ.get(TELL_KNOWN):
        tell(secret, user_id)


class Clients:
    def __init__(self, cookie: str, proxies: int = 0) -> None:
        """`proxies` of the host's own stand in front, and say where a request came from."""
        self._cookie = re.compile(rb"(?:^|;)\s*" + re.escape(cookie.encode()) + rb"=([^;\s]+)")
        self._proxies = proxies
        self._known = OrderedDict[str, int]()

    def tell_known(self, secret: str, user_id: int) -> None:
        """In any thread. Those told lately stay."""
        self._known.pop(secret, None)
        self._known[secret] = user_id
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def client_of(self, scope: Scope) -> Client:
        found = [*self._secrets(scope, b"cookie", self._cookie), *self._secrets(scope, b"authorization", BEARER)]
        users = (self._known.get(secret) for secret in found)
        return Client(network_of(self._address(scope)), next((user for user in users if user is not None), None))

    def _secrets(self, scope: Scope, header: bytes, form: re.Pattern[bytes]) -> list[str]:
        values = [value for name, value in scope["headers"] if name == header]
        return [secret.decode("latin-1") for value in values for secret in form.findall(value)]

    def _address(self, scope: Scope) -> str:
        """As the app has it from ProxyFix."""
        headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        text = ",".join(headers).replace('"', "")
        told = [part.strip() for part in text.split(",")] if self._proxies and headers else []
        if len(told) >= self._proxies > 0:
            return told[-self._proxies]
        return str((scope["client"] or ("", 0))[0])
