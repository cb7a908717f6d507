"""What the address and the form of practice may hold, read strictly."""

from dataclasses import dataclass

from webapp.analysis.asked import NUMBER, Arguments, only, position
from webapp.errors import BadRequest, Refusal
from webapp.games.forms import PUBLIC_ID
from webapp.practice.questions import BY_HAND, NONE, SHOWN, BestMove, Grade, Question, QuestionKind, node_question
from webapp.tictactoe import Position

FIELDS = {QuestionKind.MOVE: "cell", QuestionKind.VALUE: "value", QuestionKind.CUT: "cut", QuestionKind.MISTAKE: "cell"}
MOST_TRIES = 9999


class NothingChosen(Refusal):
    """The form was sent without an answer; that is no try."""


@dataclass(frozen=True)
class Wish:
    """Any question of a kind and a grade."""

    kind: QuestionKind
    grade: Grade


def kind(arguments: Arguments) -> QuestionKind | None:
    word = only(arguments, "kind")
    if word is None:
        return QuestionKind.MOVE if "position" in arguments else None
    if word not in list(QuestionKind):
        raise BadRequest("There is no such kind of question. Choose one of those on this page.")
    return QuestionKind(word)


def grade(arguments: Arguments) -> Grade:
    word = only(arguments, "grade")
    if word is not None and word not in list(Grade):
        raise BadRequest("A question is easy, medium or hard. Choose one of those on this page.")
    return Grade(word or Grade.EASY)


def question(arguments: Arguments) -> Question | Wish | None:
    """The question that the address holds, or the wish for one; None if it says nothing."""
    wished = kind(arguments)
    if wished is None or wished is QuestionKind.MISTAKE:
        return None
    if "position" not in arguments:
        return Wish(wished, grade(arguments))
    start = position(arguments)
    if start.is_over:
        raise BadRequest("The game is over in this position, so there is nothing to find. Choose another question.")
    return BestMove(start) if wished is QuestionKind.MOVE else _of_node(wished, start, arguments)


def mistake(arguments: Arguments) -> tuple[str, int] | None:
    """The game and the ply, if the address names a mistake; its game decides who may see it."""
    public_id, number = only(arguments, "game"), only(arguments, "ply")
    if public_id is None and number is None:
        return None
    if not PUBLIC_ID.match(public_id or "") or not NUMBER.match(number or ""):
        raise BadRequest("There is no such mistake in your games. Choose one of the questions on this page.")
    return str(public_id), int(str(number))


def _of_node(wished: QuestionKind, root: Position, arguments: Arguments) -> Question:
    search, number = only(arguments, "search"), only(arguments, "visit") or ""
    if search not in BY_HAND:
        raise BadRequest("These questions are about minimax and alpha-beta. Choose one of those on this page.")
    if NUMBER.match(number):
        asked = node_question(wished, root, BY_HAND[search], int(number), grade(arguments))
        if asked is not None:
            return asked
    raise BadRequest("There is no such question about this position. Choose one of those on this page.")


def tries(form: Arguments) -> int:
    """How many the page knew of."""
    number = form.get("tries", "")
    if not NUMBER.match(number) or int(number) > MOST_TRIES:
        raise BadRequest("The form was not complete. Open the question again and answer it there.")
    return int(number)


def answer(form: Arguments, question: Question) -> str:
    if "show" in form:
        return SHOWN
    chosen = form.getlist(FIELDS[question.kind])
    if not chosen:
        raise NothingChosen("You have not chosen an answer yet. Choose one, then press Check.")
    if question.kind is QuestionKind.CUT and NONE in chosen and len(chosen) > 1:
        raise NothingChosen("You chose some children and also “none of them”. Choose one or the other.")
    given = "-".join(chosen)
    if not question.can_be(given):
        raise BadRequest("This answer does not belong to the question. Open the question again and answer it there.")
    return given
