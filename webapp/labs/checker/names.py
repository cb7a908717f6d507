"""Are the names that a lab asks for in a file, with the right arguments and values; and which were meant, if not?

Knows what the loading tells of a file."""

from difflib import get_close_matches
from typing import Any

from webapp.labs.checker.findings import Finding, shown
from webapp.labs.loading.encoding import decode

Found = dict[str, Any]
LIKENESS = 0.6


def judge_names(names: dict[str, int], constants: dict[str, Any], found: Found) -> Finding | None:
    """Say first what is missing, then what takes other arguments, then which marks have other values."""
    missing = [f"{name} is missing{meant(name, names, found)}" for name in missing_names(names, found)]
    arguments = [text for name, count in names.items() if name in found and (text := wrong_count(name, count, found))]
    values = [text for name, value in constants.items() if (text := wrong_value(name, value, found))]
    if not (wrong := missing + arguments + values):
        return None
    why = "The tests below call them by these names."
    if any(name in found for name in constants) and values:
        why += " Where your marks are others, the tests are asked with yours."
    return Finding("; ".join(wrong), "all names of the starter file", why)


def missing_names(names: dict[str, int], found: Found) -> list[str]:
    """The names that are not there; of a missing class only its own."""
    return [name for name in names if name not in found and name.rpartition(".")[0] in ("", *found)]


def meant(name: str, names: dict[str, int], found: Found) -> str:
    """The nearest name in the file that is not itself one of the lab's."""
    is_class = any(other.startswith(name + ".") for other in names)
    others = {plain(other): other for other in found if other not in names and not (is_class and "." in other)}
    within = [other for other in others if plain(name) in other]
    near = within or get_close_matches(plain(name), others, 1, LIKENESS)
    return f" (your file has {others[near[0]]})" if near else ""


def plain(name: str) -> str:
    """As one hears it: no class before it, no capitals, no underscores."""
    return name.rpartition(".")[2].replace("_", "").lower()


def wrong_count(name: str, count: int, found: Found) -> str:
    takes = found[name]
    if "least" not in takes or takes["least"] <= count <= takes["most"]:
        return ""
    own = count - ("." in name)
    return f"{name} must take {own or 'no'} argument{'s' * (own != 1)}" + " besides self" * ("." in name)


def wrong_value(name: str, value: Any, found: Found) -> str:
    if name not in found:
        return f"{name} = {shown(value)} is missing"
    own = decode(found[name].get("value"))
    return "" if own == value else f"{name} is {shown(own)}, and the sheet says {shown(value)}"
