"""A client's log of the answers that it got, beside the games as they are stored now.

The log is a list of entries; within one client they are in order:
    {"client": 1, "did": "move", "game": "<public id>", "mark": "X", "ply": 0, "cell": 4, "status": 303}
    {"client": 1, "did": "take back", "game": "<public id>", "version": 4, "status": 303}
    {"client": 1, "did": "resign", "game": "<public id>", "mark": "X", "status": 409}
    {"client": 1, "did": "look", "game": "<public id>", "plies": 2, "over": false}
    {"client": 1, "did": "tell", "secret": "<a session id, a token or a password>"}
A status of null means that no answer came; with "is_unknown" the answer itself said that it may be saved or not.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text

from webapp.operations.broken import Broken
from webapp.operations.game_checks import WholeGame, is_computers_turn
from webapp.operations.invariants import findings, snapshot, whole_games
from webapp.tictactoe import Mark, mover

Entry = Mapping[str, Any]
DONE = 303


def check_beside(database: str | Path, answers: Iterable[Entry], files: Iterable[Path] = ()) -> list[Broken]:
    """Everything that is broken in the database, beside these answers and in these files."""
    with snapshot(database) as connection:
        return [*findings(connection), *broken_beside(connection, list(answers), files)]


def broken_beside(connection: Connection, answers: list[Entry], files: Iterable[Path] = ()) -> Iterator[Broken]:
    spoken_of = {answer.get("game") for answer in answers}
    yield from broken_answers(answers, {game.name: game for game in whole_games(connection) if game.name in spoken_of})
    yield from told_secrets(connection, answers, files)


def broken_answers(answers: Iterable[Entry], games: Mapping[str, WholeGame]) -> Iterator[Broken]:
    by_game: dict[str, list[Entry]] = defaultdict(list)
    for entry in answers:
        if "game" in entry:
            by_game[entry["game"]].append(entry)
    for name, entries in by_game.items():
        if name in games:
            yield from _beside(games[name], entries)
        elif any(entry.get("status") == DONE or entry["did"] == "look" for entry in entries):
            yield Broken("I1", f"game {name} was answered for, but is not there")


def _beside(game: WholeGame, entries: list[Entry]) -> Iterator[Broken]:
    moves = [entry for entry in entries if entry["did"] == "move"]
    take_backs = [entry for entry in entries if entry["did"] == "take back"]
    resignations = [entry for entry in entries if entry["did"] == "resign"]
    looks = [entry for entry in entries if entry["did"] == "look"]
    for promise, sentences in (
        ("I1", _lost_moves(game, moves)),
        ("I1", _lost_take_backs(game, take_backs)),
        ("I10", _unlike_answers(entries)),
        ("I11", _traces(game, moves)),
        ("I12", _half_moves(game, moves)),
        ("I16", _old_reads(entries)),
        ("I17", _changed_ends(game, looks)),
        ("I18", _lost_ends(game, resignations)),
    ):
        yield from (Broken(promise, f"in game {game.name} {sentence}") for sentence in sentences)


def _is_stored(game: WholeGame, move: Entry) -> bool:
    """It stands, or is recorded as taken back."""
    known = [*game.moves, *game.taken_back]
    stored = any((row["ply"], row["cell"]) == (move["ply"], move["cell"]) for row in known)
    return stored and mover(move["ply"]) == move["mark"]


def _lost_moves(game: WholeGame, moves: list[Entry]) -> Iterator[str]:
    for move in moves:
        if move["status"] == DONE and not _is_stored(game, move):
            yield f"{_words(move)} was acknowledged and is not stored"


def _lost_take_backs(game: WholeGame, take_backs: list[Entry]) -> Iterator[str]:
    taken = {row["version"] for row in game.taken_back}
    for entry in take_backs:
        if entry["status"] == DONE and entry["version"] not in taken:
            yield f"the take-back at version {entry['version']} was acknowledged and is not stored"


def _is_untold(entry: Entry) -> bool:
    """It may have been done or not."""
    return entry["status"] is None or bool(entry.get("is_unknown"))


def _may_take_back(entry: Entry) -> bool:
    """After it fewer moves stand, and other ones can follow."""
    return entry["did"] == "take back" and (entry["status"] == DONE or _is_untold(entry))


def _unlike_answers(entries: list[Entry]) -> Iterator[str]:
    """Within one client posts follow each other, so that a repeated one is known to come second."""
    done: dict[Any, int] = {}
    for move in entries:
        if _may_take_back(move):
            done.clear()
        if move["did"] != "move":
            continue
        key = (move["client"], move["ply"])
        if move["status"] == DONE and done.setdefault(key, move["cell"]) != move["cell"]:
            yield f"two different cells were acknowledged for ply {move['ply']}"
        if move["status"] == 409 and done.get(key) == move["cell"]:
            yield f"{_words(move)} was refused when it was sent again"


def _traces(game: WholeGame, moves: list[Entry]) -> Iterator[str]:
    played = {(move["ply"], move["cell"]) for move in moves if move["status"] == DONE or _is_untold(move)}
    for move in moves:
        if (move["ply"], move["cell"]) not in played and _is_stored(game, move):
            yield f"{_words(move)} was refused with {move['status']} and is stored"


def _half_moves(game: WholeGame, moves: list[Entry]) -> Iterator[str]:
    for move in moves:
        is_last = move["ply"] == len(game.moves) - 1 and _is_stored(game, move)
        if _is_untold(move) and is_last and is_computers_turn(game):
            yield f"{_words(move)} is stored without the computer's answer"


def _old_reads(entries: list[Entry]) -> Iterator[str]:
    told: dict[Any, int] = defaultdict(int)
    for entry in entries:
        client = entry["client"]
        if _may_take_back(entry):
            told.clear()
        elif entry["did"] == "move" and entry["status"] == DONE:
            told[client] = max(told[client], entry["ply"] + 1)
        elif entry["did"] == "look":
            if entry["plies"] < told[client]:
                yield f"client {client} saw {entry['plies']} moves after it was told of {told[client]}"
            told[client] = max(told[client], entry["plies"])


def _changed_ends(game: WholeGame, looks: list[Entry]) -> Iterator[str]:
    for look in looks:
        if look["over"] and not (game.is_over and look["plies"] == len(game.moves)):
            yield f"the end after {look['plies']} moves was shown and no longer stands"


def _lost_ends(game: WholeGame, resignations: list[Entry]) -> Iterator[str]:
    for entry in resignations:
        end = (game.row["reason"], game.row["winner"])
        if entry["status"] == DONE and end != ("resigned", Mark(entry["mark"]).other):
            yield f"the resignation of {entry['mark']} was acknowledged and is not its end"


def _words(move: Entry) -> str:
    return f"cell {move['cell']} by {move['mark']} at ply {move['ply']}"


def told_secrets(connection: Connection, answers: Iterable[Entry], files: Iterable[Path]) -> Iterator[Broken]:
    """The ids, tokens and passwords that the clients noted occur nowhere, not even in pages given free."""
    secrets = [str(answer["secret"]) for answer in answers if "secret" in answer]
    for path in [*_database_files(connection), *files] if secrets else ():
        content = path.read_bytes()
        if any(secret.encode() in content for secret in secrets):
            yield Broken("I20", f"{path.name} holds a secret of a client")
    if connection.dialect.name != "sqlite" and secrets:
        yield from _secret_rows(connection, secrets)


def _database_files(connection: Connection) -> list[Path]:
    if connection.dialect.name != "sqlite":
        return []
    main = connection.exec_driver_sql("PRAGMA database_list").fetchone()
    paths = (Path(f"{main[2]}{ending}") for ending in ("", "-wal")) if main else ()
    return [path for path in paths if path.exists()]


def _secret_rows(connection: Connection, secrets: list[str]) -> Iterator[Broken]:
    quote = connection.dialect.identifier_preparer.quote
    for table in inspect(connection).get_table_names():
        rows = connection.execute(text(f"SELECT CAST(row AS text) FROM {quote(table)} row"))
        if any(secret in content for (content,) in rows for secret in secrets):
            yield Broken("I20", f"{table} holds a secret of a client")
