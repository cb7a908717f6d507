"""The migrations make exactly the tables that the models describe, in one line of descent."""

import flask_migrate
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask

from tests.conftest import Browser, own_database
from tests.operations.full_database import fill
from webapp.config import ROOT
from webapp.extensions import db
from webapp.operations.invariants import check
from webapp.schema import known_revisions


def test_there_is_one_head_and_the_file_names_tell_it() -> None:
    script = ScriptDirectory(str(ROOT / "migrations"))
    assert script.get_heads() == [known_revisions()[-1]]
    assert [revision.revision for revision in script.walk_revisions()] == known_revisions()[::-1]


def test_the_migrations_make_what_the_models_describe(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, db.metadata) == []


@own_database
def test_without_the_coach_its_games_count_with_the_others(app: Flask) -> None:
    """A level that was played with the coach alone, and one that was played without it too."""
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    fill(app)
    browser = app.test_client()
    assert isinstance(browser, Browser)
    browser.send(f"{browser.start(level='beginner', coach='yes', cell=0)}/resign")
    with app.app_context():
        flask_migrate.downgrade(revision="0012")
    assert check(str(app.config["SQLALCHEMY_DATABASE_URI"])) == []


@own_database
def test_downgrading_to_nothing_and_back_works(app: Flask) -> None:
    flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"))
    with app.app_context():
        flask_migrate.downgrade(revision="base")
        flask_migrate.upgrade()
    assert app.test_client().get("/").status_code == 200
