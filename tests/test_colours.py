"""The colours of the tokens can be read on one another. axe cannot judge text on squared paper, so this does."""

import re

import pytest

from webapp.config import ROOT


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_pens_can_be_read_on_the_paper(scheme: int) -> None:
    css = (ROOT / "static/css/tokens.css").read_text().split("prefers-color-scheme: dark")[scheme]
    colour = dict(re.findall(r"--([a-z-]+): (#[0-9A-F]{6})", css))
    texts = ("ink", "soft", "x", "o", "won", "lost", "drawn")
    pairs = [(text, ground) for text in texts for ground in ("paper", "square", "sheet")]
    pairs += [("x", "x-tint"), ("o", "o-tint")]
    assert {pair for pair in pairs if contrast(colour[pair[0]], colour[pair[1]]) < 4.5} == set()
    assert contrast(colour["edge"], colour["sheet"]) >= 3


def contrast(one: str, other: str) -> float:
    """The ratio that WCAG defines."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
