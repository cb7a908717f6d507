"""What the links of the history ask for, read strictly: anything that no page of ours links to is refused."""

from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from webapp.errors import BadRequest
from webapp.games.forms import PUBLIC_ID
from webapp.games.models import DRAWN, LOST, WON
from webapp.tictactoe import Mark

RESULTS = (WON, DRAWN, LOST)
MARKS = (Mark.X.value, Mark.O.value)
CHOICES: dict[str, tuple[str, ...]] = {"result": RESULTS, "mark": MARKS}


@dataclass(frozen=True)
class Choice:
    """Which games to show. `opponent` is a level or a name; levels are no names, so one word is enough."""

    opponent: str | None = None
    result: str | None = None
    mark: str | None = None

    def asked(self) -> dict[str, Any]:
        """The arguments of a link that makes this choice."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class Edge:
    """Where a page begins: beside the game with this public id, towards the older or the newer ones."""

    public_id: str
    towards_newer: bool


def choice(arguments: MultiDict[str, str]) -> Choice:
    asked = {name: arguments[name] for name in ("opponent", "result", "mark") if arguments.get(name)}
    for name, values in CHOICES.items():
        if name in asked and asked[name] not in values:
            raise BadRequest(f"The {name} must be one of {', '.join(values)}. Choose it by the links on the page.")
    return Choice(**asked)


def edge(arguments: MultiDict[str, str]) -> Edge | None:
    for name in ("before", "after"):
        if name in arguments:
            if not PUBLIC_ID.match(arguments[name]):
                raise BadRequest("This link does not lead to any of your games. Begin with the newest ones.")
            return Edge(arguments[name], towards_newer=name == "after")
    return None
