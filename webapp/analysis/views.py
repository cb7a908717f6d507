"""The pages of analysis. They depend on their address alone: nothing is stored, and no page runs a search."""

from typing import Any

from flask import Blueprint, Response, current_app, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from webapp.analysis import asked, comparison, measured_times
from webapp.analysis.measuring import Measuring, OneAtATime, measure
from webapp.analysis.position_analysis import Analysis
from webapp.throttle import Limit, count_tries, network_of
from webapp.tictactoe import SEARCHES, STANDARD, BadPosition, Position, table_of, walk_of

blueprint = Blueprint("analysis", __name__)
MEASUREMENTS = 600  # from one network, which may be a class, in a quarter of an hour; each takes a tenth of a second


@blueprint.record_once
def set_up(state: Any) -> None:
    state.app.extensions["noughts_measuring"] = OneAtATime(state.app.config["NOUGHTS_INSTANCE"])
    state.app.extensions.setdefault("noughts_preparations", []).append(prepare)


def prepare() -> None:
    """Before the first page is asked for: what all searches do from the empty board is most of what others need."""
    table_of(STANDARD)
    for search in SEARCHES.values():
        walk_of(search, Position.start())


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
    )


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


@blueprint.post("/analysis/measure")
def run_searches() -> Answer:
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
