"""What the API answers, as types: they are encoded as they stand, and the OpenAPI document is made from them."""

from typing import Annotated

from msgspec import Meta, Struct

from webapp.agents.models import Accepts
from webapp.agents.playing import Job
from webapp.games.game_record import GameRecord
from webapp.games.state_fields import state_of
from webapp.games.states import EndReason, Status
from webapp.tictactoe import ALL_LEVELS, Mark


class AgentAnswer(Struct, forbid_unknown_fields=True):
    """Who the agent is, and what it may do. `games` are those that somebody began with it and that are not over."""

    name: str
    owner: str
    plays_with: str
    accepts: Accepts
    games_at_once: int
    games: int
    levels: list[str]
    longest_wait: int


class NextAnswer(Struct, forbid_unknown_fields=True):
    """`accepted` is null if no answer was sent, and false if it changed nothing: it came too late, or for another
    board. `job` is null if there was none until the end of the wait.
    """

    accepted: bool | None
    job: Job | None


class GameAnswer(Struct, forbid_unknown_fields=True):
    """A game as it stands. `cause` is why a program lost it other than on the board."""

    game: str
    players: dict[Mark, str | None]
    cause: str | None
    version: int
    coached: bool
    status: Status
    board: str
    moves: list[int]
    to_move: Mark | None
    winner: Mark | None
    reason: EndReason | None
    draw_offered_by: Mark | None
    due_at: str | None
    rematch: str | None
    rematch_status: Status | None
    present: dict[Mark, bool]
    can_be_claimed: bool


class Error(Struct, forbid_unknown_fields=True):
    error: Annotated[str, Meta(description="A sentence that says what happened and what to do next.")]


def game_answer(game: GameRecord) -> GameAnswer:
    """What the page's script is told, and who plays."""
    players = {
        mark: ALL_LEVELS[holder.level].title if holder.level else holder.name for mark, holder in game.holders.items()
    }
    return GameAnswer(game=game.public_id, players=players, cause=game.cause, **state_of(game))
