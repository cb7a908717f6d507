"""Every route x role x own or other's has a declared answer. A route that is not declared here fails.

The answers are told apart by what they mean: let in (whatever is then said about an empty form), sent to log in or to
sign up, or told that nothing is there.
"""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from tests.agents.programs import make_program
from tests.conftest import Browser, sqlite_only
from tests.factories import enrolled, logged_in, make_classroom, make_user, member_of
from webapp.accounts.models import UserSession
from webapp.classrooms.models import Classroom
from webapp.classrooms.roles import Role
from webapp.classrooms.set_up import new_set_up_token
from webapp.competitions.models import CompetitionEntry
from webapp.database import reading

IN, LOG_IN, SIGN_UP, NOT_THERE, NO_TOKEN = "in", "log in", "sign up", "404", "401"
ROLES = ("nobody", "guest", "user", "student", "classmate", "assistant", "instructor", "other_instructor")
Answers = dict[str, str]


def of_accounts(**others: str) -> Answers:
    """What who has no account is told, and what the others are; those not named are let in."""
    return {"nobody": LOG_IN, "guest": SIGN_UP, **{role: others.get(role, IN) for role in ROLES[2:]}}


def only(*roles: str) -> Answers:
    return of_accounts(**{role: NOT_THERE for role in ROLES[2:] if role not in roles})


NOBODY = dict.fromkeys(ROLES, NO_TOKEN)
EVERYBODY = dict.fromkeys(ROLES, IN)
SOMEBODY = {**EVERYBODY, "nobody": LOG_IN}
ACCOUNTS = of_accounts()
MEMBERS = only("student", "classmate", "assistant", "instructor")
STUDENTS = only("student", "classmate")
STAFF = only("assistant", "instructor")
INSTRUCTORS = only("instructor")
SITE_INSTRUCTORS = only("instructor", "other_instructor")
THE_STUDENT = {**dict.fromkeys(ROLES, NOT_THERE), "student": IN}  # whose game or session it is
THE_STUDENT_LOGGED_IN = {**THE_STUDENT, "nobody": LOG_IN}


def declared(answers: Answers, *endpoints: str) -> dict[str, Answers]:
    return dict.fromkeys(endpoints, answers)


# Of a classroom: what it takes in one's own. In another's everybody is told that it is not there.
OF_CLASSROOM: dict[str, Answers] = {
    **declared(MEMBERS, "classrooms.show", "classrooms.piece", "classrooms.play"),
    **declared(MEMBERS, "results.leaderboard", "results.choose_leaderboard"),
    **declared(STUDENTS, "questions.answer"),
    **declared(STAFF, "classrooms.projector", "lessons.show", "lessons.piece", "lessons.begin", "lessons.end"),
    **declared(STAFF, "lessons.projector", "lessons.projector_piece", "classrooms.projector_piece"),
    **declared(STAFF, "questions.show", "questions.ask", "questions.close", "questions.all"),
    **declared(STAFF, "results.show", "results.student", "results.common"),
    **declared(STAFF, "rosters.students", "rosters.new_passwords", "rosters.new_codes"),
    **declared(INSTRUCTORS, "rosters.add", "rosters.remove", "rosters.bring_back", "rosters.move"),
    **declared(INSTRUCTORS, "results.correct", "grades.show", "grades.file"),
    **declared(INSTRUCTORS, "results.csv", "results.xlsx", "results.everything", "results.end_of_term"),
    **declared(INSTRUCTORS, "results.anonymise", "results.delete", "class_agents.make"),
    **declared(INSTRUCTORS, "classrooms.settings", "classrooms.joining", "classrooms.duplicate"),
    **declared(INSTRUCTORS, "classrooms.add_instructor", "classrooms.add_assistant", "classrooms.remove_staff"),
    **declared(INSTRUCTORS, "classrooms.archive", "classrooms.bring_back"),
}
# Of a competition in one's own classroom.
OF_COMPETITION: dict[str, Answers] = {
    **declared(MEMBERS, "competitions.show", "competitions.piece", "competitions.enter", "competitions.withdraw"),
    **declared(MEMBERS, "competitions.projector", "competitions.projector_piece", "competitions.csv"),
    **declared(MEMBERS, "competitions.games"),
    **declared(INSTRUCTORS, "competitions.start", "competitions.end"),
}
# Of a competition of agents in one's own classroom, and of the student's agent in it.
OF_WHOLE_CONTEST = declared(MEMBERS, "competition_agents.crosstable")
OF_CONTEST: dict[str, Answers] = {
    **OF_WHOLE_CONTEST,
    **declared(MEMBERS, "competition_agents.entry"),
    **declared(only("student", "instructor"), "competition_agents.enter"),
    **declared(only("student", "instructor"), "competition_agents.replace", "competition_agents.withdraw"),
}
# Of a game, here one against the computer, which is its player's alone.
OF_GAME: dict[str, Answers] = {
    **declared(THE_STUDENT, "games.show", "games.piece", "games.state", "history.replay", "analysis.game"),
    **declared(THE_STUDENT_LOGGED_IN, "games.play_move", "games.resign", "games.abort", "games.draw", "games.claim"),
    **declared(THE_STUDENT_LOGGED_IN, "games.rematch", "games.take_back"),
    **declared({**THE_STUDENT_LOGGED_IN, "student": NOT_THERE}, "games.withdraw", "games.decline"),  # it is not open
    **declared({**THE_STUDENT_LOGGED_IN, "guest": SIGN_UP}, "lobby.join"),
}
# Of an agent, which is its owner's alone.
OF_AGENT = declared(only("student"), "agents.show", "agents.change", "agents.renew", "agents.revoke")
ELSE: dict[str, Answers] = {
    **declared(EVERYBODY, "static", "pages.home", "pages.healthz", "pages.readyz"),
    **declared(EVERYBODY, "accounts.sign_up", "accounts.log_in", "accounts.log_out"),
    **declared(EVERYBODY, "games.start", "games.after_deed", "practice.show", "practice.answer", "history.player"),
    **declared(EVERYBODY, "lobby.lobby", "lobby.piece", "live.events"),
    **declared(EVERYBODY, "labs.show", "labs.checker", "labs.client", "labs.starter_file", "trials.show"),
    **declared(dict.fromkeys(ROLES, NOT_THERE), "trials.part"),  # a file that is fetched by a command of the host
    **declared(EVERYBODY, "analysis.show", "analysis.as_json", "analysis.as_csv", "analysis.as_svg", "analysis.tree"),
    **declared(EVERYBODY, "analysis.tree_as_svg", "analysis.worksheet", "analysis.run_searches"),
    **declared(EVERYBODY, "joining.ask", "joining.join", "set_up.show"),  # for who has the code or the link
    **declared(SOMEBODY, "accounts.account", "accounts.change_password", "accounts.change_name"),
    **declared(SOMEBODY, "accounts.end_other_sessions"),
    **declared(ACCOUNTS, "guest_games.show", "guest_games.answer"),
    **declared(SOMEBODY, "history.show", "history.csv", "lobby.waiting", "privacy.export", "privacy.delete_account"),
    **declared(ACCOUNTS, "classrooms.all", "classrooms.of_game", "lobby.play_now", "trials.keep"),
    **declared(SITE_INSTRUCTORS, "classrooms.create", "classrooms.make_instructor", "competitions.make"),
    **declared(SITE_INSTRUCTORS, "classrooms.remove_instructor"),  # here one who is none
    **declared(EVERYBODY, "competitions.all"),
    **declared(dict.fromkeys(ROLES, NOT_THERE), "competitions.of_game"),  # this game belongs to none
    **declared(THE_STUDENT_LOGGED_IN, "accounts.end_session"),
    **declared(ACCOUNTS, "agents.all", "agents.make"),
    **declared(EVERYBODY, "api.openapi"),
    # For programs with a token: a cookie opens nothing here, whoever's it is.
    **declared(NOBODY, "api.agent", "api.next_job", "api.start", "api.game", "api.resign"),
    # Where a setting lets a school log people in: tests/single_sign_on.
    **declared(dict.fromkeys(ROLES, NOT_THERE), "single_sign_on.begin", "single_sign_on.back", "single_sign_on.first"),
    **declared(dict.fromkeys(ROLES, NOT_THERE), "single_sign_on.join", "single_sign_on.part"),
}
DECLARED = OF_CLASSROOM | OF_COMPETITION | OF_CONTEST | OF_GAME | OF_AGENT | ELSE
# What no route refuses for its form alone.
FORM = {"name": "helper7", "cell": "0", "ply": "2", "draw": "offer", "claim": "win", "reason": "later",
        "version": "0", "accepts": "owner", "games_at_once": "1"}  # fmt: skip
# Besides the classroom they name a student, players or another classroom, which are of the first class in any case.
NAMES_OURS = {"results.student", "results.correct", "rosters.move", "competitions.games"}
# They change who somebody is, or what can be done: each is asked after all before it.
LAST = ["classrooms.archive", "results.anonymise", "set_up.show", "joining.join", "accounts.log_out"]


class World:
    """One class with somebody of each role, another class, a game and a session of the student."""

    def __init__(self, app: Flask) -> None:
        self.app, self.own, self.others = app, make_classroom(app, "teacher7"), make_classroom(app, "teacher8")
        make_user(app, "helper7")
        self.browsers: dict[str, Browser] = {
            "guest": app.test_client(),  # type: ignore[dict-item]
            "user": member_of(app, "player7"),
            "student": enrolled(app, self.own, "student7", real_name="Zoë Åberg"),
            "classmate": enrolled(app, self.own, "classmate7"),
            "assistant": enrolled(app, self.own, "assist7", Role.ASSISTANT),
            "instructor": logged_in(app, "teacher7"),
            "other_instructor": logged_in(app, "teacher8"),
        }
        self.browsers["guest"].start(cell=4)
        self.agents = [make_program(app, owner, name).agent_id
                       for owner, name in (("student7", "robot7"), ("stranger8", "robot8"))]  # fmt: skip
        self.game = self.browsers["student"].start(cell=4).rsplit("/", 1)[1]
        self.others_game = member_of(app, "stranger7").start(cell=4).rsplit("/", 1)[1]
        self.competition, self.others_competition = self._competition(self.own), self._competition(self.others)
        self.contest, self.others_contest = self._contest(self.own), self._contest(self.others)
        self.browsers["instructor"].send(f"/classrooms/{self.own}/question", position="X........")
        self.browsers["instructor"].send(f"/classrooms/{self.own}/instructors", name="helper7")
        app.config["WTF_CSRF_ENABLED"] = False

    def _competition(self, classroom: str) -> str:
        """With the student and the classmate in it if it is theirs."""
        maker = self.browsers["instructor" if classroom == self.own else "other_instructor"]
        made = maker.send("/competitions", classroom=classroom, name="Cup", rounds="3")
        for role in ("student", "classmate") if classroom == self.own else ():
            assert self.browsers[role].send(f"{made.location}/enter").status_code == 303
        return str(made.location.rsplit("/", 1)[1])

    def _contest(self, classroom: str) -> str:
        """Of agents, with the student's in it if it is theirs."""
        maker = self.browsers["instructor" if classroom == self.own else "other_instructor"]
        made = maker.send("/competitions", classroom=classroom, name="Robots", kind="agents")
        if classroom == self.own:
            assert maker.send(f"{made.location}/agents", agent=self.agents[0]).status_code == 303
        return str(made.location.rsplit("/", 1)[1])

    def _entry(self) -> str:
        with self.app.app_context(), reading() as connection:
            own = select(CompetitionEntry.id).where(CompetitionEntry.user_id == self.agents[0])
            return str(connection.scalar(own.limit(1)))

    def ask(self, role: str, endpoint: str, rule: str, method: str, is_own: bool) -> TestResponse:
        browser: Any = self.browsers.get(role) or self.app.test_client()  # nobody is somebody else each time
        path = self.path(endpoint, rule, is_own)
        form = {**FORM, "to": self.own, "agent": self.agents[0]} if method == "POST" else None
        answer: TestResponse = browser.open(path, method=method, data=form, buffered=True)
        return answer

    def path(self, endpoint: str, rule: str, is_own: bool) -> str:
        classroom, game = (self.own, self.game) if is_own else (self.others, self.others_game)
        competition = self.competition if is_own else self.others_competition
        contest = self.contest if is_own else self.others_contest
        of = ((OF_CLASSROOM, classroom), (OF_COMPETITION, competition), (OF_CONTEST, contest))
        public_id = next((one for endpoints, one in of if endpoint in endpoints), game)
        values = {"public_id": public_id, "name": "helper7" if "staff" in rule else "student7", "filename": "style.css"}
        values |= {"int:agent_id": str(self.agents[0 if is_own else 1]), "int:first": "1", "int:second": "2"}
        values |= {"int:entry_id": self._entry()}
        values |= {"lab": "tictactoe", "system": "canvas", "int:question_id": "1", "code": self._code()}
        for name, value in values.items():
            rule = rule.replace(f"<{name}>", value)
        return self._with_secrets(rule.replace("<path:filename>", "style.css"))

    def _code(self) -> str:
        with self.app.app_context(), reading() as connection:
            code = connection.scalar(select(Classroom.join_code).where(Classroom.public_id == self.own))
        return str(code)

    def _with_secrets(self, rule: str) -> str:
        """A link that was not used yet, and a session of the student besides the one that asks."""
        with self.app.app_context():
            if "<token>" in rule:
                return rule.replace("<token>", new_set_up_token())
            if "<int:session_id>" in rule:
                logged_in(self.app, "student7")
                with reading() as connection:
                    newest = connection.scalar(select(UserSession.id).order_by(UserSession.id.desc()).limit(1))
                return rule.replace("<int:session_id>", str(newest))
        return rule


def meaning(answer: TestResponse) -> str:
    assert answer.status_code < 500, answer.text
    if answer.status_code in (401, 404):
        return NO_TOKEN if answer.status_code == 401 else NOT_THERE
    if answer.status_code == 303 and answer.location.startswith(("/log-in", "/sign-up")):
        return LOG_IN if answer.location.startswith("/log-in") else SIGN_UP
    return IN


def rules(app: Flask) -> list[tuple[str, str, str]]:
    """Each endpoint with its path and each of its methods; what is asked last comes last."""
    found = [
        (rule.endpoint, rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]
    return sorted(found, key=lambda one: (LAST.index(one[0]) if one[0] in LAST else -1, one))


@sqlite_only
def test_every_route_is_declared_and_no_other(app: Flask) -> None:
    assert {endpoint for endpoint, _, _ in rules(app)} == DECLARED.keys()


@sqlite_only
@pytest.mark.slow
def test_every_route_answers_each_role_as_declared(app: Flask) -> None:
    world, wrong = World(app), []
    for endpoint, rule, method in rules(app):
        wanted = DECLARED[endpoint]
        for role in ROLES:
            answer = world.ask(role, endpoint, rule, method, is_own=True)
            if meaning(answer) != wanted[role]:
                wrong.append(f"{role} {method} {endpoint}: {answer.status_code}, wanted: {wanted[role]}")
    assert not wrong, "\n".join(wrong)


@sqlite_only
@pytest.mark.slow
def test_what_is_another_s_is_not_there_for_anybody_in_this_class(app: Flask) -> None:
    world, wrong = World(app), []
    for endpoint, rule, method in rules(app):
        for role in ROLES if endpoint in OF_CLASSROOM | OF_COMPETITION | OF_CONTEST | OF_GAME | OF_AGENT else ():
            answer, wanted = world.ask(role, endpoint, rule, method, is_own=False), of_another(endpoint, role)
            if meaning(answer) != wanted:
                wrong.append(f"{role} {method} {endpoint}: {answer.status_code}, wanted: {wanted}")
    assert not wrong, "\n".join(wrong)


def of_another(endpoint: str, role: str) -> str:
    """The other classroom is the other instructor's own; who has no account is told the same everywhere."""
    if role in ("nobody", "guest"):
        return DECLARED[endpoint][role]
    theirs = (OF_CLASSROOM | OF_COMPETITION | OF_WHOLE_CONTEST).keys() - NAMES_OURS
    is_theirs = role == "other_instructor" and endpoint in theirs
    return DECLARED[endpoint]["instructor"] if is_theirs else NOT_THERE
