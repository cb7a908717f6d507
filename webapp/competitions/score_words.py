"""A result as a cell of a crosstable shows it: a sign, and the words for it. Knows no database."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from webapp.competitions.records import PairingRecord
from webapp.competitions.states import PairingState, Score
from webapp.competitions.table_rows import points
from webapp.tictactoe import Mark


class CellKind(StrEnum):
    """How a cell is coloured."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"


HALVES = {CellKind.WON: 2, CellKind.DRAWN: 1}


@dataclass(frozen=True)
class Cell:
    """Of one side of a pairing."""

    sign: str
    words: str
    kind: CellKind
    mark: Mark
    opponent: int | None  # an entry
    game: str | None  # the public id


def cell_of(pairing: PairingRecord, mark: Mark) -> Cell:
    opponent = pairing.o_entry_id if mark == Mark.X else pairing.x_entry_id
    return Cell(*_sign(pairing, mark), mark, opponent, pairing.game)


def _sign(pairing: PairingRecord, mark: Mark) -> tuple[str, str, CellKind]:
    is_forfeit = pairing.state is PairingState.FORFEITED
    if pairing.score is None:
        sign, words = ("…", "in play") if pairing.state is PairingState.PLAYING else ("·", "to be played")
        return sign, words, CellKind.OPEN
    if pairing.score is Score.BYE:
        return "1", "no opponent, 1 point", CellKind.WON
    if pairing.score is Score.DRAWN:
        return "½", "drawn", CellKind.DRAWN
    if pairing.score == mark.value:
        sign, words = ("+", "won without a game") if is_forfeit and not pairing.game else ("1", "won")
        return sign, words, CellKind.WON
    sign, words = ("−", f"lost: {pairing.fault_sentence}") if is_forfeit else ("0", "lost")
    return sign, words, CellKind.LOST


def sum_of(cells: Sequence[Cell]) -> str:
    """The points of several games, and of how many: those that are not over are left out."""
    over = [cell for cell in cells if cell.kind is not CellKind.OPEN]
    return f"{points(sum(HALVES.get(cell.kind, 0) for cell in over))}/{len(over)}" if over else cells[0].sign
