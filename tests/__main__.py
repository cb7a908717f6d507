"""Everything that `run.py test` checks: lint, types and the tests; the last lines say what could not run."""

import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from run import attend, module
from tests.browser import find_browser, find_or_install_browser


def check(options: list[str], report: Path) -> list[str]:
    """Run the checks, all of them even if one fails, and give the last lines to say; the first tells the result."""
    checks = {} if options else {"lint": module("ruff", "check", "."), "types": module("mypy")}
    checks["tests"] = module("pytest", "-n", "3", "--dist", "worksteal", "--junitxml", report, *options)
    failed = [name for name, program in checks.items() if attend(program)]
    lines = [f"Failed: {', '.join(failed)}." if failed else f"Passed: {', '.join(checks)}."]
    if options:
        lines.append("Not asked for: lint, types and what the options leave out; 'run.py test' runs everything.")
    return lines + left_out(report)


def left_out(report: Path) -> list[str]:
    reasons = skipped(report) if report.exists() else Counter()
    lines = [f"Not run on this machine: {reasons[reason]} of the tests ({reason})." for reason in sorted(reasons)]
    if not find_browser():
        lines.append("This machine has no Chromium: install it to run the journeys in a real browser.")
    return lines


def skipped(report: Path) -> Counter[str]:
    """How many tests were skipped for which reason, by pytest's own report."""
    cases = ElementTree.parse(report).iter("skipped")
    return Counter(case.get("message", "") for case in cases if case.get("type") != "pytest.xfail")


if __name__ == "__main__":
    find_or_install_browser()
    with tempfile.TemporaryDirectory() as folder:
        lines = check(sys.argv[1:], Path(folder) / "report.xml")
    print("", *lines, sep="\n")
    sys.exit(lines[0].startswith("Failed"))
