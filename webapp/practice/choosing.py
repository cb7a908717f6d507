"""Chooses a question of a kind and a grade by chance, one that is not answered yet if there is any at hand."""

from collections.abc import Collection, Iterator
from functools import cache
from random import Random
from typing import TypeVar

from webapp.practice.questions import (
    ALPHA_BETA,
    MINIMAX,
    MOST_FREE,
    BestMove,
    CutChildren,
    Grade,
    NodeValue,
    Question,
    QuestionKind,
    branches,
)
from webapp.tictactoe import STANDARD, Position, walk_of

NodeQuestions = TypeVar("NodeQuestions", NodeValue, CutChildren)
DRAWS = 40  # after so many that were answered before, one of them is asked again


@cache
def unfinished() -> dict[int, list[Position]]:
    """Every position that play can reach with X beginning and in which the game goes on, by its free cells."""
    found = {STANDARD.size: [Position.start()]}
    for free in range(STANDARD.size, 1, -1):
        after = (position.play(cell) for position in found[free] for cell in position.legal_cells)
        found[free - 1] = [position for position in dict.fromkeys(after) if not position.is_over]
    return found


@cache
def best_moves(grade: Grade) -> list[BestMove]:
    every = (BestMove(position) for row in unfinished().values() for position in row)
    return [question for question in every if question.is_decision and question.grade is grade]


def choose(kind: QuestionKind, grade: Grade, answered: Collection[str], random: Random) -> Question:
    drawn = questions(kind, grade, random)
    for _ in range(DRAWS):
        question = next(drawn)
        if question.key not in answered:
            break
    return question


def questions(kind: QuestionKind, grade: Grade, random: Random) -> Iterator[Question]:
    """Without end."""
    while True:
        if kind is QuestionKind.MOVE:
            yield random.choice(best_moves(grade))
        elif kind is QuestionKind.VALUE:
            yield from node_values(grade, random)
        else:
            yield from cut_children(grade, random)


def node_values(grade: Grade, random: Random) -> list[NodeValue]:
    """One of a position, if it has any: at the two easier grades MAX is to move, or MIN after one move."""
    if grade is Grade.HARD:
        search, free = ALPHA_BETA, random.choice((MOST_FREE - 1, MOST_FREE))
    else:
        search, free = MINIMAX, random.choice((2, 3)) + (grade is Grade.MEDIUM)
    root = random.choice(unfinished()[free])
    every = (NodeValue(root, search, branch.number) for branch in branches(walk_of(search, root).rounds[0]))
    return one_of([question for question in every if question.is_asked and question.grade is grade], random)


def cut_children(grade: Grade, random: Random) -> list[CutChildren]:
    """Three times in four one where something is left out."""
    root = random.choice(unfinished()[random.choice((MOST_FREE - 1, MOST_FREE))])
    wants_cut = random.random() < 0.75
    visits = branches(walk_of(ALPHA_BETA, root).rounds[0])
    every = (CutChildren(root, ALPHA_BETA, branch.number, grade) for branch in visits)
    return one_of([one for one in every if one.is_asked and bool(one.never_visited) is wants_cut], random)


def one_of(items: list[NodeQuestions], random: Random) -> list[NodeQuestions]:
    return random.sample(items, min(1, len(items)))
