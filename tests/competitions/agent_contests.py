"""Competitions of agents as tests need them: made by the services, played through the API."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import select

from tests.agents.programs import Program, make_program
from tests.factories import make_user
from webapp.accounts.queries import account_named
from webapp.competitions.agent_entries import enter_agent
from webapp.competitions.models import Competition
from webapp.competitions.queries import record_of
from webapp.competitions.records import CompetitionRecord
from webapp.competitions.services import make_competition
from webapp.competitions.settling import start_agents
from webapp.competitions.states import CompetitionKind, Entrants, Format
from webapp.database import reading
from webapp.errors import NotThere
from webapp.games.services import new_public_id

Choose = Callable[[dict[str, Any]], int]


class Contest:
    """Needs an app's context."""

    def __init__(self, app: Flask, openings: int = 1, **values: Any) -> None:
        self.app = app
        with app.app_context():
            try:
                maker = account_named("teacher7")
            except NotThere:
                maker = make_user(app, "teacher7")
            usual = {"name": "Agents", "kind": CompetitionKind.AGENTS, "entrants": Entrants.ANYONE}
            usual |= {"format": Format.ROUND_ROBIN, "rounds": openings}
            self.public_id = make_competition(maker, new_public_id(), usual | values)
            with reading() as connection:
                this = select(Competition.id).where(Competition.public_id == self.public_id)
                self.id = connection.scalar(this) or 0

    @property
    def about(self) -> CompetitionRecord:
        found = record_of(self.id)
        assert found
        return found

    def enter(self, *names: str, at_once: int = 5) -> list[Program]:
        programs = [make_program(self.app, f"owner-{name}", name, at_once=at_once) for name in names]
        with self.app.app_context():
            for program in programs:
                enter_agent(self.about, program.agent_id)
        return programs

    def enter_again(self, program: Program) -> None:
        enter_agent(self.about, program.agent_id)

    def start(self) -> None:
        with self.app.app_context():
            start_agents(self.id)


def first_cell(job: dict[str, Any]) -> int:
    return int(job["legal"][0])


def any_cell(job: dict[str, Any]) -> int:
    """The same in the same position, so that a game can be told from its opening and its players."""
    return int(Random(job["position"]).choice(job["legal"]))


def play_on(programs: Sequence[Program], choose: Choose = first_cell, most: int = 10_000) -> int:
    """Each in turn, until nobody has anything to do. Gives how many moves were made."""
    answers: dict[str, dict[str, Any] | None] = {}
    made = 0
    while made < most:
        before, jobs = made, 0
        for program in programs:
            told = program.next(answers.pop(program.name, None))
            made += told["accepted"] is True
            if job := told["job"]:
                jobs += 1
                answers[program.name] = {"game": job["game"], "ply": job["ply"], "cell": choose(job)}
        if not jobs and made == before:
            break
    return made
