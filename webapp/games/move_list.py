"""The moves of a game as pages list them, and what the search did for those of the computer."""

from dataclasses import dataclass

from webapp.games.game_record import GameRecord, MadeMove
from webapp.tictactoe import Mark, Position, can_count_tree, minimax_nodes, mover, replay


@dataclass(frozen=True)
class MoveView:
    number: int
    mark: Mark
    cell: int
    cell_name: str


@dataclass(frozen=True)
class SearchView:
    """What the search did for an answer, beside what plain minimax would have needed where that can be counted."""

    nodes: int
    microseconds: int
    minimax_nodes: int | None


def moves_of(game: GameRecord) -> list[MoveView]:
    name = game.board.cell_name
    return [MoveView(ply + 1, mover(ply), move.cell, name(move.cell)) for ply, move in enumerate(game.moves)]


def search_view(move: MadeMove, before: Position) -> SearchView | None:
    """None where a person moved, or a level that plays without searching."""
    if not move.nodes:
        return None
    plain = minimax_nodes(before) if can_count_tree(before) else None
    return SearchView(move.nodes, move.microseconds or 0, plain)


def last_search(game: GameRecord) -> SearchView | None:
    """Of the newest answer that was searched for; the start of a Beginner's game has none."""
    searched = [ply for ply, move in enumerate(game.moves) if move.nodes]
    if not searched:
        return None
    ply = searched[-1]
    return search_view(game.moves[ply], replay([move.cell for move in game.moves[:ply]], game.board))
