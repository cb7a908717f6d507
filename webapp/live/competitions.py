"""What the pages of competitions show, as a value that changes with it: two statements for all that are open.

It is asked once a second while somebody looks, never because of a move: so a move costs the same with it and without.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, func, literal, select, union_all

from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT
from webapp.clock import now
from webapp.competitions.models import Competition, CompetitionEntry, Pairing
from webapp.competitions.states import CompetitionKind, PairingState
from webapp.database import reading
from webapp.games.models import Game

Scene = frozenset[tuple[Any, ...]]


def competition_scenes(ids: Collection[int]) -> dict[int, Scene]:
    found: dict[int, set[tuple[Any, ...]]] = defaultdict(set)
    with reading() as connection:
        for competition_id, *part in connection.execute(union_all(*_parts(ids))):
            found[competition_id].add(tuple(part))
        for row in connection.execute(_TIMES.where(Competition.id.in_(ids))):
            found[row.id] |= {("kind", row.kind), ("minutes", *(_minutes_to(moment) for moment in row[2:]))}
    return {competition_id: frozenset(found[competition_id]) for competition_id in ids}


_TIMES = select(
    Competition.id, Competition.kind,
    Competition.enters_from, Competition.starts_at, Competition.round_ends_at, Competition.ends_at,
)  # fmt: skip


def _minutes_to(moment: Any) -> int | None:
    """A page says "in 9 minutes", so it changes when there are 8; and what is due then happens when it is fetched."""
    return None if moment is None else max(-1, int((moment - now()).total_seconds() // 60))


def pause(scene: Scene) -> float:
    """Seconds between two news of a competition: the more players it has, the more its page costs."""
    entries = next((count for kind, count, *_ in scene if kind == "entries"), 0)
    is_of_agents = ("kind", CompetitionKind.AGENTS) in scene  # whose games end many times a second
    return float(entries) / (7 if is_of_agents else 35)


def _parts(ids: Collection[int]) -> list[Select[*tuple[Any, ...]]]:
    """Its version, who is in it, which games are left, and how those that are played stand."""
    left = select(Pairing.competition_id, literal("left"), func.count(), func.sum(Pairing.id)).where(
        Pairing.competition_id.in_(ids), Pairing.score.is_(None)
    )
    playing = (
        select(Pairing.competition_id, literal("playing"), func.count(), func.sum(Game.version))
        .join(Game, Game.id == Pairing.game_id)
        .where(Pairing.competition_id.in_(ids), Pairing.score.is_(None), Pairing.state == PairingState.PLAYING)
    )
    entries = select(
        CompetitionEntry.competition_id, literal("entries"), func.count(), func.count(CompetitionEntry.withdrawn_at)
    ).where(CompetitionEntry.competition_id.in_(ids))
    return [
        select(Competition.id, literal("version"), Competition.version, literal(0)).where(Competition.id.in_(ids)),
        left.group_by(Pairing.competition_id),
        playing.group_by(Pairing.competition_id),
        entries.group_by(CompetitionEntry.competition_id),
    ]


def seen_among(pairs: Collection[tuple[int, int | None]]) -> set[tuple[int, int | None]]:
    """Those of these pairs of a classroom's competition and a user of which the one may still see the other."""
    competitions, users = {one for one, _ in pairs}, {user for _, user in pairs if user is not None}
    is_in = (IS_PRESENT, Enrolment.user_id.in_(users), Competition.id.in_(competitions))
    seen = select(Competition.id, Enrolment.user_id).join(
        Enrolment, Enrolment.classroom_id == Competition.classroom_id
    )
    with reading() as connection:
        return {(row.id, row.user_id) for row in connection.execute(seen.where(*is_in))}
