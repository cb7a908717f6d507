"""The ways in which a game says no. Standard library only."""

from webapp.errors import NotThere, Refusal


class BoardMovedOn(Refusal):
    """The form was drawn for a board that has changed since."""

    status = 409
    title = "The board has moved on"


class NotYourTurn(Refusal):
    status = 409
    title = "Not your turn"


class NotYourGame(Refusal):
    """Somebody who only watches pressed what is there for players."""

    status = 403
    title = "Not your game"


class GameIsOver(Refusal):
    status = 409
    title = "This game is over"


class CannotNow(Refusal):
    """What was asked for is not possible as the game stands now."""

    status = 409
    title = "Not possible now"


class SeatTaken(Refusal):
    """Somebody else was quicker, or the game is no longer open."""

    status = 409
    title = "Somebody was quicker"


class ClosedToYou(CannotNow):
    """Allowed to others, but not to this user: see permissions."""

    title = "Not open to you"


class NotYourOpponent(SeatTaken):
    """Two who may not play each other: see permissions."""

    title = "Not your opponent"


class PlayerIsGone(CannotNow):
    """Who should sit there deleted their account a moment ago."""

    def __init__(self) -> None:
        super().__init__("This player's account was just deleted, so no game began. Choose somebody else to play.")


class LinkTooLate(SeatTaken, NotThere):
    """A private link that lets nobody in any more. 404 like all that is somebody else's, and it tells no names."""

    status = 404

    def __init__(self, why: str = "Somebody was quicker and took the seat in this private game.") -> None:
        super().__init__(f"{why} Ask for another link, or find a game in the lobby.")


class LinkWithdrawn(LinkTooLate):
    title = "No longer open"

    def __init__(self) -> None:
        super().__init__("This game was cancelled before anybody joined it.")


class TooManyUnfinished(CannotNow):
    """So many that one more would make pages slow, for others too."""

    title = "Too many unfinished games"

    def __init__(self, count: int, against: str) -> None:
        super().__init__(
            f"You have {count} unfinished games {against}. Finish or resign one of them, then start another."
        )
