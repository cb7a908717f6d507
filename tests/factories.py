"""Makes what tests need, through the services and pages that people use: no fixture holds the impossible."""

from typing import Any

from flask import Flask
from sqlalchemy import select

from tests.conftest import Browser
from webapp.accounts import services
from webapp.accounts.models import User
from webapp.accounts.queries import account_named
from webapp.classrooms import services as classrooms
from webapp.classrooms.enrolling import enrol, take_seats
from webapp.classrooms.models import Classroom
from webapp.classrooms.roles import Role
from webapp.database import reading, writing
from webapp.errors import NotThere

PASSWORD = "correct horse"


def make_user(app: Flask, name: str = "player7", password: str = PASSWORD, must_change: bool = False) -> int:
    """An account that was made elsewhere; no browser is logged in to it. Gives its id."""
    with app.app_context():
        return services.sign_up(name, password, must_change=must_change).user_id


def account_opened(user_id: int) -> services.VerifiedAccount:
    """As after its password was found right a moment ago. Needs an app's context."""
    with reading() as connection:
        password_hash = connection.scalar(select(User.password_hash).where(User.id == user_id))
    return services.VerifiedAccount(user_id, password_hash)


def browser_at(app: Flask, address: str) -> Browser:
    """A browser that speaks from another network address."""
    browser = app.test_client()
    assert isinstance(browser, Browser)
    browser.environ_base["REMOTE_ADDR"] = address
    return browser


def member_of(app: Flask, name: str) -> Browser:
    """Somebody with an account who is logged in, in a browser of their own."""
    browser = app.test_client()
    assert isinstance(browser, Browser)
    browser.sign_up(name)
    return browser


def finished_game(browser: Browser) -> str:
    """A game that was played and given up; gives its address."""
    address = browser.start(cell=4, level="perfect")
    assert browser.send(f"{address}/resign").status_code == 303
    return address


def make_classroom(
    app: Flask, instructor: str = "teacher7", name: str = "Informatics 7b", term: str = "", **settings: Any
) -> str:
    """A classroom whose instructor has an account, made for this if it is not there. Gives its public id."""
    with app.app_context():
        try:
            user_id = classrooms.make_instructor(instructor)
        except NotThere:
            services.sign_up(instructor, PASSWORD)
            user_id = classrooms.make_instructor(instructor)
        return classrooms.create_classroom(user_id, name, term, **settings)


def enrolled(app: Flask, classroom: str, name: str, role: Role = Role.STUDENT, **about: str | bool) -> Browser:
    """Somebody with a new account who is in the classroom, logged in in a browser of their own."""
    browser = member_of(app, name)
    put_into(app, classroom, name, role, **about)
    return browser


def put_into(app: Flask, classroom: str, name: str, role: Role = Role.STUDENT, **about: str | bool) -> None:
    """Enrol somebody who has an account already."""
    with app.app_context(), writing() as connection:
        classroom_id = connection.scalar(select(Classroom.id).where(Classroom.public_id == classroom))
        assert classroom_id is not None
        take_seats(connection, classroom_id, 1)
        enrol(connection, classroom_id, account_named(name), role, **about)


def logged_in(app: Flask, name: str, password: str = PASSWORD) -> Browser:
    """A browser that is logged in to an account that is there already."""
    browser = app.test_client()
    assert isinstance(browser, Browser)
    assert browser.log_in(name, password).status_code == 303
    return browser
