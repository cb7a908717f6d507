"""The questions against the searches themselves: what is asked, what is right, and what is said about it."""

from random import Random

import pytest

from tests.conftest import Sampled
from tests.tictactoe.boards import cell_values
from tests.tictactoe.watching import watched
from webapp.practice import words
from webapp.practice.choosing import best_moves, choose, questions, unfinished
from webapp.practice.questions import (
    ALPHA_BETA,
    MINIMAX,
    BestMove,
    CutChildren,
    Grade,
    NodeQuestion,
    NodeValue,
    QuestionKind,
)
from webapp.practice.small_trees import SmallTree, answer_tree, question_tree
from webapp.tictactoe import SEARCHES, Position

TREES = (QuestionKind.VALUE, QuestionKind.CUT)


def some(kind: QuestionKind, grade: Grade, count: int = 25) -> list:  # type: ignore[type-arg]
    drawn = questions(kind, grade, Random(7))
    return [next(drawn) for _ in range(count)]


def test_there_are_many_best_moves_to_find_at_every_grade() -> None:
    assert [len(best_moves(grade)) for grade in Grade] == [2724, 192, 275]
    assert sum(map(len, unfinished().values())) == 4520


def test_a_move_is_right_if_every_search_says_that_it_keeps_the_value(sampled: Sampled) -> None:
    for question in sampled([question for grade in Grade for question in best_moves(grade)]):
        found = cell_values(SEARCHES["alpha-beta"], question.position)
        best = [cell for cell, value in sorted(found.items()) if value == max(found.values())]
        assert question.right_cells == best, question.key
        assert [cell for cell in range(9) if question.is_right(str(cell))] == best


@pytest.mark.parametrize("board, to_move, grade", [
    ("XX.OO....", "X", Grade.EASY),  # complete a line
    ("XX..O....", "O", Grade.EASY),  # block one
    ("X...O...X", "O", Grade.HARD),  # an edge keeps the draw
    ("X..O.....", "X", Grade.HARD),  # a win, five plies away
    ("X.O.....X", None, Grade.EASY),
    ("XO..X...O", "X", Grade.MEDIUM),  # two threats at once
])  # fmt: skip
def test_how_hard_a_move_is_depends_on_how_far_one_must_look(board: str, to_move: str | None, grade: Grade) -> None:
    assert BestMove(Position.parse(board, to_move)).grade is grade  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", TREES)
@pytest.mark.parametrize("grade", Grade)
def test_what_is_right_at_a_node_is_what_a_watched_search_does_there(kind: QuestionKind, grade: Grade) -> None:
    for question in some(kind, grade):
        visits = watched(question.search, question.root)
        visit = next(one for one in visits if one.number == question.visit)
        seen = {one.cell for one in visits if one.parent == question.visit}
        if kind is QuestionKind.VALUE:
            sign = 1 if visit.position.to_move is question.root.to_move else -1
            right = [value for value in ("1", "0", "-1") if question.is_right(value)]
            assert right == [str(int(sign * visit.value))], question.key
        else:
            never = [str(cell) for cell in visit.position.legal_cells if cell not in seen]
            assert question.is_right("-".join(never) or "none"), question.key
            assert not question.is_right("-".join(map(str, visit.position.legal_cells)))
        assert question.is_asked and question.grade is grade and question.kind is kind


def all_of(tree: SmallTree) -> list[SmallTree]:
    return [tree, *(below for child in tree.children for below in all_of(child))]


@pytest.mark.parametrize("kind", TREES)
@pytest.mark.parametrize("grade", Grade)
def test_the_tree_of_a_question_is_small_and_holds_only_what_is_given(kind: QuestionKind, grade: Grade) -> None:
    for question in some(kind, grade):
        nodes = all_of(question_tree(question))
        assert len(nodes) <= 16
        given = [node for node in nodes if node.value is not None]
        assert not any(node.is_never_visited for node in nodes)
        if (kind, grade) == (QuestionKind.CUT, Grade.EASY):
            assert given == nodes[1:] and len(nodes) == 1 + question.free
        elif (kind, grade) == (QuestionKind.CUT, Grade.HARD):
            assert not given
        else:
            assert given == [node for node in nodes if node.position.is_over]


def test_the_values_given_for_children_cut_as_those_that_really_come_back() -> None:
    """A child that is visited may come back with a bound only; whoever works with what is given comes to the same."""
    for question in some(QuestionKind.CUT, Grade.EASY, 150):
        node, (alpha, beta), never = question.node, question.node.window, []
        for child in question_tree(question).children:
            if alpha >= beta:
                never.append(str(child.cell))
            elif node.is_max:
                alpha = max(alpha, child.value or 0)
            else:
                beta = min(beta, child.value or 0)
        assert question.is_right("-".join(never) or "none"), question.key


def test_an_answer_shows_what_came_back_and_what_was_never_visited() -> None:
    for question in some(QuestionKind.CUT, Grade.MEDIUM):
        tree = answer_tree(question)
        assert tree.value == question.node.value
        assert tuple(child.cell for child in tree.children if child.is_never_visited) == question.never_visited
        assert all((node.value is None) is node.is_never_visited for node in all_of(tree))


def test_a_cut_is_explained_by_its_comparison() -> None:
    question = CutChildren(Position.parse("..OXOO..X"), ALPHA_BETA, 10, Grade.EASY)
    assert words.steps(question) == [
        "Top left comes back with 0: alpha is -1, beta is 0.",
        "Bottom left comes back with -1: alpha is -1, beta is -1.",
        "Value -1 <= alpha -1: X would never let it come to this.",
        "Never visited: bottom centre.",
    ]


def test_a_value_is_explained_by_what_was_taken() -> None:
    question = NodeValue(Position.parse("XOXOOX..."), MINIMAX, 0)
    assert words.steps(question)[0].startswith("MAX takes the largest of ")
    assert words.hint(question).startswith("MAX takes the largest")


def test_a_wrong_move_is_explained_by_what_it_gives_away() -> None:
    position = Position.parse("XX..O....", None)
    assert words.why_wrong(position, 3) == (
        "Middle left turns a draw into a loss. It leaves a threat open: X takes the top right and wins."
    )
    assert words.why_wrong(Position.parse("X..O....."), 8) == "Bottom right turns a win into a draw."
    assert words.why_right(BestMove(position), 2) == "Top right blocks X in the top row."
    assert words.best_moves(BestMove(position)) == "The top right keeps the draw."
    empty = BestMove(Position.start())
    assert words.why_right(empty, 0).endswith("Here every move leads to a draw when both play well.")


def test_what_was_answered_before_is_not_asked_again_while_there_is_something_else() -> None:
    known = {question.key for question in best_moves(Grade.MEDIUM)[:150]}
    for seed in range(30):
        assert choose(QuestionKind.MOVE, Grade.MEDIUM, known, Random(seed)).key not in known
    known = {question.key for question in best_moves(Grade.MEDIUM)}
    assert choose(QuestionKind.MOVE, Grade.MEDIUM, known, Random(1)).key in known


def test_a_key_says_the_whole_question() -> None:
    for kind in TREES:
        for question in some(kind, Grade.HARD):
            assert isinstance(question, NodeQuestion)
            assert len(question.key) <= 40
