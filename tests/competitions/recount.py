"""Wait for the games of a competition of agents, and compare what it tells of them with a recount from their moves."""

import time
from collections import Counter

from flask import Flask
from sqlalchemy import func, select

from tests.competitions.agent_contests import Contest
from tests.tables import all_rows
from webapp.competitions.agent_queries import progress_in
from webapp.competitions.agent_ranking import Line
from webapp.competitions.agent_results import meetings_in, ranking_of, results_in
from webapp.competitions.agent_schedule import WEAK, Entrant
from webapp.competitions.models import Pairing
from webapp.database import reading
from webapp.operations.invariants import check
from webapp.tictactoe import openings, replay

PATIENCE = 600


def wait_until_played(app: Flask, count: int) -> None:
    until = time.monotonic() + PATIENCE
    while (over := games_over(app)) < count:
        assert time.monotonic() < until, f"{over} of {count} games are over"
        time.sleep(0.1)


def games_over(app: Flask) -> int:
    with app.app_context(), reading() as connection:
        return connection.scalar(select(func.count(Pairing.score))) or 0


def check_schedule(app: Flask, contest: Contest, agents: int) -> list[Line]:
    """Every game was played once, and all that is told of it equals a recount. Gives the agents in their order."""
    tables = all_rows(app)
    rows, games = tables["competition_game"], {game["id"]: game for game in tables["game"] if game["arranged"]}
    references = {row["id"]: row["reference"] for row in tables["competition_entry"]}
    pairs = [
        (x, o) for x in references for o in references if x != o and not (references[x] and references[o])
    ]
    assert Counter((row["x_entry_id"], row["o_entry_id"]) for row in rows) == Counter(pairs)
    assert len(pairs) == agents * (agents - 1) + 2 * 5 * agents
    assert sorted(games) == sorted(row["game_id"] for row in rows)
    cells: dict[int, list[int]] = {}
    for move in sorted(tables["move"], key=lambda row: (row["game_id"], row["ply"])):
        cells.setdefault(move["game_id"], []).append(move["cell"])
    points: Counter[int] = Counter()
    weak: Counter[int] = Counter()
    for row in rows:
        played = cells[row["game_id"]]
        assert tuple(played[: games[row["game_id"]]["opening_plies"]]) == openings()[0].cells
        outcome = replay(played).outcome
        assert outcome and row["score"] == (outcome.winner or "drawn") and row["fault"] is None
        x, o = row["x_entry_id"], row["o_entry_id"]
        for mine, other, mark in ((x, o, "X"), (o, x, "O")):
            halves = 1 if outcome.winner is None else 2 * (outcome.winner == mark)
            (weak if references[other] in WEAK else points)[mine] += halves
    with app.app_context():
        entrants = [Entrant(entry_id, reference) for entry_id, reference in references.items()]
        results = results_in(contest.id, contest.public_id, progress_in(contest.id).of_results)
        assert results.meetings == meetings_in(contest.id)
        lines = ranking_of(entrants, results)
    assert {line.entrant.entry_id: (line.halves, line.weak_halves) for line in lines} == {
        entry_id: (points[entry_id], weak[entry_id]) for entry_id in references
    }
    agents_by_rank = [line for line in lines if line.rank is not None]
    assert [line.order for line in agents_by_rank] == sorted(line.order for line in agents_by_rank)
    assert all(line.microseconds > 0 for line in agents_by_rank)
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []
    return agents_by_rank
