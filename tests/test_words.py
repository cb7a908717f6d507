"""Plain words: those that are hard for somebody who learns English stay out, and a term of the field is explained."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Browser, sqlite_only
from webapp.config import ROOT

# Each with what to write instead. What people read is searched, not names in the code and not comments.
HARD = {
    "present": "current",
    "by lot": "at random",
    r"withdr\w+|call(ed)? off|call(ed)? it off": "cancel, cancelled",
    "call(ed)? it a draw|called a draw": "claim a draw",
    "meanwhile|in the meantime": "while you wait; has just",
    "rather": "want to",
    "whoever|whichever": "the player who, the side that",
    "one['’]s|one plays|one can": "your, you play, you can",
    "for good": "forever",
    r"take\w* (\w+ ){1,3}along": "move, save",
    "laid open|lay open": "analyse",
    "yours to see": "you are not allowed to see it",
    "our fault": "our mistake",
    "your host": "the person who runs this site",
    "rules? of thumb": "simple rules",
    "at hand": "in one move",
    "need not": "does not have to",
    "keep in mind|mind that": "remember, remember that",
    "afresh|anew": "again",
    "hence|thus": "so",
    "likewise": "also",
    "(is|are|was) told (so|above)": "can read that; the lines above say",
    r"revok\w+": "stop, stopped",
    r"tidy|spoil\w*|heed\w*|reckon\w*|amiss|wherein|whereby|thereof": "a word that a beginner knows",
}
NOTHING_READ = r"\{#.*?#\}|<(script|svg|code)\b.*?</\1>"
READ_IN_TAGS = r"(?:aria-label|title|placeholder)=\"([^\"]*)\""


def sentences_of_template(path: Path) -> Iterator[str]:
    """The text between the tags, the attributes that are read out, and each text with a space that Jinja is given."""
    text = re.sub(NOTHING_READ, " ", path.read_text(), flags=re.S)
    for tag in re.findall(r"\{[%{].*?[%}]\}", text, re.S):
        yield from re.findall(r"\"([^\"]* [^\"]*)\"", tag)
    page = re.sub(r"\{[%{].*?[%}]\}", " ", text, flags=re.S)
    yield from re.findall(READ_IN_TAGS, page)
    yield re.sub(r"<[^>]*>", " ", page)


def sentences_of_module(path: Path) -> Iterator[str]:
    """Every text with a space that is not a docstring."""
    tree = ast.parse(path.read_text())
    lone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in lone and " " in str(node.value):
            yield str(node.value)


def sentences_of_script(path: Path) -> Iterator[str]:
    without_comments = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
    yield from re.findall(r"[\"`]([^\"`\n]* [^\"`\n]*)[\"`]", without_comments)


READERS = {".html": sentences_of_template, ".py": sentences_of_module, ".js": sentences_of_script}
FOLDERS = ("templates", "webapp", "static/js")
READ = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in READERS)


ANY_HARD = re.compile(rf"\b(?:{'|'.join(HARD)})\b", re.IGNORECASE)


def hard_words(sentence: str) -> Iterator[str]:
    if not ANY_HARD.search(sentence):
        return
    for hard, plain in HARD.items():
        for found in re.finditer(rf"\b(?:{hard})\b", sentence, re.IGNORECASE):
            yield f'"{found[0]}" is hard for somebody who learns English. Write "{plain}", or say it in another way.'


def told_of(path: Path) -> Iterator[str]:
    for sentence in READERS[path.suffix](path):
        for told in hard_words(" ".join(sentence.split())):
            yield f"{path.relative_to(ROOT)}: {told}"


def test_no_hard_word_is_shown_to_anybody() -> None:
    found = [told for path in [*READ, ROOT / "run.py"] for told in told_of(path)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind, text, is_found", [
    (".html", "<p>Play the computer meanwhile.</p>", True),
    (".html", '<p>{{ "Marks by lot" if lot else "X" }}</p>', True),
    (".html", '{# Whoever joins. #}<p class="rather">{{ pov.whoever }}</p>', False),
    (".py", 'raise Refusal(f"This game was withdrawn, {name}.")', True),
    (".py", '"""Whoever joins."""\nwithdraw = "withdrawn"  # meanwhile', False),
    (".js", 'say("Meanwhile play on.");', True),
    (".js", "// Meanwhile others press.", False),
])  # fmt: skip
def test_hard_words_are_seen_where_people_read_them_only(tmp_path: Path, kind: str, text: str, is_found: bool) -> None:
    path = tmp_path / f"any{kind}"
    path.write_text(text)
    assert any(list(hard_words(sentence)) for sentence in READERS[kind](path)) is is_found


@sqlite_only
def test_minimax_and_alpha_beta_are_explained_where_they_are_first_met(client: Browser) -> None:
    """On each page that names them a link leads to the plain explanation."""
    game = client.start(level="perfect", cell=0)
    client.send(f"{game}/resign")
    for page in ("/", game, f"{game}/replay", "/analysis"):
        assert 'href="/labs#minimax"' in client.get(page).text, page
    assert 'id="minimax"' in client.get("/labs").text
