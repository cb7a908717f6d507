"""The leaderboard of a classroom: how its students are ranked, and who is on it."""

from sqlalchemy import update

from webapp.classrooms.counting import CLASSMATES
from webapp.classrooms.models import Enrolment
from webapp.classrooms.queries import IS_PRESENT
from webapp.classrooms.results import StudentResults
from webapp.database import writing


def show_on_leaderboard(classroom_id: int, user_id: int, shown: bool) -> None:
    mine = (Enrolment.classroom_id == classroom_id, Enrolment.user_id == user_id, IS_PRESENT)
    with writing() as connection:
        connection.execute(update(Enrolment).where(*mine).values(on_leaderboard=shown))


def ranked(students: list[StudentResults]) -> list[tuple[int, StudentResults]]:
    """The leaderboard: points against classmates, then accuracy, then fewer moves. Equals share a place.

    Who chose not to be on it, or has not played a classmate yet, is not.
    """
    playing = [student for student in students if student.on_leaderboard and student[CLASSMATES].total]
    playing.sort(key=lambda student: (_rank(student), student.name.casefold()))
    places: list[tuple[int, StudentResults]] = []
    for number, student in enumerate(playing, 1):
        same = places and _rank(places[-1][1]) == _rank(student)
        places.append((places[-1][0] if same else number, student))
    return places


def _rank(student: StudentResults) -> tuple[float, float, int]:
    sums = student[CLASSMATES]
    return -sums.points, -(sums.kept / sums.decisions if sums.decisions else 0), sums.moves
