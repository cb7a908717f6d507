"""What holds for every template, pictures too: nothing inline, a token in each form, and that all can be compiled."""

import re
from collections.abc import Iterator
from enum import StrEnum

from flask import Flask
from jinja2 import Environment, nodes

from tests.conftest import sqlite_only
from webapp.competitions.score_words import CellKind
from webapp.competitions.states import CompetitionKind, PairingState, Score, State
from webapp.config import ROOT
from webapp.games.players import PlayerKind
from webapp.games.point_of_view import PointOfView
from webapp.games.states import EndReason, Status
from webapp.practice.questions import QuestionKind
from webapp.tictactoe import Mark

FOLDER = ROOT / "templates"
TEMPLATES = {
    path.relative_to(FOLDER).as_posix(): path.read_text() for path in sorted(FOLDER.rglob("*")) if path.is_file()
}

# What an attribute of this name may hold, whatever it is the attribute of.
WORDS: dict[str, tuple[type[StrEnum], ...]] = {
    "status": (Status,), "reason": (EndReason,), "state": (State, PairingState),
    "score": (Score,), "mark": (Mark,), "opener_mark": (Mark,),
    "kind": (CompetitionKind, PlayerKind, QuestionKind, CellKind),
}  # fmt: skip


def those_with(pattern: str) -> list[str]:
    return [name for name, text in TEMPLATES.items() if re.search(pattern, text)]


@sqlite_only
def test_every_one_compiles(app: Flask) -> None:
    assert len(TEMPLATES) > 20 and {name.rpartition(".")[2] for name in TEMPLATES} == {"html", "svg"}
    for name in TEMPLATES:
        app.jinja_env.get_template(name)


def test_none_has_a_script_a_style_or_a_handler_inside() -> None:
    assert those_with(r"<script(?![^>]*\ssrc=)") == []
    assert those_with(r"<style|\sstyle=") == []
    assert those_with(r"\son[a-z]+=") == []


def test_none_asks_another_host_for_something() -> None:
    assert those_with(r"(src|href)=[\"'](https?:)?//") == []


def test_all_escape_what_they_show() -> None:
    assert those_with(r"\|\s*safe\b") == []


def test_none_reaches_past_the_point_of_view() -> None:
    """What a page shows is worked out, and tested, in webapp/games/; a private name is what the parts keep for that."""
    asked = {name for text in TEMPLATES.values() for name in re.findall(r"\bpov\.(\w+)", text)}
    there = {*vars(PointOfView), *PointOfView.__dataclass_fields__}
    assert {"players", "board"} <= asked and asked <= {name for name in there if not name.startswith("_")}
    assert those_with(r"\bpov\.position\.") == []  # it may be handed on
    assert those_with(r"[\w)\]]\._\w") == []


def test_a_word_that_one_compares_with_is_one_of_its_enum() -> None:
    compared = {(name, *pair) for name, text in TEMPLATES.items() for pair in words_compared(text)}
    assert {attribute for _, attribute, _ in compared} == set(WORDS)
    known = {name: {word.value for kind in kinds for word in kind} for name, kinds in WORDS.items()}
    assert [found for found in sorted(compared) if found[2] not in known[found[1]]] == []


def words_compared(template: str) -> Iterator[tuple[str, str]]:
    """Each attribute named in WORDS, with a quoted word on the other side of ==, !=, in or not in."""
    for comparison in Environment().parse(template).find_all(nodes.Compare):
        sides = [comparison.expr, *(operand.expr for operand in comparison.ops)]
        attributes = [side.attr for side in sides if isinstance(side, nodes.Getattr) and side.attr in WORDS]
        quoted = [one for side in sides for one in getattr(side, "items", [side]) if isinstance(one, nodes.Const)]
        yield from ((name, one.value) for name in attributes for one in quoted if isinstance(one.value, str))


def test_every_form_that_posts_carries_the_token() -> None:
    forms = [(name, form) for name, text in TEMPLATES.items() for form in re.findall(r"(?s)<form\b.*?</form>", text)]
    posts = [(name, form) for name, form in forms if re.search(r"(?i)method=[\"']post", form)]
    assert len(posts) > 5
    assert [name for name, form in posts if "csrf_token" not in form] == []


def test_all_are_short_enough_to_be_read() -> None:
    assert [name for name, text in TEMPLATES.items() if len(text.splitlines()) > 100] == []


def test_the_pictures_of_home_take_no_rule_of_another_page() -> None:
    """A rule for a worksheet once stretched a screen in a picture, which had the same class."""
    pictures = [*(ROOT / "templates" / "pages").glob("_picture_*.svg")]
    classes = {
        name
        for file in pictures
        for found in re.findall(r'class="([^"]+)"', file.read_text())
        for name in found.split()
    }
    shared = {"mark", "mark-x", "mark-o"}  # a board's marks are the same everywhere
    for path in (ROOT / "static" / "css").glob("*.css"):
        if path.stem != "home":
            ruled = set(re.findall(r"(?:^|[,}]\s*|\n\s*)\.([\w-]+)(?=[\s,{:>])", path.read_text()))
            assert not (classes - shared) & ruled, path.name
