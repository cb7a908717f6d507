"""The results of competitions beside the games that they were counted from. Knows no database."""

from collections.abc import Iterator, Mapping
from typing import Any

from webapp.operations.broken import Broken
from webapp.operations.game_checks import FINISHED, WholeGame
from webapp.tictactoe import Mark

Row = Mapping[str, Any]
PLAYING, FORFEITED, SUPERSEDED = "playing", "forfeited", "superseded"


def broken_pairings(game: WholeGame, pairings: list[Row], entries: Mapping[int, Row]) -> Iterator[Broken]:
    """Of one game: at most one, between those who sit in it, with the result that the game has."""
    for pairing in pairings:
        for sentence in (*_strange_players(game, pairing, entries), *_strange_result(game, pairing)):
            yield Broken("I32", f"game {game.name} of competition {pairing['competition_id']} {sentence}")


def broken_without_game(pairing: Row) -> Iterator[Broken]:
    """A bye, or one that was forfeited before it began; what is played has a game."""
    if pairing["game_id"] is None and pairing["state"] == PLAYING:
        yield Broken("I32", f"pairing {pairing['id']} is said to be played, but has no game")
    if (pairing["score"] == "bye") != (pairing["o_entry_id"] is None):
        yield Broken("I32", f"pairing {pairing['id']} has the result {pairing['score']}, and is a bye or is none")


def _strange_players(game: WholeGame, pairing: Row, entries: Mapping[int, Row]) -> Iterator[str]:
    for mark, column in ((Mark.X, "x_entry_id"), (Mark.O, "o_entry_id")):
        entry = entries.get(pairing[column] or 0, {})
        seat = game.seat(mark)
        if (entry.get("user_id"), entry.get("reference")) != (seat.get("user_id"), seat.get("level")):
            yield f"has another player with {mark} than was paired"
    if not game.row["arranged"]:
        yield "was not arranged"


def _strange_result(game: WholeGame, pairing: Row) -> Iterator[str]:
    score, state = pairing["score"], pairing["state"]
    if state == SUPERSEDED:
        return
    if not game.is_over:
        if (score, state) != (None, PLAYING):
            yield f"still goes on, and is told as {state} with the result {score}"
    elif game.row["status"] == FINISHED:
        if score != (game.row["winner"] or "drawn"):
            yield f"has the result {score}, not {game.row['winner'] or 'drawn'}"
    elif (state == FORFEITED) != (score is not None) or state == PLAYING:
        yield f"was not finished, and is told as {state} with the result {score}"
