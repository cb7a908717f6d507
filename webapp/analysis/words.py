"""What moves are worth and why, in words. Knows the rules, and nothing of pages."""

from collections.abc import Iterable

from webapp.tictactoe import Position, reasons

WORDS = {1: "win", 0: "draw", -1: "loss"}
COUNTS = {2: "two", 3: "three"}


def plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"


def joined(words: Iterable[str], last_word: str = "and") -> str:
    """a; a and b; a, b and c"""
    *first, last = (f"the {word}" for word in words)
    return f"{', '.join(first)} {last_word} {last}" if first else last


def why(position: Position, cell: int) -> list[str]:
    """The plain reasons for and against a move, as phrases whose subject is the move; often there is none."""
    found, board, opponent = reasons(position, cell), position.board, position.to_move.other
    line, name = board.line_name, board.cell_name
    phrases = []
    if found.completes:
        phrases.append(f"completes {joined(map(line, found.completes))}")
    if found.blocks:
        phrases.append(f"blocks {opponent} in {joined(map(line, found.blocks))}")
    if threats := found.two_threats:
        phrases.append(f"makes {COUNTS[len(threats)]} threats at once, in {joined(map(name, threats))}")
    if found.leaves_open:
        phrases.append(f"leaves a threat open: {opponent} takes {joined(map(name, found.leaves_open), 'or')} and wins")
    if forks := found.lets_make_two_threats:
        phrases.append(f"lets {opponent} make two threats at once with {joined(map(name, forks), 'or')}")
    return phrases
