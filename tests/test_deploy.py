"""The files in docs/deploy/: what can be checked of them without a Docker engine and a running systemd."""

import re
import shutil
import subprocess

import pytest
import yaml

from webapp.config import ROOT, VARIABLES
from webapp.operations.doctor.database_checks import OF_WORKER

DEPLOY = ROOT / "docs" / "deploy"
PORT = "8001"


def test_every_setting_in_them_exists() -> None:
    for name in ("noughts.service", "Dockerfile", "compose.yaml"):
        used = set(re.findall(r"\b(?:NOUGHTS_[A-Z_]+|DATABASE_URL)\b", (DEPLOY / name).read_text()))
        assert used and used <= VARIABLES.keys(), name


def test_the_proxy_finds_the_site_at_the_port_that_it_takes() -> None:
    for name in ("noughts.service", "Dockerfile", "nginx.conf"):
        assert PORT in (DEPLOY / name).read_text(), name


def test_compose_puts_together_what_there_is() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert services.keys() == {"database", "app", "proxy"}
    context = (DEPLOY / services["app"]["build"]["context"]).resolve()
    assert context == ROOT and (ROOT / services["app"]["build"]["dockerfile"]).exists()
    assert services["proxy"]["volumes"][0].startswith("./nginx.conf:") and (DEPLOY / "nginx.conf").exists()
    certificate = re.findall(r"ssl_certificate\w* (\S+);", (DEPLOY / "nginx.conf").read_text())
    assert all(any(f":{path}:" in volume for volume in services["proxy"]["volumes"]) for path in certificate)


def test_the_documents_and_the_doctor_reckon_with_the_same_connections() -> None:
    """One of them is for LISTEN, and goes past a pooler."""
    assert f"opens up to {OF_WORKER - 1} connections: {OF_WORKER - 1} x " in (DEPLOY / "pgbouncer.ini").read_text()
    school = (DEPLOY.parent / "school.md").read_text()
    assert f"up to {OF_WORKER - 1} connections" in school and f"to {OF_WORKER} for each worker" in school


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd-analyze")
def test_systemd_understands_the_unit() -> None:
    words = ["systemd-analyze", "verify", "--recursive-errors=no", DEPLOY / "noughts.service"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
