"""What the doctor asks of the running site, through proxies that tell it too little or too much."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from tests.conftest import MakeApp, sqlite_only
from tests.nginx import make_certificate
from webapp.extensions import settings_of
from webapp.operations.doctor.site_checks import site_findings
from webapp.running_note import NOTE

Wsgi = Callable[[dict[str, Any], Any], Any]
pytestmark = sqlite_only


@contextmanager
def served(
    app: Flask, proxies: int = 0, instead: Wsgi | None = None, certificate: tuple[str, str] | None = None,
    **headers: str,
) -> Iterator[str]:  # fmt: skip
    """The address of the app behind so many proxies, which set these headers too."""

    def through(environ: dict[str, Any], start: Any) -> Any:
        if proxies:
            environ["HTTP_X_FORWARDED_FOR"] = ", ".join(["10.0.0.7"] * proxies)
        environ.update({f"HTTP_{name.upper()}": value for name, value in headers.items()})
        return (instead or app.wsgi_app)(environ, start)

    server = make_server("127.0.0.1", 0, through, threaded=True, ssl_context=certificate)
    thread = threading.Thread(target=server.serve_forever, args=[0.02])  # seconds until it sees that it is to end
    thread.start()
    try:
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def told(app: Flask, address: str) -> str:
    with app.app_context():
        return "\n".join(str(finding) for finding in site_findings(settings_of(app), address))


def test_a_site_without_a_proxy_in_front_is_in_order(make_app: MakeApp) -> None:
    app = make_app()
    with served(app) as address:
        assert told(app, address) == f"Good: The site answers at {address}, and sees of its visitors what it must."
        assert "Nothing answers at" in told(app, "http://127.0.0.1:1")
        assert "no address of a site" in told(app, "127.0.0.1:8000")
    assert "Consider: The site is not running here" in told(app, "")


def test_a_certificate_that_nobody_trusts_is_not_called_no_answer(make_app: MakeApp, tmp_path: Path) -> None:
    make_certificate(tmp_path)
    app = make_app()
    with served(app, certificate=(str(tmp_path / "certificate"), str(tmp_path / "key"))) as address:
        assert f"does not trust the certificate at {address} (self" in told(app, address)


def test_the_address_that_visitors_are_sent_on_to_is_told_without_the_signature(make_app: MakeApp) -> None:
    def send_on(environ: dict[str, Any], start: Any) -> list[bytes]:
        place = f"https://noughts.example{environ['PATH_INFO']}?{environ['QUERY_STRING']}"
        start("301 Moved Permanently", [("Location", place)])
        return []

    app = make_app()
    with served(app, instead=send_on) as address:
        assert told(app, address).endswith("sends its visitors on to https://noughts.example. Ask there: doctor "
                                           "--address https://noughts.example")  # fmt: skip


def test_the_number_of_proxies_is_compared_with_the_setting(make_app: MakeApp) -> None:
    none, one = make_app(), make_app(NOUGHTS_PROXIES=1)
    with served(none, proxies=1) as address:
        assert "Mend: A request came through 1 proxies" in told(none, address)
        assert "Set it to 1." in told(none, address)
    with served(one, proxies=2) as address:
        assert "Set it to 2." in told(one, address)
    with served(one, proxies=1) as address:
        assert told(one, address).startswith("Good")
    with served(one) as address:
        assert "Consider: The site was asked directly" in told(one, address)
        assert "anybody can make up an address" in told(one, address.replace("127.0.0.1", "localhost"))


def test_what_a_proxy_says_of_scheme_and_name_is_compared(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_PROXIES=1)
    with served(app, proxies=1, x_forwarded_proto="https") as address:
        assert "People come by http, and the site sees https." in told(app, address)
    with served(app, proxies=1, x_forwarded_host="backend") as address:
        assert "and the site sees backend." in told(app, address)
    with served(app, proxies=1, host="backend:8000") as address:
        assert "Let the proxy pass on the name" in told(app, address)
    https = make_app(NOUGHTS_PROXIES=1, NOUGHTS_HTTPS=True)
    with served(https, proxies=1) as address:
        assert "Set NOUGHTS_HTTPS to off." in told(https, address.replace("127.0.0.1", "localhost"))
    strict = make_app(NOUGHTS_HOSTS="noughts.example")
    with served(strict) as address:
        assert "Add it to NOUGHTS_HOSTS." in told(strict, address)


def test_a_site_with_other_settings_or_another_key_is_noticed(make_app: MakeApp) -> None:
    app, other = make_app(), make_app(NOUGHTS_GUESTS=False, NOUGHTS_STREAMS=7)
    with served(other) as address:
        assert "other settings than this terminal: NOUGHTS_GUESTS, NOUGHTS_STREAMS." in told(app, address)
    with served(make_app(NOUGHTS_SECRET_KEY="quite another key for tests")) as address:
        assert "is not this site, or has another secret key" in told(app, address)


def test_what_each_app_server_may_have_of_its_own_is_compared_only_without_a_proxy(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_PROXIES=1)
    other = make_app(NOUGHTS_PROXIES=1, NOUGHTS_SECRET_KEY=app.config["SECRET_KEY"], NOUGHTS_WORKERS=7)
    with served(other, proxies=1) as address:
        assert "NOUGHTS_WORKERS" not in told(app, address)
    with served(other) as address:
        assert "NOUGHTS_WORKERS" in told(app, address)


def test_the_site_is_looked_for_by_the_first_name_that_is_no_loopback(make_app: MakeApp) -> None:
    app = make_app(NOUGHTS_PROXIES=1, NOUGHTS_HOSTS="127.0.0.1,noughts.invalid", NOUGHTS_PREFIX="/noughts")
    assert "Nothing answers at http://noughts.invalid/noughts (" in told(app, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start something as root")
def test_a_site_that_runs_as_root_is_told(make_app: MakeApp) -> None:
    app = make_app()
    with served(app) as address:
        (settings_of(app).instance / NOTE).write_text(f"{os.getpid()} {address}\n")
        assert "Mend: The site runs as root." in told(app, "")


def test_nobody_else_is_told_what_the_site_sees(make_app: MakeApp) -> None:
    client = make_app().test_client()
    for signature in ("", "1", "doctor.aaaa.bbbb"):
        assert "settings" not in client.get(f"/readyz?deep={signature}").text
