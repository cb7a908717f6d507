"""What the address asks for, read strictly: a position, the way that led to it, or the cells of the editor."""

import re
from collections.abc import Collection
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from webapp.analysis.steps import Step
from webapp.errors import BadRequest
from webapp.tictactoe import SEARCHES, STANDARD, BadPosition, IllegalMove, Mark, Position, Search, Walk, walk_of

Arguments = MultiDict[str, str]

FREE = "."
EMPTY = FREE * STANDARD.size
LETTERS = (FREE, Mark.X.value, Mark.O.value)
FIELDS = tuple(f"cell{cell}" for cell in range(STANDARD.size))  # of the editor
NAMES = tuple(map(STANDARD.cell_name, range(STANDARD.size)))


def position(arguments: Arguments) -> Position:
    """The empty board if nothing is said. Raises BadPosition with the sentence that says why."""
    text, side = only(arguments, "position"), only(arguments, "to_move")
    if side is not None and side not in LETTERS[1:]:
        raise BadPosition("The side to move must be X or O.")
    return Position.parse(EMPTY if text is None else text, Mark(side) if side else None)


def only(arguments: Arguments, name: str) -> str | None:
    values = arguments.getlist(name)
    if len(values) > 1:
        raise BadPosition(f"The address gives {name} {len(values)} times. Once is enough.")
    return values[0] if values else None


class Editor(NamedTuple):
    cells: list[tuple[str, str, str]]  # the name of the field, the words for the cell, what it holds
    side: str  # to move; empty if the counts decide


def editor(arguments: Arguments) -> Editor:
    """Filled in as far as the address can be read."""
    text = arguments.get("position", EMPTY).replace("/", "")[: STANDARD.size].ljust(STANDARD.size, FREE)
    letters = [letter if letter in LETTERS else FREE for letter in text]
    side = arguments.get("to_move", "")
    return Editor(list(zip(FIELDS, NAMES, letters, strict=True)), side if side in LETTERS[1:] else "")


def is_from_editor(arguments: Arguments) -> bool:
    return any(field in arguments for field in FIELDS)


def edited(arguments: Arguments) -> dict[str, Any]:
    """The position that the editor's form holds, as arguments of a link; who is to move may be left to the counts."""
    chosen = [arguments.get(field, FREE) for field in FIELDS]
    if strange := set(chosen) - set(LETTERS):
        raise BadPosition(f"A cell of the editor is X, O or {FREE} for a free one, not {min(strange)[:20]!r}.")
    side = arguments.get("to_move", "")
    return {"position": "".join(chosen), **({"to_move": side} if side else {})}


def trail(arguments: Arguments, position: Position) -> tuple[int, ...]:
    """The moves that led here, as the links of the page pass them on; none if they do not lead here."""
    parts = arguments.get("back", "").split("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        return ()
    cells = tuple(map(int, parts))
    try:
        for cell in reversed(cells):
            position = before(position, cell)
    except (BadPosition, IllegalMove):
        return ()
    return cells


def before(position: Position, cell: int) -> Position:
    """The position before this cell was played; raises if it cannot have been the last move."""
    if position.mark_at(cell) is not position.to_move.other:
        raise BadPosition(f"The last move was not in the cell {cell}.")
    text = position.text
    found = Position.parse(text[:cell] + FREE + text[cell + 1 :], position.to_move.other)
    if found.is_over:
        raise BadPosition("Nobody moves after the end.")
    return found


def link_to(position: Position, trail: tuple[int, ...] = ()) -> dict[str, Any]:
    """The arguments of the link to a position."""
    link = {"position": position.text, "to_move": position.to_move.value}
    return {**link, "back": "-".join(map(str, trail))} if trail else link


NUMBER = re.compile(r"[0-9]{1,6}\Z")
NUMBERS = re.compile(r"(?:[0-9]{1,6}(?:-[0-9]{1,6}){0,199})?\Z")


def one_of(arguments: Arguments, name: str, words: Collection[str], otherwise: str) -> str:
    word = arguments.get(name, otherwise)
    if word != otherwise and word not in words:
        raise BadRequest(f"The {name} must be one of {', '.join(words)}. Choose it on the page.")
    return word


def search(arguments: Arguments) -> Search:
    """Alpha-beta in reading order if nothing is said."""
    return SEARCHES[one_of(arguments, "search", SEARCHES, "alpha-beta")]


def walk(arguments: Arguments) -> Walk:
    """What the search that is asked for does from the position that is asked for."""
    chosen, start = search(arguments), position(arguments)
    if start.is_over:
        raise BadRequest("The game is over in this position, so there is nothing to search. Go back a move.")
    return walk_of(chosen, start)


def step(arguments: Arguments, walk: Walk) -> Step | None:
    """The visit at which the search is stopped, if it is to be."""
    asked = arguments.get("step")
    if asked is None:
        return None
    if not NUMBER.match(asked) or int(asked) > walk.counts.nodes:
        last = walk.counts.nodes - 1
        raise BadRequest(f"The visits of this search are numbered from 0 to {last:,}. Choose one of them.")
    return Step(walk, int(asked))


def opened(arguments: Arguments, walk: Walk) -> Collection[int]:
    """The numbers of the nodes that are open. At first the root; where a search begins several times, no root."""
    asked = arguments.get("open")
    if asked is None:
        return [0] if len(walk.rounds) == 1 else []
    if asked == "all":
        return range(walk.counts.nodes)
    if not NUMBERS.match(asked):
        raise BadRequest("This link does not lead to any part of the tree. Begin at its root.")
    return {int(number) for number in asked.split("-") if number}
