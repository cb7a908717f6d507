"""The page of the three labs, their starter files, and the checker and the client to take home. Runs nothing of a
student's."""

from flask import Blueprint, Response, abort, render_template, url_for

from webapp.games.boards import BoardView, board_view
from webapp.labs.checker.mistakes import MISTAKES
from webapp.labs.packing import client_text, packed
from webapp.labs.starters import LABS, starter
from webapp.tictactoe import Mark, Position

blueprint = Blueprint("labs", __name__)


@blueprint.get("/labs")
def show() -> str:
    return render_template(
        "labs/labs.html", board=board_of, analysis=analysis_of, mistakes=sorted(m.name for m in MISTAKES.values())
    )


def board_of(text: str, to_move: str) -> BoardView:
    return board_view(Position.parse(text, Mark(to_move)))


def analysis_of(text: str, to_move: str) -> str:
    return url_for("analysis.show", position=text, to_move=to_move)


@blueprint.get("/labs/<lab>.py")
def starter_file(lab: str) -> Response:
    if lab not in LABS:
        abort(404)
    return download(starter(lab).encode(), f"{lab}.py", "text/x-python; charset=utf-8")


@blueprint.get("/labs/labs.pyz")
def checker() -> Response:
    return download(packed(), "labs.pyz", "application/zip")


@blueprint.get("/labs/noughts_client.py")
def client() -> Response:
    return download(client_text(), "noughts_client.py", "text/x-python; charset=utf-8")


def download(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type=kind, headers=headers)
