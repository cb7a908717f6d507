"""What holds for every template: nothing inline, a token in each form, and that they can all be compiled."""

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.conftest import sqlite_only
from webapp.config import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.fixture(params=TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def template(request: pytest.FixtureRequest) -> Path:
    return request.param


@sqlite_only
def test_it_compiles(app: Flask, template: Path) -> None:
    app.jinja_env.get_template(template.relative_to(ROOT / "templates").as_posix())


def test_it_has_no_script_style_or_handler_inside(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"<script(?![^>]*\ssrc=)", text), "an inline script"
    assert not re.search(r"<style|\sstyle=", text), "an inline style"
    assert not re.search(r"\son[a-z]+=", text), "an inline handler"
    assert not re.search(r"(src|href)=[\"'](https?:)?//", text), "something from another host"


def test_it_escapes_what_it_shows(template: Path) -> None:
    assert "|safe" not in template.read_text().replace(" ", "")


def test_every_form_that_posts_carries_the_token(template: Path) -> None:
    for form in re.findall(r"<form\b.*?</form>", template.read_text(), re.S):
        if re.search(r"method=[\"']post", form, re.I):
            assert "csrf_token" in form


def test_it_is_short_enough_to_be_read(template: Path) -> None:
    assert len(template.read_text().splitlines()) <= 100
