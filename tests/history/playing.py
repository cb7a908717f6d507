"""Finished games for the tests of the history, played through the services."""

from random import Random

from flask import Flask
from sqlalchemy import select

from webapp.accounts.models import User
from webapp.extensions import db
from webapp.games import meeting, services
from webapp.games.queries import game_seen_by
from webapp.games.states import Visibility, WishedMark
from webapp.tictactoe import Mark, table_of


def user_id_of(name: str) -> int:
    found = db.session.scalar(select(User.id).where(User.name == name))
    assert found is not None
    return found


def play(app: Flask, name: str, level: str, mark: str, ending: str, seed: int = 1) -> str:
    """A whole game of the named user: `best` plays by the table, `first` any cell, `resigned` gives up."""
    random = Random(seed)
    with app.app_context():
        user_id = user_id_of(name)
        public_id = services.start_against_computer(user_id, level, Mark(mark), None, random, services.new_public_id())
        if ending == "resigned":
            services.resign(user_id, public_id)
        while not (game := game_seen_by(user_id, public_id)).is_over:
            position = game.position
            cell = table_of(position.board)[position].cells[0] if ending == "best" else position.legal_cells[0]
            services.play_move(user_id, public_id, cell, len(game.moves), random)
    return public_id


def play_many(app: Flask, name: str, count: int) -> list[str]:
    """Games of every level, mark and ending; their public ids, oldest first."""
    levels, endings = ("beginner", "casual", "perfect"), ("best", "first", "resigned", "best")
    return [
        play(app, name, levels[number % 3], "XO"[number // 3 % 2], endings[number % 4], seed=number)
        for number in range(count)
    ]


def play_people(app: Flask, x: str, o: str, cells: list[int], visibility: Visibility = Visibility.PRIVATE) -> str:
    """A game between two users; whoever is to move after the cells resigns, if they do not end it."""
    public_id = services.new_public_id()
    with app.app_context():
        players = {Mark.X: user_id_of(x), Mark.O: user_id_of(o)}
        meeting.open_game(players[Mark.X], public_id, WishedMark.X, visibility)
        meeting.join_game(players[Mark.O], public_id, Random(1))
        for ply, cell in enumerate(cells):
            services.play_move(players[(Mark.X, Mark.O)[ply % 2]], public_id, cell, ply, Random(1))
        game = game_seen_by(players[Mark.X], public_id)
        if not game.is_over:
            services.resign(players[game.position.to_move], public_id)
    return public_id
