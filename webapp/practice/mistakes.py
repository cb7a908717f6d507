"""The mistakes of one's own finished games as questions. Read only."""

from typing import NamedTuple

from sqlalchemy import select

from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.models import Game, Mistake
from webapp.games.queries import game_seen_by
from webapp.practice.models import PracticeAnswer
from webapp.practice.questions import OwnMistake, QuestionKind
from webapp.tictactoe import STANDARD, replay

LOOKED_BACK = 500  # mistakes; as many different ones there hardly are


class Listed(NamedTuple):
    public_id: str
    ply: int
    is_solved: bool

    @property
    def link(self) -> dict[str, str | int]:
        return {"kind": QuestionKind.MISTAKE.value, "game": self.public_id, "ply": self.ply}


class Mistakes(list[Listed]):
    """Each position once, whichever way it was turned, as it came in the newest game; the newest first."""

    @property
    def solved(self) -> int:
        return sum(one.is_solved for one in self)

    def next_after(self, public_id: str = "", ply: int = 0) -> Listed | None:
        """The next that is not solved; after the last one comes the first. None if there is no other."""
        at = next((index for index, one in enumerate(self) if one[:2] == (public_id, ply)), -1)
        others = [*self[at + 1 :], *self[: max(at, 0)]]
        return next((one for one in others if not one.is_solved), None)


def mistakes_of(user_id: int | None) -> Mistakes:
    theirs = (Mistake.user_id == user_id, Mistake.shape == STANDARD.shape)
    columns = (Game.public_id, Mistake.ply, Mistake.position, Mistake.to_move)
    newest = select(*columns).join(Game, Game.id == Mistake.game_id).where(*theirs)
    newest = newest.order_by(Mistake.game_id.desc(), Mistake.ply.desc()).limit(LOOKED_BACK)
    is_solved = (PracticeAnswer.kind == QuestionKind.MISTAKE, PracticeAnswer.is_right)
    right = select(PracticeAnswer.question).where(PracticeAnswer.user_id == user_id, *is_solved)
    with reading() as connection:
        rows = connection.execute(newest).all()
        solved = set(connection.scalars(right))
    found: dict[str, Listed] = {}
    for row in rows:
        key = f"{row.position} {row.to_move}"
        found.setdefault(key, Listed(row.public_id, row.ply, key in solved))
    return Mistakes(found.values())


def own_mistake(user_id: int | None, public_id: str, ply: int) -> OwnMistake:
    """Only who made it may see it: others are told that there is none."""
    mine = (Mistake.user_id == user_id, Mistake.shape == STANDARD.shape)
    this = select(Mistake.ply).join(Game, Game.id == Mistake.game_id).where(Game.public_id == public_id, *mine)
    with reading() as connection:
        is_mine = connection.scalar(this.where(Mistake.ply == ply)) is not None
    if not is_mine:
        raise NotThere("There is no such mistake in your games. Choose a question on the practice page.")
    game = game_seen_by(user_id, public_id)
    cells = [move.cell for move in game.moves]
    return OwnMistake(replay(cells[:ply], game.board), public_id, ply, cells[ply])
