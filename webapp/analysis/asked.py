"""What the address asks for, read strictly: a position, the way that led to it, or the cells of the editor."""

from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from webapp.tictactoe import STANDARD, BadPosition, IllegalMove, Mark, Position

Arguments = MultiDict[str, str]

FREE = "."
EMPTY = FREE * STANDARD.size
LETTERS = (FREE, Mark.X.value, Mark.O.value)
FIELDS = tuple(f"cell{cell}" for cell in range(STANDARD.size))  # of the editor


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
    cells = [(field, STANDARD.cell_name(cell), letters[cell]) for cell, field in enumerate(FIELDS)]
    side = arguments.get("to_move", "")
    return Editor(cells, side if side in LETTERS[1:] else "")


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
