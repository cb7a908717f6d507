"""Pairs of files that are the same up to names, comments and layout: a place to look, never a verdict.

Knows Python's tokens, and runs nothing. What stands in the starter file counts for nobody."""

import io
import keyword
import tokenize
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

SPAN = 12  # tokens in a row that are compared
LEAST = 60  # spans of its own that a file must have: small files are alike by chance
ALIKE = 0.8
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip
Spans = frozenset[tuple[str, ...]]


class Pair(NamedTuple):
    share: float
    one: str
    other: str

    def __str__(self) -> str:
        return f"{self.one} and {self.other} ({100 * self.share:.0f}%)"


def tokens_of(source: bytes) -> Iterator[tokenize.TokenInfo]:
    """The tokens, as far as Python can read them."""
    try:
        yield from tokenize.tokenize(io.BytesIO(source).readline)
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError):  # SyntaxError: also a wrong indentation
        return


def words_of(source: bytes) -> Iterator[str]:
    """What the file does: every name is "name", and docstrings, comments and layout are left out."""
    before = tokenize.NEWLINE
    for token, after in pairwise(tokens_of(source)):
        is_docstring = token.type == tokenize.STRING and before in LAYOUT and after.type == tokenize.NEWLINE
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            yield "name"
        elif token.type not in LAYOUT and not is_docstring:
            yield token.string
        before = token.type


def spans_of(source: bytes) -> Spans:
    """Every span within a function, so that it does not matter in which order the functions stand."""
    functions: list[list[str]] = [[]]
    for word in words_of(source):
        if word == "def":
            functions.append([])
        functions[-1].append(word)
    starts = ((words, start) for words in functions for start in range(len(words) - SPAN + 1))
    return frozenset(tuple(words[start : start + SPAN]) for words, start in starts)


def pairs(sources: dict[str, bytes], starter: bytes) -> list[Pair]:
    """The pairs that share most of their spans, the most alike first."""
    given = spans_of(starter)
    spans = {name: spans_of(source) - given for name, source in sources.items()}
    own = {name: found for name, found in spans.items() if len(found) >= LEAST}
    found = [Pair(len(own[a] & own[b]) / len(own[a] | own[b]), a, b) for a, b in combinations(own, 2)]
    return sorted((pair for pair in found if pair.share >= ALIKE), reverse=True)
