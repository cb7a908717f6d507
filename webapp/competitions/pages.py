"""What the page of a competition of either kind is drawn from, and the page itself: for all that leads to it."""

from collections.abc import Collection
from typing import Any

from flask import render_template
from flask_login import current_user

from webapp.accounts.presence import note_page
from webapp.competitions.agent_games import settle_and_begin
from webapp.competitions.agent_view import AgentsView
from webapp.competitions.progress import settled
from webapp.competitions.queries import record_of
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.states import CompetitionKind
from webapp.competitions.tables import CompetitionView
from webapp.games.deadlines import settle_due
from webapp.games.models import Game
from webapp.games.point_of_view import PointOfView
from webapp.games.queries import games_where, hidden

BOARDS = 24  # of games in play, drawn on one page


def page_of(about: CompetitionRecord, **more: Any) -> str:
    if current_user.is_account:
        note_page(current_user.id)
    return render_template("competitions/competition.html", part=part_of(about, "live"), **seen(about), **more)


def part_of(about: CompetitionRecord, part: str) -> str:
    """The template of the part that changes: `live` or `projector`."""
    return f"competitions/_{'agents_' if about.kind is CompetitionKind.AGENTS else ''}{part}.html"


def seen(about: CompetitionRecord, projected: bool = False) -> dict[str, Any]:
    """On a projector nothing is marked as the game of who opened it."""
    viewer_id = None if projected else current_user.id
    if about.kind is CompetitionKind.AGENTS:
        agents = settled_agents(about)
        games = [one.game_id for one in agents.playing if one.game_id]
        return {"view": agents, "about": agents.about, "boards": _boards(games, viewer_id)}
    view = CompetitionView(settled(about))
    mine = view.my_game.game_id if view.my_game and not projected else None
    games = sorted((one.game_id or 0 for one in view.playing), key=lambda game: game != mine)[:BOARDS]
    return {"view": view, "about": view.about, "boards": _boards(games, viewer_id)}


def settled_agents(about: CompetitionRecord) -> AgentsView:
    """What is due is done first: deadlines of games, the start, the end."""
    settle_due()
    settle_and_begin(about.id)
    fresh = record_of(about.id)
    changed = {"state": fresh.state, "started_at": fresh.started_at, "ended_at": fresh.ended_at} if fresh else {}
    return AgentsView(CompetitionRecord(**{**vars(about), **changed}))


def _boards(shown: Collection[int], viewer_id: int | None) -> list[PointOfView]:
    """In this order, those that may be seen."""
    games = games_where(Game.id.in_(shown)) if shown else []
    unseen = hidden([(game, current_user.id) for game in games])
    order = list(shown)
    found = [game for game in games if (game.id, current_user.id) not in unseen]
    return [PointOfView(game, viewer_id) for game in sorted(found, key=lambda game: order.index(game.id))]
