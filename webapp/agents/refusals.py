"""The ways in which agents, and the API that they speak, say no. Standard library only."""

from webapp.errors import Refusal
from webapp.games.refusals import CannotNow, NotYourOpponent


class NoToken(Refusal):
    """No token, one that nobody has, or one that was revoked: told alike."""

    status = 401
    title = "Not allowed"

    def __init__(self) -> None:
        super().__init__("This token is missing, wrong or stopped. Its owner can make a new one under Account, Agents.")


class NewerCopy(Refusal):
    status = 409
    title = "Replaced"

    def __init__(self) -> None:
        super().__init__("A newer copy of this agent is connected, so this one gets no more games.")


class AgentsAreOff(Refusal):
    status = 409
    title = "No agents in this classroom"

    def __init__(self) -> None:
        super().__init__("Agents are switched off for this classroom, so none were made. Its settings switch them on.")


class IllegalCell(Refusal):
    """An answer that no rule allows."""


class MadeAlready(Refusal):
    """A form that was sent once more, as by reloading the page of the token; or one that is older than the token."""

    status = 409
    title = "Made already"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"A token of {name} was made already, and is shown only once. Nothing was changed. "
            "If you need another one, press New token: it ends the old one."
        )


class TooManyAgents(CannotNow):
    title = "Too many agents"

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} agents already, and that is the most. Use one of them again.")


class AgentDeclines(NotYourOpponent):
    """It plays others, or has enough games for now."""

    title = "The agent declines"
