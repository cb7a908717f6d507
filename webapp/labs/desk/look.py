"""What the runner's page is made of: the site's own board and style, read from the project or out of the zip."""

import html
from importlib.resources import files
from typing import Any

STYLES = [f"static/css/{name}.css" for name in ("tokens", "base", "layout", "board", "own_game")]
GAME = "static/js/own_game.js"
SHARED = (*STYLES, GAME)  # with the site; packed into the zip at the same places


def look(file: str, title: str) -> dict[str, str]:
    """The texts that the runner gives out, by their names."""
    page = own_text("webapp/labs/desk/page.html")
    return {
        "": page.replace("{file}", html.escape(file)).replace("{title}", html.escape(title)),
        "style.css": "\n".join(map(own_text, STYLES)),
        "own_game.js": own_text(GAME),
        "desk.js": own_text("webapp/labs/desk/desk.js"),
    }


def own_text(path: str) -> str:
    root: Any = files("webapp")
    return str((root.parent / path).read_text(encoding="utf-8"))
