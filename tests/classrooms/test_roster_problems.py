"""What is wrong with a list of students stands at its line."""

from itertools import product
from random import Random

from webapp.classrooms.roster import RosterRow, read_roster
from webapp.classrooms.roster_problems import checked


def problems(rows: list[RosterRow], here: list[RosterRow] | None = None, seats: int = 99) -> list[str]:
    return [one.problem for one in checked(rows, here or [], seats)]


def test_a_list_without_problems_has_none() -> None:
    rows = [RosterRow(1, "O'Brien, Zoë"), RosterRow(2, "李 小龙"), RosterRow(3, "x" * 100), RosterRow(4, "می‌خواهم")]
    assert problems(rows) == ["", "", "", ""]


def test_each_problem_stands_at_its_line() -> None:
    cases = {
        RosterRow(1, ""): "is missing",
        RosterRow(1, "--"): "is missing",
        RosterRow(1, "x" * 101): "101 characters, more than 100",
        RosterRow(1, "Anna", email="a" * 255): "e-mail address has 255",
        RosterRow(1, "An\x00na"): "nobody can see",
        RosterRow(1, "An\u202ena"): "nobody can see",
        RosterRow(1, "Anna", external_id="\x1b[1m"): "The ID holds",
    }
    for row, problem in cases.items():
        first, second = problems([row, RosterRow(2, "Ben")])
        assert problem in first and second == "", row


def test_the_same_student_twice_is_seen_by_id_then_e_mail_then_name() -> None:
    anna = RosterRow(1, "Anna", "S-1", "anna@school.example")
    same = [RosterRow(2, "Anna B", "s-1"), RosterRow(2, "Anna B", "", "ANNA@school.example"), RosterRow(2, "ANNA")]
    others = [RosterRow(2, "Anna", "S-2"), RosterRow(2, "Anna", "", "other@school.example"), RosterRow(2, "Anna B")]
    for row in same:
        assert "stands in line 1 too" in problems([anna, row])[1], row
        assert "already" in problems([row], here=[anna])[0], row
    for row in others:
        assert problems([anna, row])[1] == problems([row], here=[anna])[0] == "", row


def is_same(one: RosterRow, other: RosterRow) -> bool:
    """By comparing the two, as the rule reads."""
    for mine, theirs in ((one.external_id, other.external_id), (one.email, other.email)):
        if mine and theirs:
            return mine.casefold() == theirs.casefold()
    return one.name.casefold() == other.name.casefold()


def test_looking_up_finds_the_first_line_that_comparing_each_with_each_finds() -> None:
    kinds, random = list(product(("Anna", "ANNA", "Ben"), ("", "S-1", "s-2"), ("", "a@b", "C@d"))), Random(1)
    for _ in range(200):
        rows = [RosterRow(line, *random.choice(kinds)) for line in range(1, 6)]
        here = [RosterRow(0, *random.choice(kinds)) for _ in range(random.randrange(2))]
        kept: list[RosterRow] = []
        for row, problem in checked(rows, here, 99):
            first = next((other.line for other in kept if is_same(row, other)), None)
            if any(is_same(row, other) for other in here):
                assert "already" in problem, (rows, here)
            elif first is not None:
                assert f"stands in line {first} too" in problem, (rows, here)
            else:
                assert problem == "", (rows, here)
                kept.append(row)


def test_seats_go_to_the_rows_without_a_problem_in_their_order() -> None:
    found = problems([RosterRow(1, "Anna"), RosterRow(2, "Anna"), RosterRow(3, "Ben"), RosterRow(4, "Cem")], seats=2)
    assert [bool(problem) for problem in found] == [False, True, False, True]
    assert "No seat is left" in found[3]


def test_a_long_list_is_checked_quickly_enough_to_be_looked_at() -> None:
    rows = read_roster("\n".join(f"Student {number}" for number in range(500)))
    assert "already" in problems(rows, here=rows)[499]


def test_first_and_last_name_in_either_order_are_one_name() -> None:
    known = RosterRow(1, "O'Brien, Zoë")
    assert "already" in problems([RosterRow(2, "zoë o'brien")], here=[known])[0]
    assert problems([RosterRow(2, "O'Brien Zoë"), RosterRow(3, "O'Brien, Z")], here=[known]) == ["", ""]
