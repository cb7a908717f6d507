"""Starts the provider of the tests, and logs people in on its page as a browser does."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import requests

from tests.single_sign_on.provider import CLIENT, PASSWORD, SECRET
from webapp.config import ROOT

PATIENCE = 60


class School:
    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.settings = {
            "NOUGHTS_OIDC_ISSUER": f"{self.address}/o", "NOUGHTS_OIDC_CLIENT_ID": CLIENT,
            "NOUGHTS_OIDC_CLIENT_SECRET": SECRET,
        }  # fmt: skip

    def send_back(self, address: str, person: str, stays: requests.Session | None = None) -> str:
        """Follow the site's way to the school and log in there; gives the address that leads back to the site. With a
        session that `stays`, the browser is logged in at the school afterwards.
        """
        with nullcontext(stays) if stays else requests.Session() as browser:
            page = browser.get(address, timeout=PATIENCE)
            token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
            assert token, page.text
            form = {"csrfmiddlewaretoken": token[1], "username": person, "password": PASSWORD}
            answer = browser.post(page.url, data=form, timeout=PATIENCE, allow_redirects=False)
            answer = browser.get(f"{self.address}{answer.headers['Location']}", timeout=PATIENCE, allow_redirects=False)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["Location"])


@contextmanager
def running_school(folder: Path, redirect_uri: str) -> Iterator[School]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "tests.single_sign_on.provider", str(port), str(folder), redirect_uri]
    with (folder / "provider.log").open("wb") as log:
        process = subprocess.Popen(words, cwd=ROOT, stdout=log, stderr=log)
    try:
        _wait_until_it_answers(process, port, folder / "provider.log")
        yield School(port)
    finally:
        process.kill()
        process.wait()


def _wait_until_it_answers(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    for _ in range(PATIENCE * 20):
        assert process.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(log.read_text())
