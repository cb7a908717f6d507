"""A request as Flask sees it: what a client cannot pretend."""

from typing import Any

from webapp.serving.environ import environ_of


def environ(target: bytes = b"/", *headers: tuple[bytes, bytes], body: bytes = b"") -> dict[str, Any]:
    path, _, query = target.partition(b"?")
    scope = {"method": "GET", "raw_path": path, "query_string": query, "http_version": "1.1", "headers": headers}
    return environ_of({**scope, "client": ("192.0.2.7", 50000), "server": ("127.0.0.1", 8000)}, body)


def test_a_path_is_decoded_once_and_the_query_is_not() -> None:
    found = environ(b"/games/%2561%C3%A9?next=%2Flobby&x=a+b")
    assert (found["PATH_INFO"], found["QUERY_STRING"]) == ("/games/%61\xc3\xa9", "next=%2Flobby&x=a+b")


def test_a_target_with_a_host_in_it_means_the_path() -> None:
    assert [environ(target)["PATH_INFO"] for target in (b"http://example.org/a/b", b"http://example.org", b"*")] == [
        "/a/b", "/", "*",
    ]  # fmt: skip


def test_headers_that_come_twice_are_joined() -> None:
    found = environ(b"/", (b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"x"), (b"accept", b"y"))
    assert (found["HTTP_COOKIE"], found["HTTP_ACCEPT"]) == ("a=1; b=2", "x,y")


def test_length_and_type_have_names_of_their_own() -> None:
    found = environ(b"/", (b"content-length", b"2"), (b"content-type", b"text/plain"), body=b"hi")
    assert (found["CONTENT_LENGTH"], found["CONTENT_TYPE"], found["wsgi.input"].read()) == ("2", "text/plain", b"hi")


def test_nobody_says_where_the_site_is_mounted_or_passes_for_a_proxy_by_spelling() -> None:
    lies = [(b"script_name", b"/evil"), (b"x_forwarded_for", b"1.2.3.4"), (b"script-name", b"/evil")]
    found = environ(b"/", *lies, (b"x-forwarded-for", b"5.6.7.8"))
    assert (found["SCRIPT_NAME"], found["REMOTE_ADDR"]) == ("", "192.0.2.7")
    assert found["HTTP_X_FORWARDED_FOR"] == "5.6.7.8", "only the app knows whether it has a proxy to believe"
