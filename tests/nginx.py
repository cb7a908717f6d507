"""A real nginx with the configuration that docs/ gives: its ports, paths and app servers replaced by a test's own."""

import ipaddress
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.live_server import PATIENCE
from tests.postgres import APART
from tests.programs import ended_with_us, find
from webapp.config import ROOT

CONFIGURATION = ROOT / "docs" / "deploy" / "nginx.conf"
# As in Debian's nginx.conf; a folder of its own for what it would keep under /var.
AROUND = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 768; }}
http {{
    access_log off; gzip on; sendfile on; tcp_nopush on; default_type application/octet-stream;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {sites}
}}
"""


class Site:
    """One copy of the configuration: at a port for https and one for http, in front of these app servers."""

    def __init__(self, name: str, *upstream: str) -> None:
        self.name, self.upstream = name, upstream  # as nginx writes them: "127.0.0.1:8001 backup"
        self.port, self.http_port = free_port(), free_port()

    def configuration(self, folder: Path, prefix: str) -> str:
        servers = "".join(f"    server {server};\n" for server in self.upstream)
        text = re.sub(r"(    server 127\.0\.0\.1:\d+;\n)+", servers, CONFIGURATION.read_text())
        replaced = {
            "upstream noughts {": f"upstream {self.name} {{",
            "http://noughts;": f"http://{self.name};",
            "listen 80;": f"listen 127.0.0.1:{self.http_port};",
            "listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;",
            "/etc/nginx/noughts.crt": f"{folder}/certificate",
            "/etc/nginx/noughts.key": f"{folder}/key",
            "    location / {": f"    location {prefix}/ {{",
        }
        for old, new in replaced.items():
            assert text.count(old) == 1, f"{old} is there {text.count(old)} times"
            text = text.replace(old, new)
        return text.replace("noughts.school.example", "127.0.0.1")


@contextmanager
def running_nginx(folder: Path, prefix: str, *sites: Site) -> Iterator[None]:
    program = find("nginx")
    if program is None:
        pytest.skip("nginx was not found")
    make_certificate(folder)
    file = folder / "nginx.conf"
    file.write_text(AROUND.format(folder=folder, sites="".join(site.configuration(folder, prefix) for site in sites)))
    process = subprocess.Popen([program, "-c", file, "-e", folder / "log"], **APART)
    with ended_with_us(process):
        _wait_for(sites[-1].port, process, folder / "log")
        yield


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def make_certificate(folder: Path) -> None:
    """Signed by itself."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    moment = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(moment - timedelta(days=1))
        .not_valid_after(moment + timedelta(days=1))
        .add_extension(alternative, critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "key").write_bytes(key.private_bytes(*form, plain))
