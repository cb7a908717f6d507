"""Others' tools against the site, by `python3 run.py security`: wapiti against a running one, pip-audit over the pins.

uv fetches them into its own cache, in the versions that stand here: wapiti alone brings eighty packages, some of them
older than ours, so it is no pin of the project. bandit and ruff look at the code in every `run.py test`. The API of
agents is not visited: wapiti sends it no token, and tests/agents/test_openapi.py tries all that it describes.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from flask import Flask

from bench.site import new_site
from tests.factories import PASSWORD, make_classroom, make_user
from tests.live_server import LiveBrowser, LiveServer, live_server
from webapp.agents.services import make_agent
from webapp.launcher.processes import ROOT, module
from webapp.operations.invariants import check

WAPITI, PIP_AUDIT = "wapiti3==3.2.3", "pip-audit==2.10.1"
# Not among them: what asks its maker's server for the result (ssrf, xxe, log4shell), what guesses names of other
# software (buster, nikto, cms, ...), what looks at TLS, which a proxy does for us, and ldap, which nothing here speaks:
# it takes any two different answers for an injection, and the analysis of two positions is different.
MODULES = (
    "backup", "cookieflags", "crlf", "csp", "csrf", "exec", "file", "htaccess", "http_headers", "methods",
    "permanentxss", "redirect", "shellshock", "sql", "timesql", "upload", "xss",
)  # fmt: skip
# Forms that would end the visit or what it visits; tests/test_access.py holds what they answer.
NOT_PRESSED = ("/log-out", "/account/delete", "/account/password", "/account/sessions/*", "/classrooms/*/delete")
LIMITS = (
    "SIGN_UPS_PER_ADDRESS", "GUESTS_PER_ADDRESS", "GUESSES_PER_ADDRESS", "OPENED_GAMES", "UNFINISHED_GAMES",
    "AGENT_REQUESTS",
)  # fmt: skip
# What is no fault here, by its beginning, and why.
EXPLAINED = {
    "Strict-Transport-Security is not set": "sent with https only, which this instance does not speak",
    "Secure flag is not set in the cookie": "set with https only, which this instance does not speak",
}


class Visit(NamedTuple):
    """Who looks around, under which path, from which pages, with which headers, and what is left out."""

    who: str
    path: str
    starts: list[str]
    headers: dict[str, str]
    left_out: tuple[str, ...]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 run.py security")
    parser.add_argument("--minutes", type=float, default=3, help="for each of the three visits, about")
    minutes = parser.parse_args().minutes
    failed = [*audit(), *scan(minutes * 60)]
    print("", "Nothing was found." if not failed else "Found:", *failed, sep="\n")
    return bool(failed)


def tool(package: str, *words: object) -> subprocess.CompletedProcess[str]:
    run = module("uv", "tool", "run", "--quiet", "--from", package, *words)
    return subprocess.run(run, cwd=ROOT, capture_output=True, text=True)


# pip-audit


def audit() -> list[str]:
    """Known weaknesses of what is pinned. Where its database is out of reach it says so: that is no clean bill."""
    print("pip-audit: known weaknesses of the pinned packages", flush=True)
    failed = []
    for pins in ("requirements.txt", "requirements-dev.txt"):
        words = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
        failed += audited(pins, tool(PIP_AUDIT, "pip-audit", "-r", pins, *words))
    return failed


def audited(pins: str, done: subprocess.CompletedProcess[str]) -> list[str]:
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except ValueError:
        print(f"  {pins}: NOT CHECKED, {done.stderr.strip().splitlines()[-1:]}")
        return []
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    print(f"  {pins}: {len(packages) - len(skipped)} of {len(packages)} packages checked", flush=True)
    if skipped:
        print(f"  NOT CHECKED are {len(skipped)}: the database of PyPI does not answer for them", flush=True)
    return [
        f"{package['name']} {package['version']}: {weakness['id']}, mended in {', '.join(weakness['fix_versions'])}"
        for package in packages for weakness in package.get("vulns", [])
    ]  # fmt: skip


# wapiti


def scan(seconds: float) -> list[str]:
    failed = []
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name) / "instance"
        app = new_site(folder)
        classroom = inhabit(app)
        with live_server(folder, **{f"NOUGHTS_{limit}": "1000000" for limit in LIMITS}) as server:
            for visit in visits(server, classroom):
                failed += look_around(visit, server, seconds, Path(name))
            failed += what_the_server_says(server)
        failed += [f"the database afterwards: {fault}" for fault in check(server.database)]
    return failed


def inhabit(app: Flask) -> str:
    """An instructor with a classroom, two students, an agent of one of them; gives the classroom's id."""
    classroom = make_classroom(app, "teacher7")
    student = make_user(app, "player7")
    make_user(app, "player8")
    with app.app_context():
        make_agent(student, "agent7")
    return classroom


def visits(server: LiveServer, classroom: str) -> list[Visit]:
    student, teacher = logged_in(server, "player7"), logged_in(server, "teacher7")
    games = [student.start_game(cell=4), student.send("/games", opponent="anyone", mark="X").location]
    student.send(f"{games[0]}/resign", page=games[0])
    own = f"/classrooms/{classroom}"
    pages = ["/history", "/practice", "/account", "/account/agents", "/competitions", "/labs/try", *games]
    taught = [f"{own}{page}" for page in ("", "/roster", "/lesson", "/results", "/settings", "/students", "/question")]
    other = (*NOT_PRESSED, "/analysis*")  # its many links would take all the time
    return [
        Visit("a student", "/", pages, student.own_headers(), other),
        Visit("an instructor with a class", "/classrooms/", [*taught, "/competitions"], teacher.own_headers(), other),
        Visit("a student at the analysis", "/analysis", ["/analysis/tree"], student.own_headers(), ()),
    ]


def logged_in(server: LiveServer, name: str) -> LiveBrowser:
    browser = LiveBrowser(server)
    assert browser.send("/log-in", page="/log-in", name=name, password=PASSWORD).status == 303
    return browser


def look_around(visit: Visit, server: LiveServer, seconds: float, folder: Path) -> list[str]:
    print(f"wapiti as {visit.who}", flush=True)
    report, url = folder / "report.json", server.url
    words: list[object] = ["wapiti", "-u", url + visit.path, "--flush-session", "--store-session", folder / "wapiti"]
    words += ["-m", ",".join(MODULES), "-f", "json", "-o", report, "--no-bugreport", "-v", "0"]
    words += ["--max-scan-time", seconds / 3, "--max-attack-time", seconds * 2 / 3 / len(MODULES)]
    words += ["--max-links-per-page", 60, "--max-files-per-dir", 12, "--tasks", 4]
    words += [word for start in visit.starts for word in ("-s", url + start)]
    words += [word for form in visit.left_out for word in ("-x", url + form)]
    words += [word for header, value in visit.headers.items() for word in ("-H", f"{header}: {value}")]
    before = Counter(answers(server))
    done = tool(WAPITI, *words)
    if not report.exists():
        return [f"wapiti as {visit.who} did not end well: {done.stderr.strip()[-500:] or done.stdout.strip()[-500:]}"]
    found = json.loads(report.read_text())
    report.unlink()
    counted = Counter(answers(server)) - before
    print(f"  {found['infos']['crawled_pages_nbr']} pages and forms, {counted.total()} requests, answered",
          ", ".join(f"{status}: {number}" for status, number in sorted(counted.items())), flush=True)  # fmt: skip
    return findings(visit.who, found)


def findings(who: str, found: dict) -> list[str]:
    """Weaknesses and odd answers both; what is explained is printed and does not count."""
    failed = set()
    for kind, cases in (found["vulnerabilities"] | found["anomalies"]).items():
        for case in cases:
            reasons = [why for what, why in EXPLAINED.items() if case["info"].startswith(what)]
            sentence = f"as {who}, {kind}: {case['method']} {case['path']} {case['parameter'] or ''} {case['info']}"
            failed |= set() if reasons else {sentence}
            for why in reasons:
                print(f"  no fault: {case['info']} ({why})")
    return sorted(failed)


def answers(server: LiveServer) -> list[str]:
    return re.findall(r" (\d{3}) [\d.]+ ms", server.log.read_text(errors="replace"))


def what_the_server_says(server: LiveServer) -> list[str]:
    """Nothing that was sent may make it fail, nor stand in its log as more than one line."""
    log = server.log.read_text(errors="replace")
    return [f"the server's log: {line}" for line in log.splitlines() if re.search(r" 5\d\d [\d.]+ ms|Traceback", line)]


if __name__ == "__main__":
    sys.exit(main())
