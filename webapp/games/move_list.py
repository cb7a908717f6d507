"""The moves of a game as pages list them, and what the search did for those of the computer."""

from dataclasses import dataclass

from webapp.games.game_record import GameRecord, Holder, MadeMove
from webapp.tictactoe import Mark, Position, can_count_tree, minimax_nodes, mover, replay


@dataclass(frozen=True)
class MoveView:
    number: int
    mark: Mark
    cell: int
    cell_name: str
    is_opening: bool = False  # made by the site


@dataclass(frozen=True)
class SearchView:
    """What the search did for an answer, beside what plain minimax would have needed where that can be counted.

    `told_by` is the agent whose own words these are; None of the computer's, which the site has measured.
    """

    nodes: int
    microseconds: int
    minimax_nodes: int | None
    told_by: str | None = None


def moves_of(game: GameRecord) -> list[MoveView]:
    name, opening = game.board.cell_name, game.opening_plies
    return [
        MoveView(ply + 1, mover(ply), move.cell, name(move.cell), ply < opening) for ply, move in enumerate(game.moves)
    ]


@dataclass(frozen=True)
class Coached:
    """What pages show of a coached game besides; the forms name its version."""

    version: int
    taken_back: list[MoveView]
    just_taken_back: str | None  # the cell of the player's move, if nothing has happened since


def coached_of(game: GameRecord) -> Coached | None:
    """None of a game without the coach."""
    if not game.coached:
        return None
    name, taken = game.board.cell_name, game.taken_back
    moves = [MoveView(move.ply + 1, mover(move.ply), move.cell, name(move.cell)) for move in taken]
    is_new = bool(taken) and taken[-1].version == game.version - 1
    return Coached(game.version, moves, moves[-2].cell_name if is_new else None)


def search_view(move: MadeMove, before: Position, holder: Holder | None = None) -> SearchView | None:
    """None where a person moved, or a level that plays without searching, or an agent that tells nothing."""
    if not move.nodes:
        return None
    plain = minimax_nodes(before) if can_count_tree(before) else None
    told_by = holder.name or "its program" if holder and holder.level is None else None
    return SearchView(move.nodes, move.microseconds or 0, plain, told_by)


def last_search(game: GameRecord) -> SearchView | None:
    """Of the newest answer that was searched for; the start of a Beginner's game has none."""
    searched = [ply for ply, move in enumerate(game.moves) if move.nodes]
    if not searched:
        return None
    ply = searched[-1]
    before = replay([move.cell for move in game.moves[:ply]], game.board)
    return search_view(game.moves[ply], before, game.holders.get(before.to_move))
