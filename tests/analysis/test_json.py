"""The contract of /analysis.json, and the other ways to take an analysis along."""

import csv
import io
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import Browser
from tests.tictactoe.boards import begun_by_o, unfinished
from webapp.tictactoe import SEARCHES, Position, X, table_of


def asked(client: Browser, query: str) -> dict[str, Any]:
    answer = client.get(f"/analysis.json?{query}")
    assert (answer.status_code, answer.mimetype) == (200, "application/json"), answer.text
    found: dict[str, Any] = answer.json
    return found


def test_the_board_of_the_third_course_document(client: Browser) -> None:
    found = asked(client, "position=..O/XOO/..X&to_move=X")
    searches = {each.pop("name"): each for each in found.pop("searches")}
    assert found == {
        "position": "..OXOO..X",
        "to_move": "X",
        "over": False,
        "winner": None,
        "reachable": False,
        "value": 1,
        "distance": 3,
        "best": [6],
        "line": [6, 0, 7],
        "cells": [
            {"cell": 0, "value": -1, "distance": 2},
            {"cell": 1, "value": -1, "distance": 2},
            {"cell": 6, "value": 1, "distance": 3},
            {"cell": 7, "value": -1, "distance": 2},
        ],
    }
    assert list(searches) == list(SEARCHES)
    assert searches["minimax"] == {"nodes": 45, "leaves": 21, "cutoffs": 0, "cell": 6}
    assert searches["alpha-beta"] == {"nodes": 31, "leaves": 13, "cutoffs": 8, "cell": 6}


def test_without_parameters_it_is_the_empty_board(client: Browser) -> None:
    found = asked(client, "")
    assert (found["position"], found["to_move"], found["reachable"]) == (".........", "X", True)
    assert (found["value"], found["distance"], found["best"]) == (0, 9, list(range(9)))
    nodes = {each["name"]: each["nodes"] for each in found["searches"]}
    assert (nodes["minimax"], nodes["alpha-beta"], nodes["alpha-beta-ordered"]) == (549_946, 18_297, 7_275)


def test_it_agrees_with_the_rules_and_with_real_searches_on_a_sample(client: Browser) -> None:
    for position in (side for each in unfinished()[100::331] for side in (each, begun_by_o(each))):
        found = asked(client, f"position={position}&to_move={position.to_move}")
        entry = table_of(position.board)[position]
        assert (found["value"], found["distance"], found["best"]) == (entry.value, entry.distance, list(entry.cells))
        assert found["line"] == list(table_of(position.board).line(position))
        for each in found["searches"]:
            report = SEARCHES[each["name"]].run(position)
            counts = {"nodes": report.nodes, "leaves": report.leaves, "cutoffs": report.cutoffs, "cell": report.cell}
            assert each == {"name": each["name"], **counts}


@pytest.mark.parametrize(
    ("text", "winner", "value", "reachable"),
    [("XXXOO....", "X", -1, True), ("OOOXX....", "O", -1, False), ("XOXXOOOXX", None, 0, True)],
)
def test_a_finished_position_has_nothing_to_search(
    client: Browser, text: str, winner: str | None, value: int, reachable: bool
) -> None:
    found = asked(client, f"position={text}")
    assert (found["over"], found["winner"], found["value"], found["distance"]) == (True, winner, value, 0)
    assert found["reachable"] is reachable
    assert found["best"] == found["line"] == found["cells"] == found["searches"] == []


@pytest.mark.parametrize(
    "query", ["position=", "position=XX.......", "position=XXXOOO...", "position=X........&to_move=X", "to_move=Z",
              "position=%00", "position=%FF%FE", "position=X&position=O"]
)  # fmt: skip
def test_what_cannot_be_is_400_with_a_sentence(client: Browser, query: str) -> None:
    answer = client.get(f"/analysis.json?{query}")
    assert (answer.status_code, answer.mimetype, list(answer.json)) == (400, "application/json", ["error"])
    assert answer.json["error"][0].isupper() and answer.json["error"].endswith(".")


def test_the_csv_holds_the_table(client: Browser) -> None:
    answer = client.get("/analysis.csv?position=..OXOO..X&to_move=X")
    assert answer.headers["Content-Disposition"] == "attachment; filename=noughts-analysis.csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["name"] for row in rows] == list(SEARCHES)
    first = rows[0]
    assert (first["nodes"], first["leaves"], first["cutoffs"], first["cell"], first["row"], first["column"]) == (
        "45", "21", "0", "6", "2", "0",
    )  # fmt: skip
    assert all(row["convention"] == SEARCHES[row["name"]].convention for row in rows)


def test_the_picture_is_an_svg_that_stands_alone(client: Browser) -> None:
    answer = client.get("/analysis.svg?position=..OXOO..X&to_move=X")
    assert answer.mimetype == "image/svg+xml"
    picture = ElementTree.fromstring(answer.text)
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("loss") == 3
    assert words.count("win") == words.count("best") == 1
    assert "style" not in answer.text and "class" not in answer.text
    assert Position.parse("..OXOO..X", X).text in answer.text
