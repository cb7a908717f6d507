"""The running totals, counted in the transaction that ends a game. Called by services only."""

from collections.abc import Mapping

from sqlalchemy.dialects import postgresql, sqlite

from webapp.extensions import db
from webapp.games.models import Tally
from webapp.games.queries import Holder
from webapp.tictactoe import Mark


def count(holders: Mapping[Mark, Holder], results: Mapping[Mark, str]) -> None:
    for mark, holder in holders.items():
        if holder.user_id is not None:
            _count_one(holder.user_id, holders[mark.other], mark, results[mark])


def _count_one(user_id: int, opponent: Holder, mark: Mark, result: str) -> None:
    """Add one to the row of this opponent and mark, or begin it: one statement, whoever else counts too."""
    dialect = sqlite if db.engine.dialect.name == "sqlite" else postgresql
    row = {"user_id": user_id, "level": opponent.level, "opponent_id": opponent.user_id, "mark": mark.value}
    counts = {"won": 0, "lost": 0, "drawn": 0} | {result: 1}
    against = Tally.level if opponent.level else Tally.opponent_id
    statement = dialect.insert(Tally).values(row | counts)
    db.session.execute(
        statement.on_conflict_do_update(
            index_elements=[Tally.user_id, against, Tally.mark],
            index_where=against.is_not(None),
            set_={result: getattr(Tally, result) + 1},
        )
    )
