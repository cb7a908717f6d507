"""How long an agent has thought in a game of a competition, and what that costs. Within games' own units.

Its time runs from the start of its turn; but not while it thinks about another game, because it answers one at a time,
and not while the site was down. So nothing is written when a job is handed out, and a restart costs nobody a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.orm import aliased

from webapp.accounts.presence import WRITTEN_EVERY
from webapp.agents.queries import job_of
from webapp.clock import now
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.states import CompetitionKind, PairingState, State
from webapp.competitions.thinking_time import LEAST, TimeRule
from webapp.database import UtcDateTime, reading, writing
from webapp.extensions import site_began_at
from webapp.games.changes import Change, End
from webapp.games.game_record import GameRecord
from webapp.games.move_rows import MoveRow
from webapp.games.states import EndReason
from webapp.prepared import Prepared
from webapp.tictactoe import Mark, mover

MICROSECOND = timedelta(microseconds=1)
_x, _o = aliased(CompetitionEntry), aliased(CompetitionEntry)
_CLOCK = Prepared(
    select(
        Pairing.id, Pairing.x_microseconds, Pairing.o_microseconds,
        Pairing.x_first, Pairing.o_first, Pairing.x_nodes, Pairing.o_nodes,
        Competition.bank_seconds, Competition.start_seconds,
        _x.answered_at.label("x_answered_at"), _o.answered_at.label("o_answered_at"),
    )
    .join(Competition, Competition.id == Pairing.competition_id)
    .join(_x, _x.id == Pairing.x_entry_id)
    .join(_o, _o.id == Pairing.o_entry_id)
    .where(Pairing.game_id == bindparam("game_id"), Pairing.state == PairingState.PLAYING)
    .where(Competition.kind == CompetitionKind.AGENTS)
)  # fmt: skip


@dataclass(frozen=True)
class Clock:
    """Of the side to move."""

    pairing_id: int
    mark: Mark
    rule: TimeRule
    spent: Sequence[float]  # seconds before this turn: for the first move, and for all others
    since: datetime  # its time has run
    nodes: int | None  # that it told of the moves before

    @property
    def left(self) -> float:
        """Seconds, from the start of the turn."""
        return self.rule.left(self.spent)

    @property
    def ends_at(self) -> datetime:
        return self.since + timedelta(seconds=self.left)

    @property
    def thought(self) -> int:
        """Microseconds, in this turn so far."""
        return max(LEAST, (now() - self.since) // MICROSECOND)

    @property
    def is_over(self) -> bool:
        return self.rule.is_over([*self.spent, self.thought / 1e6])


def clock_of(game: GameRecord, connection: Connection) -> Clock | None:
    """None if it is no game of agents that counts."""
    rows = _CLOCK.rows(connection, game_id=game.id)
    if not rows:
        return None
    row, mark = rows[0], game.position.to_move
    names = ("microseconds", "first", "nodes", "answered_at")
    of_mark: dict[str, Any] = {name: getattr(row, f"{mark.value.lower()}_{name}") for name in names}
    rule = TimeRule.of(row.bank_seconds, row.start_seconds)
    first, total = of_mark["first"], of_mark["microseconds"]
    spent = () if first is None else (first / 1e6, ((total or first) - first) / 1e6)
    last_move_at = game.moves[-1].made_at if game.moves else game.created_at
    began_at = [game.turn_began_at or game.created_at, last_move_at, of_mark["answered_at"] or last_move_at]
    began_at += [site_began_at()] if site_began_at() < now() else []  # a clock may have been set back
    return Clock(row.id, mark, rule, spent, max(began_at), of_mark["nodes"])


@cache
def _count_turn(side: str) -> Prepared:
    columns = {name: Pairing.__table__.c[f"{side}_{name}"] for name in ("microseconds", "first", "nodes")}
    return Prepared(
        update(Pairing)
        .where(Pairing.id == bindparam("pairing_id"))
        .values({f"{side}_{name}": bindparam(f"new_{name}", type_=column.type) for name, column in columns.items()})
    )


_ANSWERED = Prepared(
    update(CompetitionEntry)
    .where(CompetitionEntry.user_id == bindparam("me"), CompetitionEntry.replaced_by.is_(None))
    .values(answered_at=bindparam("moment", type_=UtcDateTime))
)
_IS_PLAYING = Prepared(
    select(CompetitionEntry.id)
    .join(Competition, Competition.id == CompetitionEntry.competition_id)
    .where(CompetitionEntry.user_id == bindparam("me"), Competition.state == State.PLAYING)
    .limit(1)
)


def note_answer(connection: Connection, user_id: int) -> None:
    """Up to now this agent thought about one game: the time of its others, in whichever competition, begins again."""
    _ANSWERED.run(connection, me=user_id, moment=now())


def note_ordinary_answer(game: GameRecord, user_id: int) -> None:
    """In a game that is of no competition. An index look-up for who plays in none; and only an answer to the job that
    it was given tells what it thought about.
    """
    with reading() as connection:
        if not _IS_PLAYING.rows(connection, me=user_id) or job_of(user_id) != game.public_id:
            return
    with writing() as connection:
        note_answer(connection, user_id)


def count_move(connection: Connection, game: GameRecord, move: MoveRow) -> None:
    """In the unit of the move: what its side used for it."""
    clock = clock_of(game, connection)
    if clock is None or clock.mark != mover(move["ply"]):
        return
    _count(connection, clock, clock.thought, _added(clock.nodes, move["nodes"], is_first=not clock.spent))
    if (user_id := game.holders[clock.mark].user_id) is not None:
        note_answer(connection, user_id)


def _count(connection: Connection, clock: Clock, thought: int, nodes: int | None) -> None:
    first = round(clock.spent[0] * 1e6) if clock.spent else thought
    total = round(sum(clock.spent) * 1e6) + thought
    used = {"new_microseconds": total, "new_first": first, "new_nodes": nodes}
    _count_turn(clock.mark.value.lower()).run(connection, pairing_id=clock.pairing_id, **used)


def _added(before: int | None, nodes: int | None, is_first: bool) -> int | None:
    """None as soon as one move did not tell them."""
    return None if nodes is None or (before is None and not is_first) else (before or 0) + nodes


def overdue_change(game: GameRecord) -> Change | None:
    """What becomes of a game whose alarm went off. None if it is no game of agents that counts."""
    with reading() as connection:
        clock = clock_of(game, connection)
    if clock is None:
        return None
    user_id = game.holders[clock.mark].user_id
    return decide_overdue(game, clock, None if user_id is None else job_of(user_id))


def decide_overdue(game: GameRecord, clock: Clock, job: str | None) -> Change:
    """Knows no database; `job` is what the agent was given to think about. With time left, the alarm is set again."""
    is_agent = game.holders[clock.mark].user_id is not None
    if is_agent and job != game.public_id:
        return Change(values={"due_at": now() + timedelta(seconds=clock.left)})
    if not clock.is_over:
        return Change(values={"due_at": clock.ends_at + MICROSECOND})
    return lost(clock.mark, clock, *_why_late(game, clock))


def _why_late(game: GameRecord, clock: Clock) -> tuple[EndReason, str]:
    """Nothing tells a program that hangs from a machine that is cut off: neither is heard of."""
    seen_at = game.holders[clock.mark].seen_at
    if seen_at is not None and seen_at > clock.since + WRITTEN_EVERY:
        return EndReason.TOO_SLOW, too_slow(clock)
    seconds = round((now() - clock.since).total_seconds())
    return EndReason.GONE, (
        f"Nothing was heard of it for {seconds} seconds on its turn. "
        "Its program hangs, or its machine is off or has lost the network."
    )


def too_slow(clock: Clock) -> str:
    rule, used = clock.rule, sum(clock.spent) + clock.thought / 1e6
    return f"It used {used:.1f} seconds. It has {rule.bank:g} for a game, and {rule.start:g} more for its first move."


def lost(mark: Mark, clock: Clock | None, reason: EndReason, cause: str) -> Change:
    """The time of the move that never came is used, as far as there was any: who fails is not quick."""

    def count_turn(connection: Connection) -> None:
        if clock and clock.mark == mark:
            _count(connection, clock, min(clock.thought, max(LEAST, round(clock.left * 1e6))), clock.nodes)

    return Change(end=End(reason, mark.other), values={"cause": cause}, within=count_turn)
