"""Reports as pages: one a student, to read on a phone or to print, and a list of all for the instructor.

Knows rows and points. Each page stands alone: no script, nothing from another host."""

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from webapp.labs.grading.marked import Marked
from webapp.labs.grading.scores import Points, by_function, earned, plain, total

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf4; --sheet: #fff; --ink: #1b2230; --soft: #545f70; --rule: #c9d3df;
  --x: #1f4fd1; --o: #b83a0b; --won: #17693a; --lost: #a61b2b; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161d; --sheet: #1a2029; --ink: #eceff4; --soft: #a7b1c0;
  --rule: #323b49; --x: #8ab4ff; --o: #ffa27a; --won: #6fd39a; --lost: #ff8f98; } }
body { margin: 0 auto; padding: 16px; max-width: 44rem; background: var(--paper); color: var(--ink);
  font: 17px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 1.2rem; }
section > :first-child, section > :last-child { margin-block: 0 8px; }
.soft { color: var(--soft); }
.points { font-size: 1.6rem; font-weight: 700; margin: 8px 0; }
section { background: var(--sheet); border: 1px solid var(--rule); border-radius: 14px; padding: 16px; margin: 16px 0; }
table { border-collapse: collapse; }
.list { width: 100%; }
.list th, .list td { text-align: left; padding: 4px 8px 4px 0; border-top: 1px solid var(--rule); vertical-align: top; }
.list .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0; }
.right { color: var(--won); } .wrong { color: var(--lost); }
.board { margin: 12px 0; }
.board td { width: 2.6rem; height: 2.6rem; text-align: center; font-size: 1.5rem; font-weight: 700;
  border: 2px solid var(--rule); }
.board .X { color: var(--x); } .board .O { color: var(--o); }
dt { color: var(--soft); } dd { margin: 0 0 8px; }
code, pre { font: 0.88rem/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; margin: 8px 0; }
.mistake { border-left: 4px solid var(--lost); padding-left: 12px; margin: 12px 0 0; }
.remark { border-left-color: var(--rule); }
"""


def page(title: str, body: Iterable[str]) -> str:
    head = ['<meta charset="utf-8">', '<meta name="viewport" content="width=device-width, initial-scale=1">']
    head += [f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>"]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body, "</body>", "</html>"]
    return "\n".join(lines) + "\n"


def of_student(row: Marked, lab: str, points: Points) -> str:
    """A whole report: the points, what is wrong with its board, what is worth knowing, what is right."""
    body = [f"<h1>{escape(row.name)}</h1>", f'<p class="soft">{escape(lab)}<br>{escape(row.file)}</p>']
    if row.report is None:
        body.append(f"<section><p>{escape(row.comment(points))}</p></section>")
        return page(row.name, body)
    score, tests = total(row.report, points), row.report["tests"]
    body.append(f'<p class="points">{plain(score.points)} of {plain(score.maximum)} points</p>')
    body.append(functions(row, points))
    body += [wrong_test(test, points) for test in row.wrong if test.get("finding")]
    body += [remark(found) for found in remarks(tests)]
    body.append(right_tests(tests))
    body.append(f'<p class="soft">Checked {escape(row.checked)} by checker {row.checker}. SHA-256 of the file: '
                f"<code>{row.sha256}</code></p>")  # fmt: skip
    return page(row.name, body)


def functions(row: Marked, rubric: Points) -> str:
    found = by_function(row.report or {"tests": []}, rubric)
    rows = [
        f'<tr><td>{escape(name)}</td><td class="number">{plain(round(points, 1))} of {plain(maximum)}</td></tr>'
        for name, (points, maximum) in found.items()
    ]
    return f'<section><h2>Points</h2><table class="list">{"".join(rows)}</table></section>'


def wrong_test(test: dict[str, Any], points: Points) -> str:
    found, score = test["finding"], earned(test, points)
    lines = [f'<section><h2><span class="wrong">Wrong:</span> {escape(test["name"])}</h2>']
    words = f"{test['title']}. {plain(score.points)} of {plain(score.maximum)} points."
    lines.append(f'<p class="soft">{escape(words)}</p>')
    lines += [board(found), *told(found, "Right")]
    if found["mistake"]:
        lines.append(f'<p class="mistake"><b>{escape(found["mistake_name"])}.</b> {escape(found["advice"])}</p>')
    return "\n".join([*lines, "</section>"])


def remarks(tests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each kind once."""
    return list({found["mistake"]: found for test in tests for found in test["remarks"]}.values())


def remark(found: dict[str, Any]) -> str:
    lines = [f'<section><h2>Worth knowing: {escape(found["mistake_name"])}</h2>', board(found), *told(found, "Better")]
    return "\n".join([*lines, f'<p class="mistake remark">{escape(found["advice"])}</p></section>'])


def told(found: dict[str, Any], right: str) -> list[str]:
    """What was asked, what came back, what was right and why."""
    asked = f"<dt>Asked</dt><dd><code>{escape(found['asked'])}</code></dd>" if found["asked"] != "()" else ""
    lines = [f"<dl>{asked}<dt>Came back</dt><dd><code>{escape(found['came'])}</code></dd>"]
    lines.append(f"<dt>{right}</dt><dd><code>{escape(found['right'])}</code></dd>")
    lines.append(f"<dt>Why</dt><dd>{escape(found['why'])}</dd></dl>")
    if found["details"]:
        lines.append("<pre>" + escape("\n".join(found["details"])) + "</pre>")
    if found["analysis"]:
        lines.append(f'<p><a href="{escape(found["analysis"])}">Analyse this board</a></p>')
    return lines


def board(found: dict[str, Any]) -> str:
    """The position as a table of nine cells."""
    text = found["position"]
    if not text:
        return ""
    rows = [text[start : start + 3] for start in range(0, len(text), 3)]
    cells = ["".join(f'<td class="{letter}">{letter.replace(".", "")}</td>' for letter in row) for row in rows]
    drawn = "".join(f"<tr>{row}</tr>" for row in cells)
    return f'<table class="board" aria-label="The board: {" / ".join(rows)}">{drawn}</table>'


def right_tests(tests: list[dict[str, Any]]) -> str:
    right = [f"<li>{escape(test['name'])}: {escape(test['title'])}</li>" for test in tests if test["passed"]]
    heading = f'<h2><span class="right">Right:</span> {len(right)} of {len(tests)} tests</h2>'
    return f"<section>{heading}<ul>{''.join(right)}</ul></section>"


def of_class(rows: list[Marked], files: dict[str, str], lab: str, points: Points, notes: list[str]) -> str:
    """The list of all, with links to their reports, and what else the instructor should see."""
    lines = []
    for row in rows:
        score = plain(total(row.report, points).points) if row.report else "-"
        link = f'<a href="{escape(files[row.name])}">{escape(row.name)}</a>'
        first = escape(row.wrong[0]["name"]) if row.wrong else escape("; ".join(row.problems))
        lines.append(f'<tr><td>{link}</td><td>{first}</td><td class="number">{score}</td></tr>')
    head = f'<tr><th>Student</th><th>First wrong</th><th class="number">of {plain(sum(points.values()))}</th></tr>'
    body = [f"<h1>{escape(lab)}</h1>", f'<section><table class="list">{head}{"".join(lines)}</table></section>']
    if notes:
        body.append("<section>" + "".join(f"<p>{escape(note)}</p>" for note in notes) + "</section>")
    return page(lab, body)


def file_names(rows: list[Marked], suffix: str) -> dict[str, str]:
    """A name for each student's report that every system takes, and no two the same."""
    names: dict[str, str] = {}
    for row in rows:
        plain_name = re.sub(r"[^\w-]+", "-", row.name).strip("-")[:60] or "student"
        taken = {name.lower() for name in names.values()}
        numbers = (f"{plain_name}{number or ''}{suffix}" for number in range(len(rows) + 2))
        names[row.name] = next(name for name in numbers if name.lower() not in taken | {f"index{suffix}"})
    return names
