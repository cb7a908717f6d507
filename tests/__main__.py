"""Everything that `run.py test` checks: lint, types, security and the tests; the last lines say what could not run."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from tests.browser import find_browser, find_or_install_browser
from tests.memory import disk_in_memory
from tests.programs import install_missing, missing
from webapp.browser_python import CannotFetch, fetch, is_there
from webapp.launcher.processes import ROOT, attend, module

BESIDE = {
    "lint": module("ruff", "check", "."),
    "types": module("mypy"),
    "security": module("bandit", "-q", "-ll", "-r", "webapp", "run.py", "wsgi.py"),  # ruff sees what weighs less
}
CORES = min(8, os.cpu_count() or 1)


class Beside:
    """A check that runs while the tests do, whose workers wait now and then. If it fails, what it said comes last."""

    def __init__(self, program: list[str]) -> None:
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - it is read and closed when the tests are over
        self.process = subprocess.Popen(program, stdout=self.said, stderr=subprocess.STDOUT)

    def has_failed(self) -> bool:
        has_failed = self.process.wait() != 0
        if has_failed:
            self.said.seek(0)
            print("", self.said.read().decode(errors="replace"), sep="\n")
        self.said.close()
        return has_failed


def check(options: list[str], report: Path) -> list[str]:
    """Run the checks, all of them even if one fails, and give the last lines to say; the first tells the result."""
    is_part = bool(set(options) - {"--whole"})
    checks = {} if is_part else {name: Beside(program) for name, program in BESIDE.items()}
    # More than can run, for while others wait; what is quick does not.
    workers = CORES if "--quick" in options else 2 * CORES
    tests = attend(module("pytest", "-n", workers, "--dist", "worksteal", "--junitxml", report, *options))
    failed = [name for name, check in checks.items() if check.has_failed()] + ["tests"] * bool(tests)
    lines = [f"Failed: {', '.join(failed)}." if failed else f"Passed: {', '.join([*checks, 'tests'])}."]
    if is_part:
        lines.append("Not asked for: lint, types and what the options leave out; 'run.py test' runs everything.")
    return lines + left_out(report)


def left_out(report: Path) -> list[str]:
    reasons = skipped(report) if report.exists() else Counter()
    lines = [f"Not run on this machine: {reasons[reason]} of the tests ({reason})." for reason in sorted(reasons)]
    if not find_browser():
        lines.append("This machine has no Chromium: install it to run the journeys in a real browser.")
    if programs := " and no ".join(missing()):
        lines.append(f"This machine has no {programs}: install them to run the tests of several app servers.")
    if not is_there(ROOT / "instance"):
        lines.append("Python for the browser is not there: 'run.py add-browser-python' fetches it for the journeys.")
    return lines


def skipped(report: Path) -> Counter[str]:
    """How many tests were skipped for which reason, by pytest's own report."""
    cases = ElementTree.parse(report).iter("skipped")
    return Counter(case.get("message", "") for case in cases if case.get("type") != "pytest.xfail")


def fetch_browser_python() -> None:
    """For the journeys that try a student's file. Where it cannot be fetched, they are skipped, and that is said."""
    if not is_there(ROOT / "instance"):
        try:
            fetch(ROOT / "instance", print)
        except CannotFetch as reason:
            print(reason, flush=True)


def spare_the_disk() -> None:
    """For this process and all that it starts."""
    if folder := disk_in_memory():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))
    # Hundreds of Pythons are started: compiled once, our files need not be compiled again by each of them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


if __name__ == "__main__":
    spare_the_disk()
    if "--quick" not in sys.argv:
        find_or_install_browser()
        install_missing()
        fetch_browser_python()
    with tempfile.TemporaryDirectory() as folder:
        lines = check(sys.argv[1:], Path(folder) / "report.xml")
    print("", *lines, sep="\n")
    sys.exit(lines[0].startswith("Failed"))
