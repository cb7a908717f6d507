"""The running totals, counted in the transaction that ends a game; and a guest's, added to an account's."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, literal, select

from webapp.database import insert_or_update
from webapp.extensions import db
from webapp.games.game_record import GameRecord
from webapp.games.models import Tally
from webapp.games.verdicts import JudgedSide, JudgedSides
from webapp.prepared import Prepared
from webapp.tictactoe import Mark

NOTHING_JUDGED = JudgedSide(0, 0, ())  # of a board that is not judged


def count(
    connection: Connection,
    game: GameRecord,
    results: Mapping[Mark, str],
    present: Collection[int],
    judged: JudgedSides,
) -> None:
    """For the people who are present: who deleted their account has no totals any more."""
    for mark, holder in game.holders.items():
        if holder.user_id in present:
            opponent, result = game.holders[mark.other], results[mark]
            row = {"user_id": holder.user_id, "level": opponent.level, "opponent_id": opponent.user_id}
            statement = _add_one(db.engine.dialect.name, opponent.level is not None, result)
            side = judged.get(mark, NOTHING_JUDGED)
            sums = {"decisions": side.decisions, "kept": side.kept}
            kind = {"mark": mark, "shape": game.board.shape, "coached": game.coached}
            statement.run(connection, **row, **kind, **sums)


def add_to(connection: Connection, user_id: int, guest_id: int) -> None:
    """Add a guest's totals, all of them against levels, to a user's."""
    counts = (Tally.won, Tally.lost, Tally.drawn, Tally.decisions, Tally.kept)
    columns = (Tally.level, Tally.mark, Tally.shape, Tally.coached, *counts)
    theirs = select(literal(user_id), *columns).where(Tally.user_id == guest_id, Tally.level.is_not(None))
    new = insert_or_update(Tally).from_select([Tally.user_id, *columns], theirs)
    connection.execute(
        new.on_conflict_do_update(
            index_elements=[Tally.user_id, Tally.level, Tally.mark, Tally.shape, Tally.coached],
            index_where=Tally.level.is_not(None),
            set_={column.key: column + new.excluded[column.key] for column in counts},
        )
    )


@cache
def _add_one(_database: str, against_level: bool, result: str) -> Prepared:
    """Add one to the row of this opponent and mark, or begin it: one statement, whoever else counts too."""
    against = Tally.level if against_level else Tally.opponent_id
    names = ("user_id", "level", "opponent_id", "mark", "shape", "coached", "decisions", "kept")
    index = [Tally.user_id, against, Tally.mark, Tally.shape] + ([Tally.coached] if against_level else [])
    row: dict[str, Any] = {name: bindparam(name) for name in names}
    new = insert_or_update(Tally).values({**row, "won": 0, "lost": 0, "drawn": 0, result: 1}).inline()
    return Prepared(
        new.on_conflict_do_update(
            index_elements=index,
            index_where=against.is_not(None),
            set_={
                result: getattr(Tally, result) + 1,
                "decisions": Tally.decisions + new.excluded.decisions,
                "kept": Tally.kept + new.excluded.kept,
            },
        )
    )
