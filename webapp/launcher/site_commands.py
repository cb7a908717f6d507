"""The commands of the site, as their source tells them: so that help and refusals need no .venv."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from webapp.launcher.processes import ROOT


@dataclass(frozen=True)
class SiteCommand:
    name: str
    usage: str  # the words to type: the name, then the arguments in capitals
    sentence: str


def site_commands() -> list[SiteCommand]:
    """Every function under webapp/ that begins with `@click.command("name")`."""
    return sorted(_found(), key=lambda command: command.name)


def _found() -> Iterator[SiteCommand]:
    for path in (ROOT / "webapp").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.parse(source).body if "\n@click.command(" in source else []:
            if isinstance(node, ast.FunctionDef) and _first_decorator(node).startswith("click.command("):
                words = list(_usage(node.decorator_list))
                yield SiteCommand(words[0], " ".join(words), (ast.get_docstring(node) or "").partition("\n")[0])


def _first_decorator(function: ast.FunctionDef) -> str:
    return ast.unparse(function.decorator_list[0]) if function.decorator_list else ""


def _usage(decorators: list[ast.expr]) -> Iterator[str]:
    for call in decorators:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        shown = next((given.value for given in call.keywords if given.arg == "metavar"), call.args[0])
        name = str(ast.literal_eval(shown))
        if call.func.attr == "command":
            yield name
        elif call.func.attr == "argument":
            yield f"[{name.upper()}]" if any(given.arg == "default" for given in call.keywords) else name.upper()
