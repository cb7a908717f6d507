"""The OpenAPI document is true: what it describes is answered as it says, and nothing else is there."""

import json
import re
import sys
import time
import urllib.request
from io import BytesIO
from typing import Any
from urllib.response import addinfourl

import hypothesis
import pytest
import schemathesis
from flask import Flask
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.agents.programs import make_program
from tests.conftest import sqlite_only
from webapp.agents.openapi import document
from webapp.config import ROOT

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
          response_schema_conformance]  # fmt: skip


@sqlite_only
def test_anybody_may_read_it_and_it_names_every_call(app: Flask) -> None:
    given = app.test_client().get("/api/v1/openapi.json")
    assert given.status_code == 200 and given.data == document("/api/v1")
    described = {
        (f"/api/v1{re.sub('{.*}', '<public_id>', path)}", method.upper())
        for path, calls in given.json["paths"].items()
        for method in calls.keys() - {"parameters"}
    }
    there = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/") and rule.endpoint != "api.openapi"
    }
    assert described == there


def test_it_names_the_header_that_says_when_to_come_back() -> None:
    for path, calls in json.loads(document("/api/v1"))["paths"].items():
        for method in calls.keys() - {"parameters"}:
            answers = calls[method]["responses"]
            named = {status for status, one in answers.items() if "Retry-After" in one.get("headers", {})}
            assert named == ({"200", "429", "503"} if path == "/agent/next" else {"429", "503"}), path


def test_docs_api_names_every_call_and_field() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    schema = json.loads(document("/api/v1"))
    for path, calls in schema["paths"].items():
        for method in calls.keys() - {"parameters"}:
            assert f"`{method.upper()} {path.replace('{game}', '<id>')}`" in text, path
    for kind in ("AgentAnswer", "NextAnswer", "Job", "Next", "Answer", "NewGame", "Resignation", "GameAnswer"):
        for field in schema["components"]["schemas"][kind]["properties"]:
            assert f"`{field}`" in text or f'"{field}"' in text, (kind, field)


def test_the_agent_in_plain_python_comes_back_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    [text] = re.findall(r"```python\n(import json\n.+?)```", (ROOT / "docs" / "api.md").read_text(), re.S)
    job = '{"accepted": null, "job": {"game": "g1", "ply": 0, "legal": [4]}}'
    told = [('{"accepted": null, "job": null}', {"Retry-After": "2"}), (job, {})]
    sent: list[Any] = []
    slept: list[int] = []

    def answer(request: urllib.request.Request, timeout: int) -> addinfourl:
        sent.append(json.loads(bytes(request.data)))  # type: ignore[arg-type]
        if len(sent) > len(told):
            raise KeyboardInterrupt
        content, headers = told[len(sent) - 1]
        return addinfourl(BytesIO(content.encode()), headers, request.full_url, 200)  # type: ignore[arg-type]

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(sys, "argv", ["agent.py", "http://127.0.0.1:8000", "token"])
    with pytest.raises(KeyboardInterrupt):
        exec(compile(text, "agent.py", "exec"), {})
    assert sent == [{}, {}, {"answer": {"game": "g1", "ply": 0, "cell": 4}}] and slept == [2, 0]


def try_all(app: Flask, token: str, examples: int) -> int:
    """Every call with made-up bodies, right and wrong ones; how many there were."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    count = 0
    for operation in (one.ok() for one in schema.get_all_operations()):
        for mode in schemathesis.GenerationMode:

            @hypothesis.settings(
                max_examples=examples, deadline=None, database=None, derandomize=True,
                suppress_health_check=list(hypothesis.HealthCheck),
            )  # fmt: skip
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: Any) -> None:
                nonlocal count
                count += 1
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
                case.call_and_validate(checks=CHECKS)

            try:
                ask()
            except hypothesis.errors.Unsatisfiable:  # there is nothing wrong to send
                assert mode == schemathesis.GenerationMode.NEGATIVE, operation.label
    return count


@sqlite_only
@pytest.mark.slow
def test_every_call_answers_as_described_whatever_it_is_sent(app: Flask) -> None:
    program = make_program(app)
    program.start()
    make_program(app, "owner8", "robot8")
    assert try_all(app, program.token, 15) > 60
    assert program.ask("GET", "/agent").status_code == 200
    assert try_all(app, "x" * 43, 2) > 10
