"""How the end of a game between people is told: to the winner, to the loser and to whoever watched."""

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest

from tests.conftest import Browser, SetClock
from tests.two_players import begin_game, play_cells, two_players
from webapp.accounts import presence

End = Callable[["Table"], object]


class Table:
    """Ann has X, Bob has O, Eve watches; the clock is the test's."""

    def __init__(self, browser_of: Callable[[], Browser], clock: SetClock) -> None:
        self.clock = clock
        self.ann, self.bob = two_players(browser_of)
        self.eve = browser_of()
        self.address = begin_game(self.ann, self.bob)

    def play(self, *cells: int) -> None:
        play_cells(self.ann, self.bob, self.address, *cells)

    def told(self) -> list[tuple[str, str]]:
        return [words_on(one.get(self.address).text) for one in (self.ann, self.bob, self.eve)]


def words_on(page: str) -> tuple[str, str]:
    plain = re.sub(r"</?b\b[^>]*>", "", page)
    headline, happened = (re.search(rf'id="{name}"[^>]*>([^<]*)<', plain) for name in ("headline", "happened"))
    assert headline and happened
    return unescape(headline[1]).strip(), unescape(happened[1]).strip()


@pytest.fixture
def table(browser_of: Callable[[], Browser], set_clock: SetClock) -> Iterator[Table]:
    presence._written.clear()
    yield Table(browser_of, set_clock)


def in_a_line(table: Table) -> None:
    table.play(0, 3, 1, 4, 2)


def on_a_full_board(table: Table) -> None:
    table.play(0, 4, 8, 1, 7, 6, 2, 5, 3)


def by_resigning(table: Table) -> None:
    table.play(0, 4)
    table.bob.send(f"{table.address}/resign")


def by_agreement(table: Table) -> None:
    table.play(0, 4)
    table.ann.send(f"{table.address}/draw", draw="offer")
    table.bob.send(f"{table.address}/draw", draw="accept")


def by_claiming_the_win(table: Table) -> None:
    table.play(0, 4, 8)
    table.clock.pass_time(minutes=6)
    table.ann.send(f"{table.address}/claim", claim="win")


def by_claiming_a_draw(table: Table) -> None:
    table.play(0, 4, 8)
    table.clock.pass_time(minutes=6)
    table.ann.send(f"{table.address}/claim", claim="draw")


def by_leaving_it(table: Table) -> None:
    table.play(0, 4, 8)
    table.clock.pass_time(hours=73)


def by_never_beginning(table: Table) -> None:
    table.clock.pass_time(hours=25)


def by_cancelling_it(table: Table) -> None:
    table.bob.send(f"{table.address}/abort")


ENDS: dict[End, list[tuple[str, str]]] = {
    in_a_line: [
        ("You won in the top row", "You were X. You took the top right."),
        ("ann wins in the top row", "You were O. ann took the top right."),
        ("ann won in the top row", "ann took the top right."),
    ],
    on_a_full_board: [
        ("Drawn", "You were X. The board is full and nobody has a line."),
        ("Drawn", "You were O. The board is full and nobody has a line."),
        ("Drawn", "The board is full and nobody has a line."),
    ],
    by_resigning: [
        ("bob resigned: you won", "You were X. bob took the centre."),
        ("You resigned", "You were O. ann wins."),
        ("bob resigned: ann won", "bob took the centre."),
    ],
    by_agreement: [
        ("Drawn by agreement", "You were X. You and bob agreed after 2 moves."),
        ("Drawn by agreement", "You were O. You and ann agreed after 2 moves."),
        ("Drawn by agreement", "Both players agreed after 2 moves."),
    ],
    by_claiming_the_win: [
        ("You claimed the win", "You were X. bob left on their turn, so you win."),
        ("ann claimed the win", "You were O. You left on your turn, so ann wins."),
        ("ann claimed the win", "bob left on their turn, so ann wins."),
    ],
    by_claiming_a_draw: [
        ("Draw claimed", "You were X. bob left on their turn, so you claimed a draw."),
        ("Draw claimed", "You were O. You left on your turn, so ann claimed a draw."),
        ("Draw claimed", "bob left on their turn, so ann claimed a draw."),
    ],
    by_leaving_it: [
        ("You won: bob did not come back", "You were X. It was bob’s turn, and the time ran out."),
        ("ann won: you did not come back", "You were O. It was your turn, and the time ran out."),
        ("ann won: bob did not come back", "It was bob’s turn, and the time ran out."),
    ],
    by_never_beginning: [
        ("Cancelled", "You were X. You did not move in time. The game does not count."),
        ("Cancelled", "You were O. ann did not move in time. The game does not count."),
        ("Cancelled", "ann did not move in time. The game does not count."),
    ],
    by_cancelling_it: [
        ("Cancelled", "You were X. The game was cancelled before both had moved. It does not count."),
        ("Cancelled", "You were O. The game was cancelled before both had moved. It does not count."),
        ("Cancelled", "The game was cancelled before both had moved. It does not count."),
    ],
}


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_every_end_has_its_words_for_all_three(table: Table, end: End) -> None:
    end(table)
    assert table.told() == ENDS[end]


def test_a_player_s_name_leads_to_their_page(table: Table) -> None:
    for reader in (table.ann, table.eve):
        assert 'href="/players/bob"' in reader.get(table.address).text
        assert 'href="/players/bob"' in reader.get("/lobby").text


def test_a_deleted_player_has_no_page_and_cannot_be_asked_for_a_rematch(table: Table) -> None:
    by_resigning(table)
    assert ">Rematch<" in table.ann.get(table.address).text
    table.bob.send("/account/delete", password="correct horse")
    page = table.ann.get(table.address).text
    assert "deleted player" in page
    assert "/players/bob" not in page and ">Rematch<" not in page


def test_that_chance_chooses_the_marks_is_said_once_to_everybody(browser_of: Callable[[], Browser]) -> None:
    (ann, bob), eve = two_players(browser_of), browser_of()
    for form in ({"opponent": "anyone"}, {"opponent": "bob"}, {"opponent": "anyone", "visibility": "private"}):
        address = str(ann.send("/games", mark="random", **form).location)
        for reader in (ann, bob, eve):
            assert reader.get(address).text.count("at random") == 1, form
        address = str(ann.send("/games", mark="X", **form).location)
        assert "at random" not in bob.get(address).text
        assert words_on(bob.get(address).text)[1] == "ann will be X and begin."


def test_who_offers_a_draw_on_their_own_turn_is_told_what_a_move_does(table: Table) -> None:
    table.play(0, 4)
    table.ann.send(f"{table.address}/draw", draw="offer")
    assert table.told()[0][1].endswith(" You have offered a draw. A move takes the offer back.")
    table.ann.send(f"{table.address}/moves", cell=8, ply=2)
    assert "draw" not in table.told()[1][1]


def test_who_offers_a_draw_while_the_other_thinks_is_told_no_more(table: Table) -> None:
    table.play(0)
    table.ann.send(f"{table.address}/draw", draw="offer")
    told = table.told()[0][1]
    assert "You have offered a draw." in told and "takes the offer back" not in told
