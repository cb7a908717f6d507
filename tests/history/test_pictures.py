"""The pictures of results: worth looking at from the first game on, and true."""

import re
from typing import Any

import pytest
from flask import Flask

from tests.conftest import sqlite_only
from webapp.games.totals import Record
from webapp.games.verdicts import Accuracy

pytestmark = sqlite_only


@pytest.fixture
def pictures(app: Flask) -> Any:
    return app.jinja_env.get_template("history/_pictures.html").module


def columns(picture: str) -> list[str]:
    return re.findall(r'<rect class="([\w ]+)"', picture)


def test_one_game_takes_a_tenth_of_the_picture_and_the_rest_waits_for_more(pictures: Any) -> None:
    picture = str(pictures.last_games([("lost", False)]))
    assert 'viewBox="0 0 100 100"' in picture
    assert columns(picture) == ["lost"] + ["track"] * 9
    assert "first empty place" in picture


@pytest.mark.parametrize(("count", "places"), [(3, 10), (10, 10), (11, 20), (20, 20), (21, 50), (50, 50)])
def test_the_games_stand_in_their_order_from_the_left(pictures: Any, count: int, places: int) -> None:
    results = [("won", "drawn", "lost")[number % 3] for number in range(count)]
    picture = str(pictures.last_games([(result, False) for result in results]))
    assert columns(picture) == results + ["track"] * (places - count)
    assert f"oldest first: {', '.join(results)}." in picture
    assert ("newest is on the right" in picture) == (count == places)


def test_games_with_the_coach_are_told_apart_in_the_picture(pictures: Any) -> None:
    picture = str(pictures.last_games([("won", True), ("drawn", False)]))
    assert columns(picture)[:2] == ["won coached", "drawn"]
    assert "oldest first: won with the coach, drawn." in picture and "Hollow ones" in picture


def shares(picture: str) -> list[float]:
    return [float(width) for width in re.findall(r'<rect class="(?:won|drawn|lost)" width="([\d.]+)%"', picture)]


def test_bars_are_parts_of_all_games_and_few_games_are_counted_one_by_one(pictures: Any) -> None:
    picture = str(pictures.share(Record(2, 1, 1)))
    assert shares(picture) == [50, 25, 25]
    assert picture.count("<line") == 3 * 3, "between four squares in each of three bars"
    assert "of 4" in picture and "%</span>" not in picture


def test_of_many_games_the_part_is_told_in_percent(pictures: Any) -> None:
    picture = str(pictures.share(Record(10, 39, 11)))
    assert shares(picture) == [16.67, 65, 18.33]
    assert "<line" not in picture
    assert re.findall(r"(\d+) %", picture) == ["17", "65", "18"]


def test_the_accuracy_of_each_game_is_a_part_of_its_column_and_told_in_words(pictures: Any) -> None:
    games = [Accuracy(4, 4), Accuracy(2, 1), Accuracy(3, 0), Accuracy(0, 0), None]
    picture = str(pictures.accuracies([(of, of == Accuracy(2, 1)) for of in games]))
    heights = re.findall(r'<rect class="(accuracy|accuracy coached|drawn)"[^>]* height="([\d.]+)"', picture)
    assert [height for _, height in heights] == ["100.0", "51.5", "3.0", "8", "8"]
    assert [kind for kind, _ in heights] == ["accuracy", "accuracy coached", "accuracy", "drawn", "drawn"]
    assert "oldest first: 100 %, 50 % with the coach, 0 %, no decisions, no decisions." in picture
    assert "style=" not in picture and "Hollow columns" in picture


def test_a_tally_of_few_games_shows_each_of_them(app: Flask) -> None:
    tally = app.jinja_env.get_template("macros/tally.html").module.tally
    records = [Record(1, 0, 0), Record(0, 2, 1), Record(4, 3, 3), Record(10, 39, 11)]
    assert [str(tally(record)).count("<line") for record in records] == [0, 2, 9, 2]
