"""Create the database or bring it up to date: `python -m webapp.upgrade`. The only place that loads Alembic.

Developers: `flask --app webapp.upgrade db migrate -m "add thing"` drafts a migration from the models.
"""

import flask_migrate

from webapp import create_app
from webapp.config import ROOT
from webapp.extensions import db

app = create_app()
flask_migrate.Migrate(app, db, directory=str(ROOT / "migrations"), render_as_batch=True)

if __name__ == "__main__":
    with app.app_context():
        flask_migrate.upgrade()
