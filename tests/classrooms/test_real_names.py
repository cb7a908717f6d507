"""A name is one name, and has one place in a list, whichever way it is written."""

from flask import Flask

from tests.classrooms.rooms import Room
from tests.factories import enrolled
from webapp.classrooms.real_names import by_last_name, same_name


def test_first_and_last_name_in_either_order_are_one_name() -> None:
    for names in (("O'Brien, Zoë", "ZOË O'Brien"), ("García Márquez, José", "José García Márquez"), ("Ann", "ann,")):
        assert len({same_name(name) for name in names}) == 1, names
    assert same_name("Martin, James") != same_name("Martin James")
    assert [same_name(name) for name in ("", ",", " , ", "Smith, J, Jr")] == ["", "", "", "smith, j, jr"]


def test_lists_are_sorted_by_last_name() -> None:
    order = ["Åberg, Zoë", "ben Adams", "Zoë Adams", "Ann Azur", "Baker, Ann", "calm-river-42", "Carter, Ann"]
    assert sorted(set(order), key=by_last_name) == order


def test_each_list_of_a_class_has_the_same_order(app: Flask) -> None:
    room = Room(app)
    order = ["Zoë Adams", "Baker, Ann", "Ann Carter"]
    for number, name in enumerate((order[1], order[2], order[0])):
        enrolled(app, room.public_id, f"student{number}", real_name=name)
    for page in ("students", "results", "grades"):
        text = room.browser.get(f"{room.path}/{page}").text
        text = text[text.index("<tbody>") :]
        assert sorted(order, key=text.index) == order, page
