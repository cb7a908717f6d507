"""Puts the app together. Sees all, is seen by none but create_app."""

from collections.abc import Mapping
from importlib import import_module
from random import Random, SystemRandom
from typing import Any

import click
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

import webapp.accounts.personal as accounts_personal
import webapp.accounts.session_interface as session_interface
import webapp.agents.personal as agents_personal
import webapp.assets as assets
import webapp.classrooms.personal as classrooms_personal
import webapp.competitions.personal as competitions_personal
import webapp.compiled_templates as compiled_templates
import webapp.error_pages as error_pages
import webapp.fragments as fragments
import webapp.games.personal as games_personal
import webapp.headers as headers
import webapp.links as links
import webapp.practice.personal as practice_personal
import webapp.request_log as request_log
import webapp.row_ids as row_ids
import webapp.single_sign_on.personal as single_sign_on_personal
import webapp.trials.personal as trials_personal
from webapp.accounts.access import ask_to_log_in
from webapp.accounts.current_user import Nobody
from webapp.accounts.destinations import FIRST_PAGE
from webapp.accounts.logging_in import LOG_IN_CODES
from webapp.accounts.personal import HOLDINGS
from webapp.accounts.views import blueprint as accounts
from webapp.agents.accepting import accepts
from webapp.agents.api_views import blueprint as agents_api
from webapp.agents.class_views import blueprint as class_agents
from webapp.agents.terms import TERMS
from webapp.agents.views import blueprint as agents
from webapp.analysis.views import blueprint as analysis
from webapp.classrooms.counting import count_game
from webapp.classrooms.departures import DEPARTURES
from webapp.classrooms.grades_views import blueprint as grades
from webapp.classrooms.invitations import INVITATIONS
from webapp.classrooms.join_views import blueprint as joining
from webapp.classrooms.lesson_views import blueprint as lessons
from webapp.classrooms.log_in_codes import use_code
from webapp.classrooms.queries import first_page
from webapp.classrooms.question_views import blueprint as questions
from webapp.classrooms.restrictions import RESTRICTION
from webapp.classrooms.results_views import blueprint as results
from webapp.classrooms.roster_views import blueprint as rosters
from webapp.classrooms.set_up_views import blueprint as set_up
from webapp.classrooms.views import blueprint as classrooms
from webapp.clock import now
from webapp.competitions.agent_clock import count_move, overdue_change
from webapp.competitions.agent_games import begin_after
from webapp.competitions.agent_terms import TERMS as AGENT_TERMS
from webapp.competitions.agent_views import blueprint as competition_agents
from webapp.competitions.departures import DEPARTURE
from webapp.competitions.inviting import competitions_to_enter
from webapp.competitions.progress import go_on_after
from webapp.competitions.queries import watched_in_class
from webapp.competitions.results import record_end
from webapp.competitions.views import blueprint as competitions
from webapp.config import FIELDS, ROOT, Settings, database_url, is_pooled, read_settings, secret_key
from webapp.database import QUEUE
from webapp.engine import engine_options, prepare
from webapp.extensions import BEGAN_AT, RANDOM, SETTINGS, csrf, db, settings_of
from webapp.games.acceptance import ACCEPTANCES
from webapp.games.announcing import AFTER_ARRANGED, AFTER_END, MOVES
from webapp.games.deadlines import OVERDUE
from webapp.games.guest_views import blueprint as guest_games
from webapp.games.permissions import ADMISSIONS, RESTRICTIONS
from webapp.games.views import blueprint as games
from webapp.history.views import blueprint as history
from webapp.live.views import blueprint as live
from webapp.lobby.views import blueprint as lobby
from webapp.measured import MEASURED, Measured
from webapp.mount import under, with_told_address
from webapp.operations.daily_backup import told_backup
from webapp.operations.doctor.seen import told_seen
from webapp.pages.labs import blueprint as labs
from webapp.pages.views import DEEP
from webapp.pages.views import blueprint as pages
from webapp.practice.views import blueprint as practice
from webapp.privacy.views import blueprint as privacy
from webapp.private_files import make_private_folder
from webapp.serving.clients import Clients
from webapp.serving.front import CLIENTS, POSTS_AT_ONCE, SLOW_POSTS
from webapp.single_sign_on.views import blueprint as single_sign_on
from webapp.site import Site
from webapp.trials.views import blueprint as trials
from webapp.words import ago, until

BLUEPRINTS = (
    pages, accounts, single_sign_on, privacy, games, guest_games, analysis, practice, history, lobby, agents,
    agents_api, class_agents, live, labs, trials, set_up, joining, classrooms, lessons, questions, rosters, results,
    grades, competitions, competition_agents,
)  # fmt: skip
HOLDERS = (  # of something about a person
    accounts_personal, single_sign_on_personal, games_personal, practice_personal, trials_personal,
    classrooms_personal, agents_personal, competitions_personal,
)  # fmt: skip


def make_app(config: Mapping[str, Any]) -> Flask:
    app = Site("webapp", static_folder=str(ROOT / "static"), template_folder=str(ROOT / "templates"))
    app.url_map.merge_slashes = False  # an address with one too many is another one; a program is told so in JSON
    app.config.from_mapping({name: value for name, value in config.items() if name not in FIELDS})
    _configure(app, read_settings(given=config))
    for module in (
        compiled_templates, fragments, request_log, headers, row_ids, assets, links, error_pages, session_interface,
    ):  # fmt: skip
        module.init_app(app)
    _tie_extensions(app)
    app.extensions[MEASURED] = Measured()
    is_command = click.get_current_context(silent=True) is not None
    if settings_of(app).metrics and not is_command:
        import_module("webapp.operations.metrics").init_app(app)  # and with it prometheus-client, which takes time
    _hand_over(app)
    app.add_template_filter(ago)
    app.add_template_filter(until)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    if is_command:
        import_module("webapp.operations.host_commands").init_app(app)  # a server needs none of it
    return app


def _hand_over(app: Flask) -> None:
    """What packages ask of those above them, which they do not know: see docs/map.md."""
    # Each hashes a password. Hundreds of them at once, as when a lesson begins, wait for that without a thread; and so
    # do those that hash the passwords of a whole class, but nobody waits for them.
    of_one = ("/sign-up", "/log-in", "/account/password", "/account/delete", "/set-up/", "/join/")
    app.extensions[SLOW_POSTS] = (of_one, ("/roster", "/students/passwords"))
    if app.extensions[QUEUE]:  # one writes at a time, and what a post waits for is no network away
        app.extensions[POSTS_AT_ONCE] = 2
    app.extensions[HOLDINGS] = [module.HOLDING for module in HOLDERS]
    app.extensions[LOG_IN_CODES] = use_code
    app.extensions[FIRST_PAGE] = first_page
    app.extensions[INVITATIONS] = [competitions_to_enter]
    app.extensions[AFTER_END] = [count_game, record_end]
    app.extensions[DEEP] = [told_backup, told_seen]
    app.extensions[MOVES], app.extensions[AFTER_ARRANGED] = [count_move], [go_on_after, begin_after]
    app.extensions[TERMS], app.extensions[OVERDUE] = [AGENT_TERMS], [overdue_change]
    app.extensions[RESTRICTIONS], app.extensions[ADMISSIONS] = [RESTRICTION], [watched_in_class]
    app.extensions[ACCEPTANCES], app.extensions[DEPARTURES] = [accepts], [DEPARTURE]


def _configure(app: Flask, settings: Settings) -> None:
    make_private_folder(settings.instance)
    url = database_url(settings)
    app.extensions[SETTINGS] = settings
    app.config.update(
        SECRET_KEY=secret_key(settings),
        SQLALCHEMY_DATABASE_URI=url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(url, is_pooled(settings)),
        SESSION_COOKIE_NAME="__Host-noughts" if settings.https else "noughts",
        TRUSTED_HOSTS=settings.hosts or None,
        WTF_CSRF_TIME_LIMIT=None,  # a board may stay open for hours
    )
    app.extensions[BEGAN_AT] = now()
    seed = settings.seed
    app.extensions[RANDOM] = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - it chooses cells
    if settings.prefix:
        app.wsgi_app = under(settings.prefix, app.wsgi_app)  # type: ignore[assignment, method-assign]
    app.extensions[CLIENTS] = Clients(app.config["SESSION_COOKIE_NAME"], settings.proxies)
    if count := settings.proxies:
        behind = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)
        app.wsgi_app = with_told_address(behind)  # type: ignore[assignment, method-assign]


def _tie_extensions(app: Flask) -> None:
    db.init_app(app)
    with app.app_context():
        prepare(app, db.engine)
    csrf.init_app(app)
    users = session_interface.SessionUsers(app)
    users.anonymous_user = Nobody
    users.unauthorized_handler(ask_to_log_in)
