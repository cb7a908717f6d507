"""Templates stay compiled from one start to the next, and nothing that becomes of the files stops a page."""

from pathlib import Path

import pytest
from flask import Flask
from jinja2 import DictLoader, Environment

from tests.conftest import SETTINGS
from webapp import create_app
from webapp.compiled_templates import FOLDER


def start(instance: Path, source: str) -> Environment:
    """The templates of a site as it is started, with one page."""
    app: Flask = create_app({**SETTINGS, "NOUGHTS_INSTANCE": str(instance)})
    app.jinja_env.loader = DictLoader({"page.html": source})
    return app.jinja_env


def test_a_template_is_compiled_once_and_again_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(tmp_path, "{{ 6 * 7 }}").get_template("page.html")
    compiled = []
    compile_it = Environment.compile
    monkeypatch.setattr(Environment, "compile", lambda self, *words: compiled.append(1) or compile_it(self, *words))
    assert start(tmp_path, "{{ 6 * 7 }}").get_template("page.html").render() == "42"
    assert not compiled
    assert start(tmp_path, "{{ 6 * 8 }}").get_template("page.html").render() == "48"
    assert compiled


@pytest.mark.parametrize("length", [0, 3, 20, 60, 200])
def test_a_file_that_was_cut_off_is_made_again(tmp_path: Path, length: int) -> None:
    start(tmp_path, "{{ 6 * 7 }}").get_template("page.html")
    (file,) = (tmp_path / FOLDER).iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:length])
    assert start(tmp_path, "{{ 6 * 7 }}").get_template("page.html").render() == "42"
    assert file.read_bytes() == whole


def test_where_nothing_can_be_written_pages_are_shown_all_the_same(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("no folder")
    assert start(tmp_path, "{{ 6 * 7 }}").get_template("page.html").render() == "42"
