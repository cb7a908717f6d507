"""The ways in which a game says no. Standard library only."""

from webapp.errors import Refusal


class BoardMovedOn(Refusal):
    """The form was drawn for a board that has changed since."""

    status = 409
    title = "The board has moved on"


class NotYourTurn(Refusal):
    status = 409
    title = "Not your turn"


class GameIsOver(Refusal):
    status = 409
    title = "This game is over"
