"""What time does to a competition of agents: it starts, and it ends, or it is cancelled because nobody started it.
Before the pages and jobs that show it; once.
"""

from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, and_, or_, select, update

from webapp.accounts.models import Presence
from webapp.accounts.presence import HERE_FOR
from webapp.clock import now
from webapp.competitions.agent_entries import start_schedule
from webapp.competitions.due import due_of_agents, is_left, passed_over_if_broken
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.progress import cancel_unstarted
from webapp.competitions.refusals import EntriesClosed
from webapp.competitions.states import Fault, PairingState, Score, State
from webapp.database import announce_change, writing

ABSENT = "It was not here when the competition ended."


def settle_agents(competition_id: int | None = None) -> list[int]:
    """This one, or some of all. Those that have started by it. An index look-up if nothing is due."""
    started = []
    for row in due_of_agents(competition_id):
        with passed_over_if_broken(row.id):
            if row.state is State.PLAYING:
                end_agents(row.id)
            elif row.is_past:
                cancel_unstarted(row.id)
            else:
                with suppress(EntriesClosed):  # the last agent has just left
                    start_agents(row.id)
                    started.append(row.id)
    return started


def start_agents(competition_id: int) -> None:
    """By a press or by its time. Whoever comes second finds it started."""
    begins = update(Competition).where(Competition.id == competition_id, Competition.state == State.ENTERING)
    started = {"state": State.PLAYING, "started_at": now(), "version": Competition.version + 1}
    entered = select(CompetitionEntry.id).where(
        CompetitionEntry.competition_id == competition_id, CompetitionEntry.withdrawn_at.is_(None)
    )
    with writing() as connection:
        if not connection.execute(begins.values(started)).rowcount:
            return
        if connection.scalar(entered.limit(1)) is None:  # asked while it is locked: the last one may have just left
            raise EntriesClosed("No agent has entered yet. Enter one, then start.")
        rounds = connection.scalar(select(Competition.rounds).where(Competition.id == competition_id)) or 1
        start_schedule(connection, competition_id, rounds)
        announce_change(connection)


def end_agents(competition_id: int) -> None:
    """No game begins any more. Those in play go on to their end, by their own clocks, and then it is over."""
    own = (Competition.id == competition_id, Competition.state == State.PLAYING)
    with writing() as connection:
        # Locked as by an update, so that nobody enters meanwhile. Nothing is written if nothing is left to be done.
        if connection.scalar(select(Competition.id).where(*own).with_for_update(key_share=True)) is None:
            return
        has_forfeited = _forfeit_what_waits(connection, competition_id)
        is_over = not connection.scalar(select(is_left(PairingState.PLAYING)).where(*own))
        if has_forfeited or is_over:
            over = {"state": State.ENDED, "ended_at": now()} if is_over else {}
            connection.execute(update(Competition).where(*own).values(version=Competition.version + 1, **over))
            announce_change(connection)


def _forfeit_what_waits(connection: Connection, competition_id: int) -> bool:
    """Lost by who was not here at the end. Where both were, or neither, nobody gets a point. False if nothing waits."""
    waiting = (Pairing.competition_id == competition_id, Pairing.state == PairingState.WAITING, Pairing.score.is_(None))
    rows = connection.execute(select(Pairing.id, Pairing.x_entry_id, Pairing.o_entry_id).where(*waiting)).all()
    if not rows:
        return False
    here = _here_at_the_end(connection, competition_id)
    scores: dict[Score, list[int]] = {}
    for row in rows:
        scores.setdefault(_score(row.x_entry_id in here, row.o_entry_id in here), []).append(row.id)
    for score, ids in scores.items():
        values: dict[str, Any] = {"state": PairingState.FORFEITED, "score": score, "ended_at": now()}
        values |= {"fault": Fault.ABSENT, "fault_words": ABSENT} if score is not Score.BOTH_LOST else {}
        for start in range(0, len(ids), 500):
            some = (Pairing.id.in_(ids[start : start + 500]), Pairing.state == PairingState.WAITING)
            connection.execute(update(Pairing).where(*some).values(values))
    return True


def _score(x_was_here: bool, o_was_here: bool) -> Score:
    if x_was_here == o_was_here:
        return Score.BOTH_LOST
    return Score.X if x_was_here else Score.O


def _here_at_the_end(connection: Connection, competition_id: int) -> set[int]:
    """Entries; reference players always are."""
    ends_at = connection.scalar(select(Competition.ends_at).where(Competition.id == competition_id)) or now()
    was_here = and_(Presence.seen_at >= ends_at - HERE_FOR, CompetitionEntry.withdrawn_at.is_(None))
    entries = select(CompetitionEntry.id).outerjoin(Presence, Presence.user_id == CompetitionEntry.user_id)
    own = (CompetitionEntry.competition_id == competition_id, or_(CompetitionEntry.reference.is_not(None), was_here))
    return set(connection.scalars(entries.where(*own)))
