"""The tests of Assignment #1 (tictactoe.py). Knows the rules and what the assignment asks for."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from webapp.labs.checker.checking import Ask, LabTest
from webapp.labs.checker.findings import Finding, Question, Questions, shown
from webapp.labs.checker.judging import (
    changed,
    end_of,
    is_number,
    judge_cell,
    name_choices,
    name_ends,
    name_of_draw,
)
from webapp.labs.checker.positions import (
    Move,
    Rows,
    finished,
    move_at,
    nodes,
    positions,
    rows,
    unfinished,
    value_for_x,
)
from webapp.labs.loading.student import Call, Reply
from webapp.tictactoe import SEARCHES, Mark, O, Position, X

EMPTY = None
NAMES = {
    "initial_state": 0, "player": 1, "actions": 1, "result": 2, "winner": 1, "terminal": 1, "utility": 1,
    "minimax": 1,
}  # fmt: skip
CONSTANTS = {"X": "X", "O": "O", "EMPTY": None}
MARKED = ("initial_state", "player", "result", "winner")  # these answer with marks
TOO_HIGH = [(3, 0), (0, 3), (3, 3), (9, 9)]
NEGATIVE = [(-1, -1), (-1, 0), (0, -1), (-3, 2)]
REFUSING = ("X...O....", "XOX.O.X..", ".........")
COUNTED = "X...O...."


def call(name: str, position: Position, *more: Any) -> Call:
    return Call(name, (rows(position, EMPTY), *more))


def judge_start(reply: Reply) -> Finding | None:
    right: Rows = [[EMPTY] * 3 for _ in range(3)]
    if reply.value == right:
        return None
    return Finding(shown(reply.value), shown(right), "A game starts with three rows of three empty cells.")


def judge_second_start(reply: Reply) -> Finding | None:
    """Something was written into one cell of a first board: nothing of it may show anywhere else."""
    written = [["?", EMPTY, EMPTY], [EMPTY] * 3, [EMPTY] * 3]
    if reply.after == written:
        finding = judge_start(reply)
        came, right = (finding.came, finding.right) if finding else ("", "")
    else:
        came, right = shown(reply.after), shown(written)
    why = "After board[0][0] = '?' on one board, that mark must be nowhere else, on this board or on a new one."
    return Finding(came, right, why, "shared-board") if came else None


def judge_player(position: Position, reply: Reply) -> Finding | None:
    if reply.value == position.to_move:
        return changed(reply, rows(position, EMPTY), "changed-in-place")
    x, o = position.text.count("X"), position.text.count("O")
    return Finding(
        shown(reply.value), shown(str(position.to_move)),
        f"X has {x} and O has {o} on the board. X begins, so it is X's turn when both have equally many.",
        is_answer=reply.value in (X, O),
    )  # fmt: skip


def name_player(ask: Ask) -> str:
    answers = [ask(call("player", position)).value for position in unfinished()[::100]]
    return "turn-ignored" if answers[0] in (X, O) and answers.count(answers[0]) == len(answers) else ""


def judge_actions(position: Position, reply: Reply) -> Finding | None:
    free = {move_at(cell) for cell in position.legal_cells}
    if reply.value == free:
        return changed(reply, rows(position, EMPTY), "changed-in-place")
    why, mistake = "These are the cells with neither an X nor an O.", ""
    if isinstance(reply.value, list | tuple) and all(isinstance(item, list | tuple) for item in reply.value):
        is_same = {tuple(item) for item in reply.value} == free
        why = "The cells are right, but they must come as a set." if is_same else why
        mistake = "list-for-set" if is_same else ""
    return Finding(shown(reply.value), shown(free), why, mistake)


def judge_result(position: Position, cell: int, reply: Reply) -> Finding | None:
    right = rows(position.play(cell), EMPTY)
    if kept := changed(reply, rows(position, EMPTY), "changed-in-place"):
        return kept
    if reply.value == right:
        return None
    move, side = move_at(cell), position.to_move
    why = f"{side} is to move, so the new board has an {side} in {move} and is otherwise the same."
    return Finding(shown(reply.value), shown(right), why, name_of_mark(move, reply.value, side.other))


def name_of_mark(move: Move, board: Any, wrong: Mark) -> str:
    try:
        return "turn-ignored" if board[move[0]][move[1]] == wrong else ""
    except (TypeError, IndexError):
        return ""


def judge_refusal(position: Position, move: Move, reply: Reply) -> Finding | None:
    if reply.trouble:
        return None
    if move not in TOO_HIGH + NEGATIVE:
        why, mistake = f"There is an {position.mark_at(move[0] * 3 + move[1])} in {move} already.", "taken-cell"
    else:
        why = f"{move} is not on the board: rows and columns go from 0 to 2."
        mistake = "negative-index" if min(move) < 0 else ""
    return Finding(shown(reply.value), "an exception", why, mistake)


def judge_winner(position: Position, reply: Reply) -> Finding | None:
    right = position.outcome and position.outcome.winner
    if reply.value == right:
        return changed(reply, rows(position, EMPTY), "changed-in-place")
    is_answer = reply.value in (X, O, None)
    return Finding(shown(reply.value), shown(right and str(right)), end_of(position) + ".", is_answer=is_answer)


def judge_terminal(position: Position, reply: Reply) -> Finding | None:
    if reply.value is position.is_over:
        return changed(reply, rows(position, EMPTY), "changed-in-place")
    is_form = not isinstance(reply.value, bool) and bool(reply.value) == position.is_over
    mistake = "not-a-boolean" if is_form else name_of_draw(position, reply.value is False)
    return Finding(shown(reply.value), shown(position.is_over), end_of(position) + ".", mistake)


def judge_utility(position: Position, reply: Reply) -> Finding | None:
    right = value_for_x(position)
    if reply.value == right and is_number(reply.value):
        return None
    return Finding(shown(reply.value), str(right), f"{end_of(position)}.", is_answer=is_number(reply.value))


def name_utility(ask: Ask) -> str:
    answers = [(ask(call("utility", p)).value, value_for_x(p)) for p in finished()[::9]]
    return "signs-reversed" if all(is_number(value) and value == -right for value, right in answers if right) else ""


def judge_minimax(position: Position, reply: Reply) -> Finding | None:
    finding = judge_cell(position, reply.value)
    return changed(reply, rows(position, EMPTY), "changed-in-place") or finding


def judge_over(position: Position, reply: Reply) -> Finding | None:
    if reply.value is None:
        return None
    return Finding(shown(reply.value), "None", f"{end_of(position)}. There is nothing left to play.")


def refusals(moves: Callable[[Position], list[Move]]) -> list[Question]:
    """First a move that is possible, since a function that always fails refuses nothing; then those that are not."""
    boards = [Position.parse(text) for text in REFUSING]
    possible = Question(call("result", boards[0], (0, 1)), lambda _: None, boards[0])
    return [possible] + [
        Question(call("result", p, move), partial(judge_refusal, p, move), p, expects_error=True)
        for p in boards
        for move in moves(p)
    ]


def taken(position: Position) -> list[Move]:
    return [move_at(cell) for cell, letter in enumerate(position.text) if letter != "."]


@cache
def moves() -> list[tuple[Position, int]]:
    return [(position, cell) for position in unfinished() for cell in position.legal_cells]


def result_of(move: tuple[Position, int]) -> Question:
    position, cell = move
    return Question(call("result", position, move_at(cell)), partial(judge_result, position, cell), position)


def each(name: str, judge: Any, asked: Sequence[Position], may_be_none: bool = False) -> Questions:
    return Questions(lambda p: Question(call(name, p), partial(judge, p), p, may_be_none=may_be_none), asked)


def choices() -> Questions:
    return Questions(lambda p: Question(call("minimax", p), partial(judge_minimax, p), p, nodes(p)), unfinished())


def count_nodes(ask: Ask) -> str:
    """Compare the boards that the student's search visits with plain minimax and with ours."""
    position = Position.parse(COUNTED)
    counted = ask(Call("minimax", (rows(position, EMPTY),), count=True)).nodes
    if not counted:
        return ""
    plain, pruned = nodes(position), SEARCHES["alpha-beta"].run(position).nodes
    said = f"On {COUNTED} your search visits {counted:,} boards; plain minimax visits {plain:,}, "
    return said + f"alpha-beta in reading order {pruned:,}. Pruning is optional in this lab."


TESTS = [
    LabTest("initial_state", "gives a new, empty board",
            lambda: [Question(Call("initial_state"), judge_start),
                     Question(Call("initial_state", scribble=True), judge_second_start)]),
    LabTest("player", "knows whose turn it is on all 4,520 unfinished boards",
            lambda: each("player", judge_player, unfinished()), name_player),
    LabTest("actions", "gives the set of all possible actions of each",
            lambda: each("actions", judge_actions, unfinished())),
    LabTest("result", "makes each of the 16,167 possible moves on a new board",
            lambda: Questions(result_of, moves()), needs=("player", "actions")),
    LabTest("result, taken", "raises an exception for a cell that is taken", partial(refusals, taken)),
    LabTest("result, too high", "raises an exception for rows and columns above 2",
            partial(refusals, lambda _: TOO_HIGH)),
    LabTest("result, negative", "raises an exception for negative rows and columns",
            partial(refusals, lambda _: NEGATIVE)),
    LabTest("winner", "knows the winner of all 5,478 boards",
            lambda: each("winner", judge_winner, positions(), may_be_none=True), name_ends(partial(call, "winner"))),
    LabTest("terminal", "knows whether the game is over on all of them",
            lambda: each("terminal", judge_terminal, positions()), needs=("winner", "actions")),
    LabTest("utility", "values the 958 finished boards",
            lambda: each("utility", judge_utility, finished()), name_utility, needs=("winner",)),
    LabTest("minimax, game over", "gives None on the finished boards",
            lambda: each("minimax", judge_over, finished()), needs=("terminal", "winner", "actions")),
    LabTest("minimax", "finds a best move on all 4,520 unfinished boards", choices,
            name_choices(partial(call, "minimax"), lambda reply: reply.value), count_nodes,
            needs=("player", "actions", "result", "winner", "terminal", "utility")),
]  # fmt: skip
