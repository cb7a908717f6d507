"""What a student reads, and what a machine reads: the results of a check as text and as JSON.

Knows the results, and nothing of how they came about."""

import re
import textwrap
from typing import Any

from webapp.labs.checker.checking import Result
from webapp.labs.checker.findings import Finding, Question
from webapp.labs.checker.mistakes import MISTAKES
from webapp.labs.checker.positions import drawn
from webapp.tictactoe import Position

WIDTH = 100
INDENT = "         "
MARGIN = 27


def as_text(title: str, file: str, results: list[Result], site: str | None = None) -> str:
    """The whole report: one line a test, below each failed one its explanation, and the sum at the end."""
    sections = [line for result in results for line in section(result, site)]
    text = "\n".join([title, file, "", *sections, *worth_knowing(results, site), "", summary(results)]) + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


def section(result: Result, site: str | None) -> list[str]:
    """One test: a line, and what is to be said below it."""
    lines = [headline(result)]
    if result.finding and result.question:
        lines += ["", *place(result), *explanation(result.finding, result.question, site), ""]
    return lines + (wrapped("Note", result.note) if result.note else [])


def place(result: Result) -> list[str]:
    """Which of the questions it was, and what went well before."""
    if result.total < 2:
        return []
    before = f", after {result.asked - 1:,} right answers" if result.asked > 1 else ""
    return [f"{INDENT}Question {result.asked:,} of {result.total:,}{before}.", ""]


def headline(result: Result) -> str:
    test = result.test
    if result.passed:
        return f"  ok     {test.name}: {test.title}"
    if result.is_skipped:
        return f"  --     {test.name}: not asked, since the file does not load"
    return f"  WRONG  {test.name}: {test.title}"


def explanation(finding: Finding, question: Question, site: str | None) -> list[str]:
    """What was asked, what came back, what was right and why, and the name of the mistake."""
    lines = picture(question, site)
    if question.call.name:
        lines += wrapped("Asked", question.asked)
    lines += wrapped("Came back", finding.came) + wrapped("Right", finding.right) + wrapped("Why", finding.why)
    if finding.details:
        lines += ["", *(INDENT + line for line in finding.details)]
    if finding.mistake:
        mistake = MISTAKES[finding.mistake]
        lines += ["", *wrapped("A known mistake", f"{mistake.name}. {mistake.advice}")]
    return lines


def worth_knowing(results: list[Result], site: str | None) -> list[str]:
    """The remarks, each kind once: nothing in them was wrong."""
    first = {finding.mistake: (finding, question) for result in results for finding, question in result.remarks}
    lines: list[str] = []
    for key, (finding, question) in first.items():
        lines += ["", f"  Worth knowing: {MISTAKES[key].name}", "", *picture(question, site)]
        lines += wrapped("Came back", finding.came) + wrapped("Better", finding.right)
        lines += wrapped("Why", f"{finding.why} {MISTAKES[key].advice}")
    return lines


def picture(question: Question, site: str | None) -> list[str]:
    """The board, and the way to its analysis: a link if the site is known, else the text to type there."""
    position = question.position
    if position is None:
        return []
    turn = "the game is over" if position.is_over else f"{position.to_move} to move"
    board = [INDENT + line for line in drawn(position).splitlines()]
    label, way = ("Analysis", link_to(position, site)) if site else ("As text", position.text)
    return [f"{INDENT}{turn}:", "", *board, "", f"{INDENT}{label}:".ljust(MARGIN) + way]


def link_to(position: Position, site: str) -> str:
    return f"{site}/analysis?position={position.text}&to_move={position.to_move}"


def wrapped(label: str, text: str) -> list[str]:
    """A labelled paragraph with a hanging indent."""
    first = f"{INDENT}{label}:".ljust(MARGIN)
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * MARGIN) or [first]


def summary(results: list[Result]) -> str:
    right = sum(result.passed for result in results)
    if right == len(results):
        return f"All {right} tests passed."
    first = next(result for result in results if not result.passed)
    return f"{right} of {len(results)} tests passed. Begin with the first that is wrong: {first.test.name}."


def as_json(lab: str, file: str, results: list[Result], site: str | None = None) -> dict[str, Any]:
    return {
        "lab": lab,
        "file": file,
        "passed": all(result.passed for result in results),
        "tests": [entry(result, site) for result in results],
    }


def entry(result: Result, site: str | None) -> dict[str, Any]:
    found = {"name": result.test.name, "title": result.test.title, "passed": result.passed, "credit": result.credit}
    found |= {"questions": result.total, "asked": result.asked, "seconds": round(result.seconds, 3)}
    if result.finding and result.question:
        found["finding"] = finding_entry(result.finding, result.question, site)
    found["remarks"] = [finding_entry(finding, question, site) for finding, question in result.remarks]
    found["note"] = result.note
    return found


def finding_entry(finding: Finding, question: Question, site: str | None) -> dict[str, Any]:
    position, mistake = question.position, MISTAKES.get(finding.mistake)
    return {
        "asked": question.asked,
        "position": position and position.text,
        "to_move": position and str(position.to_move),
        "analysis": link_to(position, site) if position and site else None,
        "came": finding.came,
        "right": finding.right,
        "why": finding.why,
        "details": list(finding.details),
        "mistake": finding.mistake or None,
        "mistake_name": mistake and mistake.name,
        "advice": mistake and mistake.advice,
    }
