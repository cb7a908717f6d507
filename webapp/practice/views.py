"""The pages of practice: choose what to practise, a question, and what came of an answer."""

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask_login import current_user

from webapp.accounts.guests import become_guest
from webapp.accounts.session_interface import this_form_key
from webapp.analysis.position_analysis import Analysis
from webapp.errors import BadRequest
from webapp.extensions import app_random, settings
from webapp.games.boards import board_view
from webapp.games.players import players_of
from webapp.games.queries import game_seen_by
from webapp.practice import asked, choosing, queries, services, words
from webapp.practice.mistakes import mistakes_of, own_mistake
from webapp.practice.questions import VALUES, BestMove, Grade, OwnMistake, Question, QuestionKind
from webapp.practice.small_trees import answer_tree, question_tree
from webapp.shown_page import answer_with, belongs_to
from webapp.tictactoe import BadPosition, Position, move_value

blueprint = Blueprint("practice", __name__)


@blueprint.errorhandler(BadPosition)
@blueprint.errorhandler(BadRequest)
def refused(refusal: Exception) -> Any:
    """The sentence that says why, above the questions that there are."""
    return overview(str(refusal)), 400


@blueprint.get("/practice")
def show() -> Any:
    if asked.kind(request.args) is QuestionKind.MISTAKE:
        return show_mistake()
    question = asked.question(request.args)
    if question is None:
        return overview()
    if isinstance(question, asked.Wish):
        return redirect(address_of(chosen(question)), 303)
    return page_of(question)


def show_mistake() -> Any:
    """The one that the address names, or the newest that is not solved."""
    named = asked.mistake(request.args)
    if named:
        return page_of(own_mistake(current_user.id, *named))
    following = mistakes_of(current_user.id).next_after()
    return redirect(url_for("practice.show", **(following.link if following else {"_anchor": "mistakes"})), 303)


@blueprint.post("/practice")
def answer() -> Any:
    """Anybody may practise: who has no account becomes a guest with the first answer."""
    belongs_to("practice.show")
    question = answered_question()
    try:
        given, tries = asked.answer(request.form, question), asked.tries(request.form)
    except asked.NothingChosen as refusal:
        return page_of(question, refusal.sentence), refusal.status
    if not current_user.is_account and not settings().guests:
        return redirect(url_for("accounts.sign_up", next="practice.show"), 303)
    services.keep_answer(current_user.id or become_guest(this_form_key()), question, given, tries)
    return answer_with(lambda: page_of(question), "practice.show", **question.link)


def answered_question() -> Question:
    named = asked.mistake(request.args) if asked.kind(request.args) is QuestionKind.MISTAKE else None
    question = own_mistake(current_user.id, *named) if named else asked.question(request.args)
    if question is None or isinstance(question, asked.Wish):
        raise BadRequest("This address holds no question. Choose one of those on this page.")
    return question


def chosen(wish: asked.Wish) -> Question:
    answered = queries.answered_keys(current_user.id, wish.kind, wish.grade)
    return choosing.choose(wish.kind, wish.grade, answered, app_random())


def address_of(question: Question) -> str:
    return url_for("practice.show", **question.link)


def overview(sentence: str = "") -> str:
    return render_template(
        "practice/overview.html",
        sentence=sentence,
        grades=list(Grade),
        kinds=[kind for kind in QuestionKind if kind is not QuestionKind.MISTAKE],
        mistakes=mistakes_of(current_user.id),
        counts=queries.counts_by_grade(current_user.id),
        progress=queries.progress_of(current_user.id),
    )


def page_of(question: Question, refusal: str = "") -> str:
    given = queries.given(current_user.id, question)
    is_hidden = given.is_shown and request.args.get("again") == "yes"
    is_open = is_hidden or not (given.is_right or given.is_shown)
    shown = {
        "question": question,
        "given": given,
        "is_open": is_open,
        "is_wrong": given.is_wrong,
        "refusal": refusal,
        "progress": queries.progress_of(current_user.id),
    }
    if isinstance(question, OwnMistake):
        shown |= about_game(question)
    if isinstance(question, BestMove):
        return render_template("practice/move.html", **shown, **about_moves(question, given, is_open))
    tree = question_tree(question) if is_open else answer_tree(question)
    return render_template("practice/node.html", **shown, tree=tree, values=VALUES, words=words)


def about_game(question: OwnMistake) -> dict[str, Any]:
    """Which game it was, and how many of one's mistakes are solved."""
    mistakes = mistakes_of(current_user.id)
    following = mistakes.next_after(question.public_id, question.ply)
    game = game_seen_by(current_user.id, question.public_id)
    return {
        "mistakes": mistakes,
        "next_link": url_for("practice.show", **(following.link if following else {"_anchor": "mistakes"})),
        "opponent": players_of(game, current_user.id).opponent,
        "ended_at": game.moves[-1].made_at,
    }


def about_moves(question: BestMove, given: queries.Given, is_open: bool) -> dict[str, Any]:
    """While it is open, how a wrong move is answered; afterwards all."""
    position = question.position
    if is_open:
        wrong = int(given.answer) if given.is_wrong else None
        return {
            "board": board_view(position, position.ply, playable=True),
            "sentence": words.why_wrong(position, wrong) if wrong is not None else "",
            "line": line_after(position, wrong) if wrong is not None else [],
        }
    cell = int(given.answer) if given.is_right else None
    sentence = words.why_right(question, cell) if cell is not None else words.best_moves(question)
    best = question.right_cells[0] if cell is None else cell
    return {"analysis": Analysis(position), "sentence": sentence, "line": line_after(position, best)}


def line_after(position: Position, cell: int) -> list[tuple[Position, int]]:
    """The move and what both then do, at their best: each position with the cell that led to it."""
    line = []
    for move in (cell, *move_value(position, cell).line):
        position = position.play(move)
        line.append((position, move))
    return line
