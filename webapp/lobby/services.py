"""Play now: join whoever waits, or wait. Knows no Flask request."""

from random import Random

from webapp.games.meeting import join_game, open_game
from webapp.games.refusals import PlayerIsGone, SeatTaken
from webapp.games.states import Visibility, WishedMark
from webapp.lobby.queries import oldest_open_games, open_game_of


def play_now(user_id: int, random: Random, public_id: str) -> str:
    """The public id of the game: joined if somebody waits, else one's own that waits."""
    for waiting in oldest_open_games(user_id):
        try:
            join_game(user_id, waiting, random)
            return waiting
        except (SeatTaken, PlayerIsGone):
            continue
    return open_game_of(user_id) or open_game(user_id, public_id, WishedMark.RANDOM, Visibility.PUBLIC)
