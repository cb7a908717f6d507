"""What the links of the history ask for, read strictly: anything that no page of ours links to is refused."""

from werkzeug.datastructures import MultiDict

from webapp.errors import BadRequest
from webapp.games.forms import PUBLIC_ID
from webapp.history.queries import MARKS, RESULTS, Choice, Edge

CHOICES: dict[str, tuple[str, ...]] = {"result": RESULTS, "mark": MARKS, "mistakes": ("yes",), "coach": ("yes",)}


def choice(arguments: MultiDict[str, str]) -> Choice:
    asked = {name: arguments[name] for name in ("opponent", *CHOICES) if arguments.get(name)}
    for name, values in CHOICES.items():
        if name in asked and asked[name] not in values:
            raise BadRequest(f"The {name} must be one of {', '.join(values)}. Use the links on the page.")
    return Choice(**asked)


def edge(arguments: MultiDict[str, str]) -> Edge | None:
    for name in ("before", "after"):
        if name in arguments:
            if not PUBLIC_ID.match(arguments[name]):
                raise BadRequest("This link does not lead to any of your games. Begin with the newest ones.")
            return Edge(arguments[name], towards_newer=name == "after")
    return None
