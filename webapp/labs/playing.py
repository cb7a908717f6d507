"""A game against a student's file: which function is asked for its moves, what came of it, and how a page shows it.

Knows the rules and how a file is asked; a process on the desk and a browser are asked alike."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from webapp.labs.checker import lab_agent, lab_pruning, lab_tictactoe
from webapp.labs.checker.checking import SECONDS_A_CALL, SECONDS_A_NODE
from webapp.labs.checker.findings import ACCIDENTS, accident, missing_name, shown
from webapp.labs.checker.mistakes import MISTAKES
from webapp.labs.checker.positions import cell_at, move_at
from webapp.labs.loading.student import Call, Reply, Student
from webapp.tictactoe import STANDARD, Mark, O, Position, minimax_nodes

Clock = Callable[[], float]
COUNTED_WITHIN = 0.3  # seconds: a search that took longer is not run again to count its boards
SLOWED = 10  # times, by counting
WATCHED = 3  # times within its limit it is noted where a search is
MOST_SHOWN = 2000
NO_CELL = "That is not a cell: a move is (row, column), both from 0 to 2."


@dataclass(frozen=True)
class Way:
    """How a lab's file is asked for a move, and where the move stands in its answer."""

    name: str  # of what must be there
    call: Callable[[Position], Call]
    read: Callable[[Reply], Any] = lambda reply: reply.value


def as_o(position: Position) -> Position:
    """The same position with the marks exchanged, if X is to move: the agent of the first lab plays only O."""
    return replace(position, to_move=O)


WAYS = {
    "agent": Way("best_move", lambda position: lab_agent.call("best_move", as_o(position))),
    "tictactoe": Way("minimax", partial(lab_tictactoe.call, "minimax")),
    "pruning": Way("Game", lab_pruning.pruned, lab_pruning.read_move),
}


@dataclass(frozen=True)
class Turn:
    """One move of a file with what it did, or a sentence that says why there is none, and what Python printed."""

    cell: int | None = None
    seconds: float = 0.0
    nodes: int = 0
    sentence: str = ""
    trace: str = ""
    printed: str = ""
    taken: int | None = None  # the cell that it chose, where that is not free


def load(lab: str, student: Student) -> Turn | None:
    """Read the file anew. What it does at once may fail, as long as the functions are there."""
    student.how = "whole"
    reply = student.load()
    if not reply.trouble:
        return None
    student.how = "definitions"
    return None if WAYS[lab].name in student.load().names else failed(reply, Call(""))


def ask(
    way: Way, student: Student, position: Position, clock: Clock, counted_within: float = COUNTED_WITHIN,
    limit: float | None = None,
) -> Turn:  # fmt: skip
    """In as many seconds as the checker gives for the position, unless the game has a limit of its own."""
    call = way.call(position)
    limit = limit or SECONDS_A_CALL + minimax_nodes(position) * SECONDS_A_NODE
    started = clock()
    reply = student.ask(replace(call, watch=min(limit, student.most) / WATCHED), limit)
    seconds = clock() - started
    if reply.trouble:
        return failed(reply, call)
    turn = judged(position, way.read(reply), shown(reply.value), reply.output[:MOST_SHOWN])
    counting = replace(call, count=True), SLOWED * min(limit, 1 + counted_within)
    nodes = student.ask(*counting).nodes if seconds < counted_within else 0
    return replace(turn, seconds=seconds, nodes=nodes)


def judged(position: Position, move: Any, answer: str, printed: str) -> Turn:
    """Take what a file answered for a move, if it is one."""
    cell = cell_at(tuple(move) if isinstance(move, list) else move)
    if cell is None:
        return Turn(sentence=f"It answered {answer}. {NO_CELL}", printed=printed)
    if cell not in position.legal_cells:
        sentence = f"It answered {answer}, but there is an {position.mark_at(cell)} in {move_at(cell)} already."
        return Turn(sentence=sentence, printed=printed, taken=cell)
    return Turn(cell, printed=printed)


def failed(reply: Reply, call: Call) -> Turn:
    """An error or an accident in words; the trace only where it is about the student's own lines."""
    if name := missing_name(reply, call):
        return Turn(sentence=f"Your file has no {name}. The lab asks for it by this name.", printed=reply.output)
    finding = accident(reply)
    advice = MISTAKES[finding.mistake].advice if finding.mistake else ""
    came = finding.came[:1].upper() + finding.came[1:]
    is_ours = reply.trouble in ACCIDENTS and reply.trouble not in ("RecursionError", "NotImplementedError", "EOFError")
    trace = "" if is_ours else reply.trace
    return Turn(sentence=f"{came}. {advice}".strip(), trace=trace, printed=reply.output[:MOST_SHOWN])


def answered(lab: str, student: Student, position: Position, human: Mark, file: str, clock: Clock) -> dict[str, Any]:
    """What a page shows after a press: the file's move on it, if it is its turn."""
    if position.is_over or position.to_move is human:
        return shown_game(position, human, file)
    turn = ask(WAYS[lab], student, position, clock)
    if turn.cell is None:
        return stopped(position, turn, file)
    return shown_game(position.play(turn.cell), human, file) | {
        "last": turn.cell, "sentence": did(turn.cell, turn, file), "printed": turn.printed,
    }  # fmt: skip


def shown_game(position: Position, human: Mark, file: str) -> dict[str, Any]:
    return {
        "board": position.text,
        "last": None,
        "line": list(position.outcome.line or ()) if position.outcome else [],
        "next": None if position.is_over else str(human),
        "headline": headline(position, human, file),
        "sentence": "",
    }


def stopped(position: Position, turn: Turn, file: str) -> dict[str, Any]:
    """The game ends on this board, and the page says why."""
    return {
        "board": position.text, "last": None, "line": [], "next": None, "headline": f"{file} gave no move",
        "sentence": turn.sentence, "trace": turn.trace, "printed": turn.printed, "is_trouble": True,
    }  # fmt: skip


def headline(position: Position, human: Mark, file: str) -> str:
    outcome = position.outcome
    if outcome is None:
        return "Your turn"
    if outcome.winner is None:
        return "Drawn"
    return "You win" if outcome.winner is human else f"{file} wins"


def did(cell: int, turn: Turn, file: str) -> str:
    """Which cell it took, how long that took, and how many boards it looked at where that was counted."""
    said = f"{file} played {STANDARD.cell_name(cell)}, {move_at(cell)}, in {in_words(turn.seconds)}"
    if turn.nodes:
        said += f". It looked at {turn.nodes:,} board{'s' * (turn.nodes != 1)}"
    return said + "."


def in_words(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} seconds"
