"""The pages of analysis, of positions and of finished games. Nothing is stored, and no page runs a search."""

from typing import Any

from flask import Blueprint, Response, current_app, flash, jsonify, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response as BaseResponse

from webapp.analysis import asked, comparison, measured_times, tree_words
from webapp.analysis.drawing import board_drawing, board_picture
from webapp.analysis.measuring import Measuring, OneAtATime, measure
from webapp.analysis.open_tree import MOST_SHOWN, OpenTree
from webapp.analysis.position_analysis import Analysis
from webapp.analysis.steps import Step
from webapp.analysis.tree_picture import picture_of
from webapp.analysis.worksheet import BY_HAND, PAPERS, PARTS, Worksheet, fits
from webapp.extensions import settings_of
from webapp.games.boards import board_view
from webapp.games.point_of_view import PointOfView
from webapp.games.queries import game_seen_by
from webapp.networks import network_of
from webapp.throttle import Limit, count_tries
from webapp.tictactoe import SEARCHES, STANDARD, BadPosition, Position, Walk, table_of, walk_of

blueprint = Blueprint("analysis", __name__)
MEASUREMENTS = 600  # from one network, which may be a class, in a quarter of an hour; each takes a tenth of a second


@blueprint.record_once
def set_up(state: Any) -> None:
    state.app.extensions["noughts_measuring"] = OneAtATime(settings_of(state.app).instance)
    state.app.extensions.setdefault("noughts_preparations", []).append(prepare)
    drawings = {"board_picture": board_picture, "board_drawing": board_drawing}
    state.app.jinja_env.globals |= {"tree_words": tree_words, "conventions": comparison.conventions, **drawings}


def prepare() -> None:
    """Before the first page is asked for: what all searches do from the empty board is most of what others need."""
    table_of(STANDARD)
    for search in SEARCHES.values():
        walk_of(search, Position.start())


@blueprint.app_template_global()
def quick_url(endpoint: str, link: dict[str, str], anchor: str = "") -> str:
    """As url_for, for pages with dozens of links to addresses without parts that vary. What the links of an analysis
    hold (letters, digits, dots and hyphens) needs no quoting."""
    path = next(current_app.url_map.iter_rules(endpoint)).rule
    query = "&".join(f"{name}={value}" for name, value in link.items())
    return f"{request.script_root}{path}{'?' if query else ''}{query}{anchor}"


@blueprint.app_template_global()
def address_of_analysis(position: Position, cells: tuple[int, ...] = ()) -> str | None:
    """For pages that show a board: the way to its analysis, with the moves that led there; None on other shapes."""
    return url_for("analysis.show", **asked.link_to(position, cells)) if position.board == STANDARD else None


@blueprint.errorhandler(BadPosition)
def impossible(refusal: BadPosition) -> Any:
    """The sentence that says why, with the editor filled in as far as it goes."""
    page = render_template("analysis/impossible.html", sentence=str(refusal), editor=asked.editor(request.values))
    return page, 400


@blueprint.get("/analysis")
def show() -> Any:
    if asked.is_from_editor(request.args):
        return redirect(url_for("analysis.show", **asked.edited(request.args)), 303)
    position = asked.position(request.args)
    return render_template(
        "analysis/position.html",
        analysis=Analysis(position, asked.trail(request.args, position)),
        searches=comparison.compared(position),
        times=measured_times.read(request.args.get("times", ""), position),
        editor=asked.editor(request.args),
        **first_level(position),
    )


def first_level(position: Position) -> dict[str, Any]:
    """Of the tree that the course is about; there is none once the game is over."""
    if position.is_over:
        return {}
    walk = walk_of(SEARCHES["alpha-beta"], position)
    link = {**asked.link_to(position), "search": walk.search.name}
    return {"tree": OpenTree(walk, [0]), "tree_link": link, "has_worksheet": fits(position)}


@blueprint.get("/games/<public_id>/analysis")
def game(public_id: str) -> Any:
    """Every move of a finished game; any other one is shown on its own page."""
    pov = PointOfView(game_seen_by(current_user.id, public_id), current_user.id)
    if pov.review is None:
        return redirect(url_for("games.show", public_id=public_id), 303)
    boards = [board_view(move.position.play(move.cell), last=move.cell) for move in pov.review.moves]
    return render_template("analysis/game.html", pov=pov, boards=boards)


@blueprint.get("/analysis.json")
def as_json() -> Any:
    try:
        return jsonify(Analysis(asked.position(request.args)).as_json())
    except BadPosition as refusal:
        return jsonify(error=str(refusal)), 400


@blueprint.get("/analysis.csv")
def as_csv() -> Response:
    text = comparison.as_csv(asked.position(request.args))
    headers = {"Content-Disposition": "attachment; filename=noughts-analysis.csv"}
    return Response(text, mimetype="text/csv", headers=headers)


@blueprint.get("/analysis.svg")
def as_svg() -> Response:
    analysis = Analysis(asked.position(request.args))
    return Response(render_template("analysis/board.svg", analysis=analysis), mimetype="image/svg+xml")


@blueprint.get("/analysis/tree")
def tree() -> str:
    walk = asked.walk(request.args)
    if step := asked.step(request.args, walk):
        return _steps(step)
    opened = OpenTree(walk, asked.opened(request.args, walk))
    picture = picture_of(opened)
    return render_template("analysis/tree.html", tree=opened, picture=picture, most=MOST_SHOWN, **tree_links(walk))


def _steps(step: Step) -> str:
    position = step.current.position if step.current else step.walk.position
    last = step.current.branch.cell if step.current else None
    opened = "-".join(str(one.node.number) for one in step.way)
    board = board_view(position, position.ply, last)
    return render_template("analysis/steps.html", step=step, board=board, opened=opened, **tree_links(step.walk))


@blueprint.get("/analysis/tree.svg")
def tree_as_svg() -> Response:
    walk = asked.walk(request.args)
    opened = OpenTree(walk, asked.opened(request.args, walk))
    text = render_template("analysis/tree.svg", tree=opened, picture=picture_of(opened))
    return Response(text, mimetype="image/svg+xml")


def tree_links(walk: Walk) -> dict[str, Any]:
    position = walk.position
    link = asked.link_to(position)
    return {
        "position_link": link,
        "link": {**link, "search": walk.search.name},
        "searches": SEARCHES.values(),
        "has_worksheet": fits(position) and walk.search.name in BY_HAND,
    }


@blueprint.get("/analysis/worksheet")
def worksheet() -> str:
    position = asked.position(request.args)
    search = asked.one_of(request.args, "search", BY_HAND, "alpha-beta")
    chosen = {
        "paper": asked.one_of(request.args, "paper", PAPERS, "a4"),
        "part": asked.one_of(request.args, "part", PARTS, ""),
    }
    return render_template(
        "analysis/worksheet.html",
        sheet=Worksheet(position, BY_HAND[search]) if fits(position) else None,
        position=position,
        position_link=asked.link_to(position),
        searches=BY_HAND.values(),
        papers=PAPERS,
        parts=PARTS,
        **chosen,
    )


@blueprint.post("/analysis/measure")
def run_searches() -> BaseResponse:
    """The times come back in the address, signed, so that a link shows them and nobody can make them up."""
    position = asked.position(request.form)
    link = asked.link_to(position, asked.trail(request.form, position))
    network = network_of(request.remote_addr)
    count_tries(Limit(f"measure {network}", MEASUREMENTS, "Too many measurements from this network."))
    try:
        with current_app.extensions["noughts_measuring"].turn():
            link["times"] = measured_times.write(measure(position), position)
    except Measuring as refusal:
        flash(refusal.sentence, "error")
    return redirect(url_for("analysis.show", **link, _anchor="times"), 303)
