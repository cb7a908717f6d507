"""What is kept of a game's moves beside a judgement of them made afresh. Knows the rules, not the database."""

from collections.abc import Iterator
from typing import Any

from webapp.games.verdicts import mistake_row
from webapp.operations.broken import Broken
from webapp.operations.game_checks import WholeGame
from webapp.tictactoe import Mark

JUDGED_SINCE = "0009"  # the revision by which old games are judged; before it some may be, and others not yet


def is_judged_by(revision: str) -> bool:
    return revision >= JUDGED_SINCE


def broken_verdicts(game: WholeGame, deleted: set[int], all_are_judged: bool) -> Iterator[Broken]:
    for sentence in (*_strange_counts(game, all_are_judged), *_strange_mistakes(game, deleted)):
        yield Broken("I32", f"game {game.name} {sentence}")


def _strange_counts(game: WholeGame, all_are_judged: bool) -> Iterator[str]:
    for seat in game.seats:
        side, told = game.judged_sides.get(Mark(seat["mark"])), (seat.get("decisions"), seat.get("kept"))
        played = (side.decisions, side.kept) if side else (None, None)
        if told != played and (all_are_judged or told != (None, None)):
            yield f"tells of {told[1]} of {told[0]} decisions kept by {seat['mark']}, not {played[1]} of {played[0]}"


def _strange_mistakes(game: WholeGame, deleted: set[int]) -> Iterator[str]:
    """Who deleted their account has none any more, nor has the computer."""
    made: dict[int, dict[str, Any]] = {}
    for seat in game.seats:
        if seat.get("decisions") is not None and seat["user_id"] is not None and seat["user_id"] not in deleted:
            side = game.judged_sides.get(Mark(seat["mark"]))
            rows = [mistake_row(move) for move in side.mistakes] if side else []
            made |= {row["ply"]: row | {"game_id": game.row["id"], "user_id": seat["user_id"]} for row in rows}
    kept = {row["ply"]: dict(row) for row in game.mistakes}
    for ply in sorted(made.keys() | kept.keys()):
        if made.get(ply) != kept.get(ply):
            yield f"keeps {kept.get(ply, 'nothing')} as the mistake at ply {ply}, not {made.get(ply, 'nothing')}"
