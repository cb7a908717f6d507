"""Static files: which there are, their types, and how they come over the wire."""

import gzip
import re

from tests.conftest import Browser, sqlite_only
from webapp.config import ROOT

pytestmark = sqlite_only
STATIC = ROOT / "static"
FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
ZIPPED = {"Accept-Encoding": "gzip, deflate, br, zstd"}
WORKER = "js/worker.mjs"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def test_each_file_comes_as_it_is_under_its_type(client: Browser) -> None:
    for name in FILES:
        answer = client.get(f"/static/{name}")
        if name == WORKER:
            assert answer.status_code == 404  # it has an address of its own, under which a student's file is held
            continue
        assert answer.data == (STATIC / name).read_bytes(), name
        assert answer.headers["Content-Type"] == TYPES[(STATIC / name).suffix] + "; charset=utf-8"
        assert "Content-Encoding" not in answer.headers


def test_a_browser_that_can_read_gzip_gets_it(client: Browser) -> None:
    plain = client.get("/static/style.css")
    zipped = client.get("/static/style.css", headers=ZIPPED)
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.data) == plain.data
    assert int(zipped.headers["Content-Length"]) == len(zipped.data) < len(plain.data) / 3
    assert zipped.headers["Content-Type"] == plain.headers["Content-Type"]


def test_caches_keep_the_two_apart(client: Browser) -> None:
    plain, zipped = client.get("/static/style.css"), client.get("/static/style.css", headers=ZIPPED)
    assert plain.headers["Vary"] == zipped.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["ETag"] != zipped.headers["ETag"]
    for answer, headers in ((plain, {}), (zipped, ZIPPED)):
        again = client.get("/static/style.css", headers={**headers, "If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data, again.headers["Vary"]) == (304, b"", "Accept-Encoding")
    changed = client.get("/static/style.css", headers={"If-None-Match": zipped.headers["ETag"]})
    assert (changed.status_code, changed.data) == (200, plain.data)


def test_a_zipped_file_is_kept_for_ever_under_the_name_of_its_content(client: Browser) -> None:
    links = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").text)
    assert links
    for link in links:
        answer = client.get(link, headers=ZIPPED)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")


def test_only_who_takes_gzip_gets_it(client: Browser) -> None:
    refusing = ["", "identity", "br", "gzip;q=0", "gzip;q=0, *;q=1", "*;q=0", "notgzip"]
    taking = ["gzip", "GZIP", "br;q=1, gzip;q=0.5", "*"]
    for accepted in refusing + taking:
        answer = client.get("/static/style.css", headers={"Accept-Encoding": accepted})
        assert ("Content-Encoding" in answer.headers) == (accepted in taking), accepted


def test_what_gzip_makes_no_smaller_comes_as_it_is(client: Browser) -> None:
    for name in FILES:
        plain, other = client.get(f"/static/{name}"), client.get(f"/static/{name}", headers=ZIPPED)
        assert len(other.data) <= len(plain.data)


def test_pages_are_not_compressed_because_they_hold_secrets(client: Browser) -> None:
    """See docs/decisions: what a page repeats of its address would tell the token beside it by its length."""
    for path in ("/", "/log-in", "/nowhere", "/lobby"):
        assert "Content-Encoding" not in client.get(path, headers=ZIPPED).headers


def test_there_is_nothing_else(client: Browser) -> None:
    for name in ("", "nothing", "css", "css/", "../wsgi.py", "%2e%2e/wsgi.py", "css/../favicon.svg"):
        assert client.get(f"/static/{name}").status_code == 404, name
