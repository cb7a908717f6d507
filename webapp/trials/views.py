"""The page on which a student tries their own file, and what its worker loads. Runs nothing of a student's."""

import re

from flask import Blueprint, redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from webapp.accounts.access import account_required
from webapp.browser_python import is_there
from webapp.extensions import settings
from webapp.labs.checker.labs import LABS
from webapp.labs.starters import starter
from webapp.trials import queries, runtime, services

blueprint = Blueprint("trials", __name__)


@blueprint.get("/labs/try")
def show() -> str:
    is_ready = is_there(settings().instance)
    kept = queries.checks_of([current_user.id]) if current_user.is_account else {}
    return render_template(
        "trials/try.html",
        is_ready=is_ready,
        labs=LABS.values(),
        starters={lab: starter(lab) for lab in LABS},
        lab=request.args.get("lab") if request.args.get("lab") in LABS else "tictactoe",
        worker=runtime.worker_address() if is_ready else "",
        parts=runtime.sizes() if is_ready else [],
        kept=kept.get(current_user.id, []),
        claim=queries.CLAIM,
    )


@blueprint.get("/labs/python/<version>/<name>")
def part(version: str, name: str) -> Response:
    return runtime.sent(version, name)


@blueprint.post("/labs/try/keep")
@account_required("trials.show")
def keep() -> Response:
    lab, passed, wrong, mistake = (request.form.get(name, "") for name in ("lab", "passed", "wrong", "mistake"))
    if not re.fullmatch("[0-9]{1,3}", passed):
        raise services.NoSuchResult
    services.keep_check(current_user.id, lab, int(passed), wrong, mistake)
    return redirect(url_for("trials.show", lab=lab) + "#kept", 303)
