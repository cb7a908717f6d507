"""Reports for other programs: Gradescope's results.json, and JUnit's XML as CI systems read it.

Knows rows and points."""

import json
import re
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from webapp.labs.grading.marked import Marked, sentence
from webapp.labs.grading.scores import Points, earned

NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_gradescope(row: Marked, points: Points) -> str:
    """results.json as its autograder expects it: the score is the sum of those of the tests."""
    tests = row.report["tests"] if row.report else []
    said = row.comment(points).partition("\n")[0]
    found: dict[str, Any] = {"output": said, "output_format": "text", "stdout_visibility": "hidden"}
    found |= {"execution_time": round(sum(test["seconds"] for test in tests))}
    found |= {"tests": [gradescope_test(test, points) for test in tests]} if tests else {"score": 0}
    return json.dumps(found, indent=2) + "\n"


def gradescope_test(test: dict[str, Any], points: Points) -> dict[str, Any]:
    score = earned(test, points)
    found = {"name": f"{test['name']}: {test['title']}", "score": score.points, "max_score": score.maximum}
    found |= {"status": "passed" if test["passed"] else "failed", "output_format": "text"}
    return found | {"output": "" if test["passed"] else sentence(test) or "Not asked, since the file does not load."}


def as_junit(row: Marked, points: Points) -> str:
    tests = row.report["tests"] if row.report else []
    suite = Element("testsuite", name=in_xml(row.name), tests=str(len(tests)))
    suite.set("failures", str(sum(not test["passed"] and "finding" in test for test in tests)))
    suite.set("skipped", str(sum(not test["passed"] and "finding" not in test for test in tests)))
    suite.set("errors", str(int(row.report is None)))
    suite.set("time", f"{sum(test['seconds'] for test in tests):.3f}")
    for test in tests:
        add_case(suite, test)
    if row.report is None:
        SubElement(suite, "system-err").text = in_xml(row.comment(points))
    indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(suite, "unicode") + "\n"


def add_case(suite: Element, test: dict[str, Any]) -> None:
    case = SubElement(suite, "testcase", classname=suite.get("name", ""), name=test["name"])
    case.set("time", f"{test['seconds']:.3f}")
    if found := test.get("finding"):
        message = in_xml(f"came: {found['came']}; right: {found['right']}")
        SubElement(case, "failure", message=message, type=found["mistake"] or "wrong").text = in_xml(sentence(test))
    elif not test["passed"]:
        SubElement(case, "skipped", message="the file does not load")


def in_xml(text: str) -> str:
    """Without the letters that XML cannot hold."""
    return NOT_IN_XML.sub("?", text)
