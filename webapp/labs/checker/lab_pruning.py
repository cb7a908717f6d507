"""The tests of Project 1 (pruning.py). Knows the rules and what the project asks for."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from webapp.labs.checker.checking import Ask, LabTest
from webapp.labs.checker.conversation import (
    RECOMMENDED,
    Transcript,
    announces,
    follows_advice,
    moved,
)
from webapp.labs.checker.findings import Finding, Question, Questions, last_lines, shown
from webapp.labs.checker.judging import (
    MakeCall,
    changed,
    end_of,
    judge_cell,
    judge_end,
    judge_value,
    name_choices,
    name_ends,
    name_values,
)
from webapp.labs.checker.positions import best_cells, move_at, nodes, positions, rows, unfinished
from webapp.labs.checker.screens import read_boards
from webapp.labs.loading.student import Call, Reply
from webapp.tictactoe import SEARCHES, O, Position, X

EMPTY = "."
NAMES = {
    "Game": 0, "Game.build_game": 2, "Game.is_end": 1, "Game.Max": 1, "Game.Min": 1,
    "Game.MaxAlphaBeta": 3, "Game.MinAlphaBeta": 3, "Game.Play": 1, "Game.PlayAlphaBeta": 1,
}  # fmt: skip
WINDOW = (-2, 2)
SAMPLE = Position.parse("..O/XOO/..X", X)  # the project's own board; here O began
START = Position.start()
SMALL = Position.parse("X...O....")  # large enough that who prunes late prunes, too


def call(name: str, position: Position, *args: Any, count: bool = False) -> Call:
    return Call(name, args, "Game", rows(position, EMPTY), count)


def plain(position: Position) -> Call:
    return call("Max" if position.to_move is O else "Min", position)


def pruned(position: Position, count: bool = False) -> Call:
    name = "MaxAlphaBeta" if position.to_move is O else "MinAlphaBeta"
    return call(name, position, *WINDOW, count=count)


def judge_is_end(position: Position, reply: Reply) -> Finding | None:
    return judge_end(position, reply, ".", EMPTY)


def judge_choice(position: Position, reply: Reply) -> Finding | None:
    """Judge (value, row, column): the value first, then the move, then the board."""
    if not isinstance(reply.value, tuple | list) or len(reply.value) != 3:
        best = move_at(best_cells(position)[0])
        right = shown((0, *best)).replace("0", "value", 1)
        return Finding(shown(reply.value), right, "The answer is a tuple (value, row, column).", is_answer=False)
    value, *move = reply.value
    finding = judge_value(position, O, value) or judge_cell(position, tuple(move))
    return changed(reply, rows(position, EMPTY), "not-undone") or finding


def read_move(reply: Reply) -> Any:
    return tuple(reply.value[1:]) if isinstance(reply.value, tuple | list) and len(reply.value) == 3 else None


def read_value(reply: Reply) -> Any:
    return reply.value[0] if isinstance(reply.value, tuple | list) and reply.value else None


def name_searches(call: MakeCall) -> Callable[[Ask], str]:
    """Name a mistake by the values, or else by the moves."""
    by_value, by_move = name_values(call, read_value, O), name_choices(call, read_move)
    return lambda ask: by_value(ask) or by_move(ask)


def judge_nodes(position: Position, reply: Reply) -> Finding | None:
    all_nodes, fewest = nodes(position), SEARCHES["alpha-beta"].run(position).nodes
    if not 0 < fewest < reply.nodes:
        return None
    came = f"{reply.nodes:,} boards visited"
    if reply.nodes >= all_nodes:
        return Finding(came, f"{fewest:,}", f"Plain minimax visits {all_nodes:,} boards here.", "nothing-pruned")
    why = f"Plain minimax visits {all_nodes:,} boards here, alpha-beta in reading order {fewest:,}."
    return Finding(came, f"{fewest:,} are enough", why, "prunes-late", is_wrong=False)


def judge_game(start: Position, reply: Reply) -> Finding | None:
    """Follow the game on the screen, in which X always plays what was recommended."""
    position, screen, advice = start, reply.output, RECOMMENDED.findall(reply.output)
    for board in read_boards(screen):
        if board == position.text:
            continue
        cell = moved(position, board)
        if cell is None:
            return wrong_game(screen, "one mark more on the board", "X and O set one mark each in turn.")
        if position.to_move is X:
            finding = judge_advice(position, advice, screen)
            if finding:
                return finding
            advice = advice[1:]
        position = position.play(cell)
    return judge_last(position, advice, screen)


def judge_last(position: Position, advice: list[tuple[str, str]], screen: str) -> Finding | None:
    if not position.is_over and position.to_move is X and not advice:
        return judge_advice(position, advice, screen)
    if not position.is_over:
        return wrong_game(screen, "a game that goes on to its end", "The board is shown after every move.")
    if not announces(position, screen[-200:]):
        right = 'a last line such as "The winner is X!" or "It\'s a tie!"'
        return wrong_game(screen, right, end_of(position) + ".")
    return None


def judge_advice(position: Position, advice: list[tuple[str, str]], screen: str) -> Finding | None:
    if not advice:
        right = "Recommended move: Row = ..., Column = ..."
        why = "X is told a best move before each of its turns, in a line like this. None was seen on the screen."
        return wrong_game(screen, right, why)
    finding = judge_cell(position, tuple(map(int, advice[0])))
    return finding if finding and finding.is_wrong else None


def wrong_game(screen: str, right: str, why: str) -> Finding:
    return Finding("the screen below", right, why, "", last_lines(screen))


def game(name: str, start: Position, cost: int) -> Question:
    transcript = Transcript(follows_advice())
    asked = Call(name, (), "Game", rows(start, EMPTY), talks=True)
    return Question(asked, partial(judge_game, start), nodes=cost, prints=True, answers=transcript)


def ends() -> Questions:
    return Questions(lambda p: Question(call("is_end", p), partial(judge_is_end, p), p, may_be_none=True), positions())


def choices(ask: Any) -> Questions:
    return Questions(lambda p: Question(ask(p), partial(judge_choice, p), p, nodes(p)), (SAMPLE, *unfinished()))


def counted() -> list[Question]:
    """A small board first: who prunes nothing is told so in no time."""
    return [Question(pruned(p, count=True), partial(judge_nodes, p), p, nodes(p)) for p in (SMALL, START)]


def count_nodes(ask: Ask) -> str:
    """How many boards both searches visit on the project's own board, which is what it asks at the end."""
    plainly, pruning = (ask(replace(made, count=True)).nodes for made in (plain(SAMPLE), pruned(SAMPLE)))
    if not plainly or not pruning:
        return ""
    ours = f"{nodes(SAMPLE)} and {SEARCHES['alpha-beta'].run(SAMPLE).nodes}"
    return f"On ..O/XOO/..X your Min visits {plainly} boards and your MinAlphaBeta {pruning}; ours {ours}."


TESTS = [
    LabTest("is_end", "knows how each of the 5,478 boards stands", ends, name_ends(partial(call, "is_end"))),
    LabTest("Max and Min", "find value and move on all 4,520 unfinished boards",
            partial(choices, plain), name_searches(plain), needs=("is_end",)),
    LabTest("MaxAlphaBeta and MinAlphaBeta", "find the same with alpha-beta on all of them",
            partial(choices, pruned), name_searches(pruned), needs=("is_end",)),
    LabTest("pruning", "visits fewer boards than plain minimax", counted, note=count_nodes),
    LabTest("Play", "plays the project's board in the terminal with minimax",
            lambda: [game("Play", SAMPLE, nodes(SAMPLE))], needs=("is_end", "Max and Min")),
    LabTest("PlayAlphaBeta", "plays a whole game in the terminal with alpha-beta",
            lambda: [game("PlayAlphaBeta", SAMPLE, nodes(SAMPLE)), game("PlayAlphaBeta", START, nodes(START))],
            needs=("is_end", "MaxAlphaBeta and MinAlphaBeta")),
]  # fmt: skip
