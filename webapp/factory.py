"""Puts the app together. Sees all, is seen by none but create_app."""

from collections.abc import Mapping, MutableMapping
from random import Random, SystemRandom
from typing import Any

import click
from flask import Flask
from flask.templating import Environment
from werkzeug.middleware.proxy_fix import ProxyFix

import webapp.accounts.personal as accounts_personal
import webapp.accounts.session_interface as session_interface
import webapp.assets as assets
import webapp.classrooms.personal as classrooms_personal
import webapp.error_pages as error_pages
import webapp.games.personal as games_personal
import webapp.headers as headers
import webapp.links as links
import webapp.operations.host_commands as host_commands
import webapp.practice.personal as practice_personal
import webapp.request_log as request_log
import webapp.trials.personal as trials_personal
from webapp.accounts.access import ask_to_log_in
from webapp.accounts.current_user import Nobody
from webapp.accounts.personal import HOLDINGS
from webapp.accounts.services import LOG_IN_CODES
from webapp.accounts.views import blueprint as accounts
from webapp.analysis.views import blueprint as analysis
from webapp.classrooms.counting import count_game
from webapp.classrooms.join_views import blueprint as joining
from webapp.classrooms.lesson_views import blueprint as lessons
from webapp.classrooms.log_in_codes import use_code
from webapp.classrooms.question_views import blueprint as questions
from webapp.classrooms.restrictions import RESTRICTION
from webapp.classrooms.results_views import blueprint as results
from webapp.classrooms.roster_views import blueprint as rosters
from webapp.classrooms.set_up_views import blueprint as set_up
from webapp.classrooms.views import blueprint as classrooms
from webapp.config import FIELDS, ROOT, Settings, database_url, read_settings, secret_key
from webapp.database import engine_options, prepare
from webapp.extensions import RANDOM, SETTINGS, csrf, db, login_manager
from webapp.games.endings import ENDINGS
from webapp.games.guest_views import blueprint as guest_games
from webapp.games.permissions import RESTRICTIONS
from webapp.games.views import blueprint as games
from webapp.history.views import blueprint as history
from webapp.live.views import blueprint as live
from webapp.lobby.views import blueprint as lobby
from webapp.mount import under
from webapp.pages.labs import blueprint as labs
from webapp.pages.views import blueprint as pages
from webapp.practice.views import blueprint as practice
from webapp.privacy.views import blueprint as privacy
from webapp.private_files import make_private_folder
from webapp.serving.front import SLOW_POSTS
from webapp.trials.views import blueprint as trials
from webapp.words import ago


class Templates(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """One dict: Jinja's chain of two is walked name by name at each import, a tenth of what a page costs."""
        return {**self.globals, **(d or {})}


class Site(Flask):
    jinja_environment = Templates


BLUEPRINTS = (
    pages, accounts, privacy, games, guest_games, analysis, practice, history, lobby, live, labs, trials,
    set_up, joining, classrooms, lessons, questions, rosters, results,
)  # fmt: skip


def make_app(config: Mapping[str, Any]) -> Flask:
    app = Site("webapp", static_folder=str(ROOT / "static"), template_folder=str(ROOT / "templates"))
    app.config.from_mapping({name: value for name, value in config.items() if name not in FIELDS})
    _configure(app, read_settings(given=config))
    for module in (request_log, headers, assets, links, error_pages, session_interface):
        module.init_app(app)
    _tie_extensions(app)
    # Each hashes a password. Hundreds of them at once, as when a lesson begins, wait for that without a thread.
    app.extensions[SLOW_POSTS] = ("/sign-up", "/log-in", "/account/password", "/account/delete", "/set-up/", "/join/")
    holders = (accounts_personal, games_personal, practice_personal, trials_personal, classrooms_personal)
    app.extensions[HOLDINGS] = [module.HOLDING for module in holders]
    app.extensions[LOG_IN_CODES] = use_code
    app.extensions[ENDINGS] = [count_game]
    app.extensions[RESTRICTIONS] = [RESTRICTION]
    app.add_template_filter(ago)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    if click.get_current_context(silent=True):
        host_commands.init_app(app)
    return app


def _configure(app: Flask, settings: Settings) -> None:
    make_private_folder(settings.instance)
    url = database_url(settings)
    app.extensions[SETTINGS] = settings
    app.config.update(
        SECRET_KEY=secret_key(settings),
        SQLALCHEMY_DATABASE_URI=url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(url),
        SESSION_COOKIE_NAME="__Host-noughts" if settings.https else "noughts",
        TRUSTED_HOSTS=settings.hosts or None,
        WTF_CSRF_TIME_LIMIT=None,  # a board may stay open for hours
    )
    seed = settings.seed
    app.extensions[RANDOM] = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - it chooses cells
    if settings.prefix:
        app.wsgi_app = under(settings.prefix, app.wsgi_app)  # type: ignore[assignment, method-assign]
    if count := settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)  # type: ignore[method-assign]


def _tie_extensions(app: Flask) -> None:
    db.init_app(app)
    with app.app_context():
        prepare(app, db.engine)
    csrf.init_app(app)
    login_manager.init_app(app)
    login_manager.anonymous_user = Nobody
    login_manager.session_protection = None  # the id in the cookie is all there is
    login_manager.request_loader(session_interface.load_current_user)
    login_manager.unauthorized_handler(ask_to_log_in)
