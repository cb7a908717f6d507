"""What is said before the site is up. Starts for real are in tests/test_run.py."""

import os

import pytest

from webapp.launcher.site import caution


@pytest.mark.skipif(os.name == "nt", reason="Windows has no root")
def test_only_root_is_told_that_an_ordinary_user_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    (sentence,) = caution()
    assert "as an ordinary user" in sentence
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert caution() == []
