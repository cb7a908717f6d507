"""The tests of Lab Session #4 (agent.py). Knows the rules and what the lab asks for."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from webapp.labs.checker.checking import LabTest
from webapp.labs.checker.conversation import (
    Transcript,
    all_cells,
    announces,
    moved,
    typed_cell,
    types,
)
from webapp.labs.checker.findings import Finding, Question, Questions, last_lines, shown
from webapp.labs.checker.judging import (
    changed,
    end_of,
    judge_cell,
    judge_end,
    judge_value,
    name_choices,
    name_ends,
    name_values,
)
from webapp.labs.checker.positions import Move, finished, move_at, nodes, positions, rows, unfinished
from webapp.labs.checker.screens import is_ruled, read_boards
from webapp.labs.loading.student import Call, Reply
from webapp.tictactoe import O, Position, X

EMPTY = " "
NAMES = {
    "print_board": 1, "check_winner": 1, "available_moves": 1, "minimax": 3, "best_move": 1, "play_game": 0,
}  # fmt: skip
SAMPLES = ("XOXOXOXOX", "X.OOX..OX", "X........", ".........")
SHORT = 4  # free cells: on such boards minimax is asked for O's turn, too; on the others best_move asks it


def call(name: str, position: Position, *more: Any) -> Call:
    return Call(name, (rows(position, EMPTY), *more))


def minimax_call(position: Position) -> Call:
    return call("minimax", position, 0, position.to_move is O)


def judge_print(position: Position, reply: Reply) -> Finding | None:
    is_read = read_boards(reply.output) == [position.text]
    if is_read and is_ruled(reply.output):
        return None
    mistake = "no-lines" if is_read else ""
    if isinstance(reply.value, str) and not reply.output.strip():
        mistake = "returns-not-prints"
    came = f"printed {shown(reply.output)}" + f", returned {shown(reply.value)}" * (reply.value is not None)
    why = "Cells stand between bars, rows between lines; white space does not count, the cells do."
    return Finding(came, " / ".join(" | ".join(row) for row in rows(position, EMPTY)), why, mistake)


def judge_winner(position: Position, reply: Reply) -> Finding | None:
    return judge_end(position, reply, "Draw", EMPTY)


def judge_moves(position: Position, reply: Reply) -> Finding | None:
    free = [move_at(cell) for cell, letter in enumerate(position.text) if letter == "."]
    if reply.value == free:
        return changed(reply, rows(position, EMPTY), "changed-in-place")
    why = "These are the empty cells, row by row."
    return Finding(shown(reply.value), shown(free), why, name_of_list(reply.value, free))


def name_of_list(value: Any, free: list[Move]) -> str:
    """Name what is wrong with a list of moves that are the right ones."""
    if not isinstance(value, list) or not all(isinstance(item, list | tuple) for item in value):
        return ""
    if sorted(map(tuple, value)) != free:
        return ""
    return "other-order" if all(isinstance(item, tuple) for item in value) else "lists-for-tuples"


def judge_minimax(position: Position, reply: Reply) -> Finding | None:
    return judge_value(position, O, reply.value) or changed(reply, rows(position, EMPTY), "not-undone")


def judge_best(position: Position, reply: Reply) -> Finding | None:
    return changed(reply, rows(position, EMPTY), "not-undone") or judge_cell(position, reply.value)


def judge_game(transcript: Transcript, reply: Reply) -> Finding | None:
    """Follow the game on the screen: what was typed, what the board then showed, how it ended."""
    position, screen = Position.start(), ""
    for line, text in transcript.exchanges(reply.output):
        screen += line + text
        boards = [board for board in read_boards(text) if board != position.text]
        cell = typed_cell(line)
        if cell is None or cell not in position.legal_cells:
            if boards:
                why = f'"{line}" does not name a free cell.'
                return wrong_game(screen, "a refusal, and the board as it was", why, name_of_line(line))
            continue
        finding = judge_turn(position, cell, boards, screen)
        if finding:
            return finding
        position = after_turn(position.play(cell), boards[1:])
    return judge_last(position, screen)


def name_of_line(line: str) -> str:
    """Name the mistake of who takes a line for a move that is none."""
    if typed_cell(line) is not None:
        return "taken-cell"
    if "-" in line:
        return "negative-index"
    return "only-first-two" if typed_cell(" ".join(line.split()[:2])) is not None else ""


def judge_turn(position: Position, cell: int, boards: list[str], screen: str) -> Finding | None:
    """After a move of X the screen shows it, and then one move of O unless the game is over."""
    if not boards or position.play(cell).text != boards[0]:
        right = f"X in {move_at(cell)}, and the board shown"
        return wrong_game(screen, right, f"{move_at(cell)} was typed, and that cell was free.")
    position, boards = position.play(cell), boards[1:]
    if position.is_over and not boards:
        return None
    if len(set(boards)) == 1 and moved(position, boards[0]) is not None:
        return None
    return wrong_game(screen, "one O more on the board", "After a move of X that does not end it, the AI makes one.")


def after_turn(position: Position, boards: list[str]) -> Position:
    cell = moved(position, boards[0]) if boards else None
    return position if cell is None else position.play(cell)


def judge_last(position: Position, screen: str) -> Finding | None:
    if not position.is_over:
        return wrong_game(screen, "a game that goes on to its end", "There are empty cells, and nobody has won.")
    if not announces(position, screen[-200:]):
        return wrong_game(screen, 'a last line such as "O wins!" or "It\'s a draw!"', end_of(position) + ".")
    if position.outcome and position.outcome.winner is X:
        return wrong_game(screen, "a game that the AI does not lose", end_of(position) + ".")
    return None


def wrong_game(screen: str, right: str, why: str, mistake: str = "") -> Finding:
    return Finding("the screen below", right, why, mistake, last_lines(screen))


def game(lines: list[str]) -> Question:
    transcript = Transcript(types(lines))
    call = Call("play_game", talks=True)
    return Question(call, partial(judge_game, transcript), nodes=70_000, prints=True, answers=transcript)


def each(name: str, judge: Any, asked: Sequence[Position], may_be_none: bool = False) -> Questions:
    return Questions(lambda p: Question(call(name, p), partial(judge, p), p, may_be_none=may_be_none), asked)


def values() -> Questions:
    """Each unfinished board where X is to move, the finished ones, and the short ones where O is."""
    asked = [*finished(), *(p for p in unfinished() if p.to_move is X or p.free.bit_count() <= SHORT)]
    return Questions(lambda p: Question(minimax_call(p), partial(judge_minimax, p), p, nodes(p)), asked)


def choices() -> Questions:
    asked = [p for p in unfinished() if p.to_move is O]
    return Questions(lambda p: Question(call("best_move", p), partial(judge_best, p), p, nodes(p)), asked)


def prints() -> list[Question]:
    boards = [Position.parse(text) for text in SAMPLES]
    return [Question(call("print_board", p), partial(judge_print, p), p, prints=True) for p in boards]


TESTS = [
    LabTest("print_board", "shows the board", prints),
    LabTest("check_winner", "knows how each of the 5,478 boards stands",
            lambda: each("check_winner", judge_winner, positions(), may_be_none=True),
            name_ends(partial(call, "check_winner"))),
    LabTest("available_moves", "lists the empty cells of every board in reading order",
            lambda: each("available_moves", judge_moves, positions())),
    LabTest("minimax", "values every board where X is to move, or the game is over, or few cells are free",
            values, name_values(minimax_call, lambda reply: reply.value, O), needs=("check_winner", "available_moves")),
    LabTest("best_move", "finds a best move for O on every board where O is to move",
            choices, name_choices(partial(call, "best_move"), lambda reply: reply.value, O),
            needs=("check_winner", "available_moves", "minimax")),
    LabTest("play_game", "plays in the terminal, refuses what is no move, and does not lose",
            lambda: [game(["0 0", "1 1", "a b", "0 0", "7 1", "5", "1 2", "2 0", *all_cells()]),
                     game(["-1 0", "0 -1", "1 1 1", "1 1", "1 1", "", *all_cells()])],
            needs=("print_board", "check_winner", "best_move")),
]  # fmt: skip
