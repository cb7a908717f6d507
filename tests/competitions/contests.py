"""A competition among people, made and played through the services."""

from collections.abc import Iterable
from typing import Any

from flask import Flask
from sqlalchemy import select

from tests.factories import make_user
from webapp.accounts.queries import account_named
from webapp.classrooms.services import make_instructor
from webapp.competitions import services
from webapp.competitions.models import Competition
from webapp.competitions.progress import settled
from webapp.competitions.queries import competition_for
from webapp.competitions.records import CompetitionRecord, PairingRecord, Viewer, WholeCompetition
from webapp.competitions.states import Entrants, Format, PairingState
from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.services import resign

ABOUT: dict[str, Any] = {
    "name": "Autumn cup", "classroom_id": None, "entrants": Entrants.ANYONE, "format": Format.SWISS, "rounds": 3,
    "round_minutes": 10,
}  # fmt: skip


class Contest:
    """Open to all, with so many players player1, player2 and so on in it; an instructor looks at it."""

    def __init__(self, app: Flask, players: int, **about: Any) -> None:
        self.app = app
        self.users = [make_user(app, f"player{number}") for number in range(1, players + 1)]
        with app.app_context():
            self.instructor = self._instructor()
            self.public_id = services.make_competition(self.instructor, "competition1", {**ABOUT, **about})
            for user_id in self.users:
                services.enter(self.about(user_id), user_id)
            self.first_entry = min((entry.id for entry in self.now().entries), default=0)

    def _instructor(self) -> int:
        try:
            return account_named("teacher7")
        except NotThere:
            user_id = make_user(self.app, "teacher7")
            make_instructor("teacher7")
            return user_id

    @property
    def path(self) -> str:
        return f"/competitions/{self.public_id}"

    def about(self, user_id: int | None = None) -> CompetitionRecord:
        is_instructor = user_id in (None, self.instructor)
        return competition_for(self.public_id, Viewer(user_id or self.instructor, is_instructor))

    def now(self) -> WholeCompetition:
        with self.app.app_context():
            return settled(self.about())

    def start(self) -> None:
        with self.app.app_context():
            services.start(self.about())

    def left(self) -> list[PairingRecord]:
        return [pairing for pairing in self.now().pairings if pairing.state is PairingState.PLAYING]

    def user(self, entry_id: int | None) -> int:
        """They entered in the order of their numbers."""
        return self.users[(entry_id or 0) - self.first_entry]

    def players(self, pairings: Iterable[PairingRecord]) -> list[tuple[int, int]]:
        return [(self.user(pairing.x_entry_id), self.user(pairing.o_entry_id)) for pairing in pairings]

    def play_round(self) -> None:
        """In each game that is left, whoever came later resigns."""
        with self.app.app_context():
            for pairing in self.left():
                resign(max(self.user(pairing.x_entry_id), self.user(pairing.o_entry_id)), pairing.game or "")

    def row(self) -> Any:
        with self.app.app_context(), reading() as connection:
            return connection.execute(select(*Competition.__table__.columns)).one()


