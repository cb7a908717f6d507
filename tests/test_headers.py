"""What every answer carries, errors too, and which bodies are accepted."""

import re

from flask import Flask

from tests.conftest import Browser, MakeApp
from webapp.assets import STYLES
from webapp.config import ROOT
from webapp.headers import CONTENT_POLICY, LARGEST_BODY

EVERYWHERE = ["/", "/log-in", "/sign-up", "/account", "/nowhere", "/games/abcdefghijkl", "/healthz", "/readyz",
              "/log-out", "/static/favicon.svg", "/static/nothing", "/static/../wsgi.py"]  # fmt: skip
EXPECTED = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def test_every_answer_carries_the_security_headers(client: Browser) -> None:
    for path in EVERYWHERE:
        with client.get(path) as answer:
            assert EXPECTED.items() <= dict(answer.headers).items(), path
            assert re.fullmatch("[0-9a-f]{12}", answer.headers["X-Request-Id"])
            assert "Strict-Transport-Security" not in answer.headers, "on http it would say what is not so"
            assert "Date" not in answer.headers, "the server writes it"


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline() -> None:
    policy = dict(part.split(" ", 1) for part in CONTENT_POLICY.split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert set(policy.values()) == {"'none'", "'self'"}


def test_with_https_browsers_are_told_to_stay_there(make_app: MakeApp) -> None:
    answer = make_app(NOUGHTS_HTTPS=True).test_client().get("/")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_no_page_is_kept_by_a_cache(client: Browser) -> None:
    address = client.start(cell=0)
    client.sign_up()
    for path in ("/", "/account", "/account/export", "/account/delete", address, "/nowhere", "/static/nothing"):
        assert client.get(path).headers["Cache-Control"] == "no-store", path


def test_a_static_file_is_kept_for_ever_under_the_name_of_its_content(client: Browser) -> None:
    links = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").text))
    assert links
    for link in links:
        assert re.search(r"\?v=[0-9a-f]{10}$", link), link
        with client.get(link) as answer:
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    with client.get("/static/favicon.svg") as answer:
        assert answer.headers["Cache-Control"] == "no-cache"


def test_every_stylesheet_is_in_the_one_that_pages_ask_for(client: Browser) -> None:
    files = {file.stem: file.read_text() for file in (ROOT / "static/css").glob("*.css")}
    assert sorted(files) == sorted(STYLES)
    page, style = client.get("/").text, client.get("/static/style.css")
    assert page.count('rel="stylesheet"') == 1
    assert style.mimetype == "text/css" and all(text in style.text for text in files.values())


# Hosts

def test_an_unknown_host_is_refused_where_hosts_are_named(make_app: MakeApp) -> None:
    client = make_app(NOUGHTS_HOSTS=["noughts.example"], PROPAGATE_EXCEPTIONS=False).test_client()
    for path in ("/", "/log-in", "/nowhere", "/healthz", "/static/favicon.svg"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 400, path
        assert "This site has another address" in answer.text
        assert answer.headers["X-Request-Id"] in answer.text
        assert answer.headers["Content-Security-Policy"] == CONTENT_POLICY
        assert "evil.example" not in answer.text
    assert client.post("/log-out", headers={"Host": "evil.example"}).status_code == 400
    told = client.post("/api/v1/games", headers={"Host": "evil.example"})
    assert told.status_code == 400
    assert told.json == {"error": "This site has another address. Ask the person who runs it."}


def test_a_named_host_is_served(make_app: MakeApp) -> None:
    client = make_app(NOUGHTS_HOSTS=["noughts.example"]).test_client()
    for host in ("noughts.example", "noughts.example:8000"):
        assert client.get("/", headers={"Host": host}).status_code == 200, host


def test_no_address_on_a_page_or_in_an_answer_is_built_from_the_host(client: Browser) -> None:
    answer = client.get("/account", headers={"Host": "evil.example"})
    assert answer.location.startswith("/log-in")
    assert "evil.example" not in client.get("/", headers={"Host": "evil.example"}).text


def test_headers_of_a_proxy_that_is_not_there_change_nothing(client: Browser) -> None:
    for header in ("X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix", "Forwarded"):
        answer = client.get("/account", headers={header: "https://evil.example"})
        assert answer.location == "/log-in?next=accounts.account", header


def test_an_address_with_a_nul_is_none_of_ours(client: Browser) -> None:
    for path in ("/%00", "/games/%00", "/static/%00"):
        assert client.get(path).status_code == 404
    assert client.get("/log-in?next=%00").status_code == 400


# Bodies

def test_a_body_of_three_megabytes_is_refused(client: Browser) -> None:
    for path in ("/log-in", "/games", "/account/password"):
        assert client.post(path, data={"name": "x" * 3_000_000}).status_code == 413


def test_the_largest_body_is_the_largest(app: Flask, client: Browser) -> None:
    form = {"content_type": "application/x-www-form-urlencoded"}
    assert client.post("/log-in", data=b"a=" + b"x" * (LARGEST_BODY - 2), **form).status_code == 400
    assert client.post("/log-in", data=b"a=" + b"x" * (LARGEST_BODY - 1), **form).status_code == 413


def test_a_thousand_and_one_parts_are_refused(client: Browser) -> None:
    def parts(count: int) -> bytes:
        part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
        return part * count + b"--b--\r\n"

    kind = "multipart/form-data; boundary=b"
    assert client.post("/log-in", data=parts(1000), content_type=kind).status_code == 400, "no token, but read"
    assert client.post("/log-in", data=parts(1001), content_type=kind).status_code == 413


def test_a_body_without_a_length_is_refused(client: Browser) -> None:
    answer = client.post(
        "/log-in", headers={"Transfer-Encoding": "chunked"}, environ_overrides={"wsgi.input_terminated": True}
    )
    assert answer.status_code == 411
    assert "Content-Length" in answer.text


def test_an_address_with_bare_bytes_in_its_query_is_refused(client: Browser) -> None:
    for path in ("/history", "/lobby", "/games/abcdefghijkl/replay"):
        answer = client.get(path, environ_overrides={"QUERY_STRING": "before=\x80"})
        assert answer.status_code == 400, path
        assert "That request was not understood" in answer.text
