"""The pages of history: one's results and finished games, their CSV, replays, and a player's public page."""

from itertools import chain, islice
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, stream_with_context, url_for
from flask_login import current_user, login_required

from webapp.errors import BadRequest
from webapp.games.boards import BoardView, board_view
from webapp.games.deadlines import settle_due
from webapp.games.forms import NUMBER
from webapp.games.queries import game_seen_by
from webapp.games.totals import Opponent, opponent_of, public_record, totals_of
from webapp.history import csv_rows, forms, queries
from webapp.history.replay import Replay
from webapp.tictactoe import replay as position_after

blueprint = Blueprint("history", __name__)


@blueprint.get("/history")
@login_required
def show() -> Any:
    settle_due()
    choice, edge = forms.choice(request.args), forms.edge(request.args)
    totals, key = totals_of(current_user.id), choice.opponent
    opponent = totals.opponent(key) or opponent_of(current_user.id, key) if key else None
    page = _page(choice, opponent, edge)
    if edge and edge.towards_newer and not page.has_newer:
        return redirect(url_for("history.show", **choice.asked()), 303)  # a short page at the top would puzzle
    last = queries.last_games(current_user.id)
    return render_template(
        "history/history.html",
        choice=choice,
        page=page,
        totals=totals,
        last_results=[(game.result, game.coached) for game in last],
        last_accuracies=[(game.accuracy, game.coached) for game in last],
        last_board=_last_board,
    )


def _page(choice: queries.Choice, opponent: Opponent | None, edge: queries.Edge | None) -> queries.Page:
    if choice.opponent and opponent is None:  # no games against them; whether there is such a player is not told
        return queries.Page([], has_newer=False, has_older=False)
    return queries.page_of(current_user.id, choice, opponent, edge)


def _last_board(game: queries.PlayedGame) -> BoardView:
    return board_view(position_after(game.cells, game.board), last=game.cells[-1] if game.cells else None)


@blueprint.get("/history.csv")
@login_required
def csv() -> Response:
    choice = forms.choice(request.args)
    opponent = opponent_of(current_user.id, choice.opponent) if choice.opponent else None
    known = opponent or not choice.opponent
    pieces = csv_rows.chunks(queries.batches_of(current_user.id, choice, opponent) if known else [])
    begun = list(islice(pieces, 2))  # what fails at once is still an error page
    return Response(
        stream_with_context(chain(begun, pieces)),
        mimetype="text/csv",
        headers={"Content-Disposition": "attachment; filename=noughts-history.csv"},
    )


@blueprint.get("/games/<public_id>/replay")
def replay(public_id: str) -> Any:
    game = game_seen_by(current_user.id, public_id)
    if not game.is_over or not game.holders:
        return redirect(url_for("games.show", public_id=public_id), 303)
    asked = request.args.get("ply", str(len(game.moves)))
    if not NUMBER.match(asked) or int(asked) > len(game.moves):
        raise BadRequest(f"This game has {len(game.moves)} moves. Choose one of them from the list beside its board.")
    return render_template("history/replay.html", replay=Replay(game, current_user.id, int(asked)))


@blueprint.get("/players/<name>")
def player(name: str) -> str:
    return render_template("history/player.html", **public_record(name)._asdict())
