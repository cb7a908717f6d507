"""Partial credit for a wrong test: how many of its answers are right, and how many of those by chance.

Knows questions."""

from collections.abc import Iterator, Sequence

from webapp.labs.checker.findings import Question

GUESSED = 0.6  # of the answers are right by chance, at most: they give no credit
SAMPLED = 200
MOST_CREDIT = 0.95  # for what is not right
QUICK_NODES = 500


def sample(questions: Sequence[Question]) -> Iterator[Question]:
    """Some of each kind, since of some kinds there are few; only such as are answered quickly."""
    kinds: dict[str, list[int]] = {}
    for index, question in enumerate(questions):
        if question.nodes <= QUICK_NODES:
            kinds.setdefault(kind_of(question), []).append(index)
    for kind in kinds.values():
        yield from (questions[index] for index in kind[:: max(1, len(kind) * len(kinds) // SAMPLED)])


def credit_for(right: dict[str, list[bool]]) -> float:
    """Partial credit: how much better than guessing the answers are, with each kind of board counted alike."""
    shares = [sum(answers) / len(answers) for answers in right.values()]
    mean = sum(shares) / len(shares) if shares else 0.0
    return round(min(MOST_CREDIT, max(0.0, (mean - GUESSED) / (1 - GUESSED))), 3)


def kind_of(question: Question) -> str:
    """Boards won by X, by O, drawn, with X or O to move: a function that always answers the same is right on some.
    So is one that always fails, where an error is asked for."""
    position = question.position
    if position is None or question.expects_error:
        return "to be refused" * question.expects_error
    return str(position.outcome.winner) if position.outcome else f"{position.to_move} to move"
