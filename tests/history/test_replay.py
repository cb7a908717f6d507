"""A replay: the board after each move, the four steps, the list of moves and what the search did for them."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from tests.conftest import Browser
from tests.history.playing import play, play_people, user_id_of
from webapp.agents.services import make_agent
from webapp.games.states import Visibility


@pytest.fixture
def game(app: Flask, player7: Browser, browser_of: Callable[[], Browser]) -> str:
    """X takes the top row with move 5."""
    browser_of().sign_up("Rosalind")
    return f"/games/{play_people(app, 'player7', 'Rosalind', [0, 3, 1, 4, 2])}/replay"


def board_on(page: str) -> str:
    """The board as the page's cells speak it, three rows of text."""
    marks = re.findall(r'class="cell"[^>]*aria-label="[^",]+, (X|O|free)', page)
    text = "".join("." if mark == "free" else mark for mark in marks)
    return "/".join(text[row : row + 3] for row in (0, 3, 6))


def steps_on(page: str) -> dict[str, int]:
    """Where first, back, forward and last lead; those that lead nowhere are left out."""
    links = re.findall(r'href="/games/[^"]+\?ply=(\d+)" data-key="(\w+)"', page)
    return {key: int(ply) for ply, key in links}


def test_every_move_has_its_board(player7: Browser, game: str) -> None:
    boards = [board_on(player7.get(f"{game}?ply={ply}").text) for ply in range(6)]
    assert boards == [
        ".../.../...",
        "X../.../...",
        "X../O../...",
        "XX./O../...",
        "XX./OO./...",
        "XXX/OO./...",
    ]


def test_it_opens_at_the_end_with_the_result(player7: Browser, game: str) -> None:
    page = player7.get(game).text
    assert board_on(page) == "XXX/OO./..."
    assert "You won in the top row" in page


def test_first_back_forward_and_last_are_plain_links(player7: Browser, game: str) -> None:
    assert steps_on(player7.get(f"{game}?ply=2").text) == {"Home": 0, "ArrowLeft": 1, "ArrowRight": 3, "End": 5}
    assert steps_on(player7.get(f"{game}?ply=0").text) == {"ArrowRight": 1, "End": 5}
    assert steps_on(player7.get(f"{game}?ply=5").text) == {"Home": 0, "ArrowLeft": 4}


def test_the_move_shown_is_told_in_words(player7: Browser, game: str) -> None:
    page = player7.get(f"{game}?ply=2").text
    assert "Move 2 of 5" in page and "Rosalind took the middle left." in page
    assert re.findall(r'\?ply=(\d)" aria-current="step"', page) == ["2"]


def test_each_move_has_its_verdict_and_the_first_mistake_leads_to_its_analysis(player7: Browser, game: str) -> None:
    page = player7.get(f"{game}?ply=2").text
    assert "Rosalind took the middle left. It turned a draw into a loss." in page
    verdicts = re.findall(r'<p><span class="small [a-z-]+">([^<]+)</span></p>', page)
    assert verdicts == [
        "Changed nothing: every move draws.",
        "Mistake: turned a draw into a loss.",
        "Kept the win.",
        "Lost sooner than others: every move loses here.",
        "Won the game.",
    ]
    assert "Accuracy 100 %: 2 of 2 decisions" in page and "Accuracy 0 %: 0 of 1 decision" in page
    assert "You made no mistake." in page


def test_what_the_search_did_stands_at_each_of_its_moves(app: Flask, player7: Browser) -> None:
    public_id = play(app, "player7", "perfect", "X", "best")
    page = player7.get(f"/games/{public_id}/replay").text
    assert len(re.findall(r">[\d,]+ instead of [\d,]+, ", page)) == 4  # of nine moves the computer made four
    assert "instead of 59,705," in page  # what plain minimax needs after X in a corner


def test_a_level_that_does_not_search_is_said_not_to(app: Flask, player7: Browser) -> None:
    page = player7.get(f"/games/{play(app, 'player7', 'beginner', 'O', 'best')}/replay").text
    assert "Played without a search." in page and "plain minimax" not in page


def test_a_game_that_ended_before_it_began_has_one_empty_board(app: Flask, player7: Browser) -> None:
    page = player7.get(f"/games/{play(app, 'player7', 'perfect', 'X', 'resigned')}/replay").text
    assert board_on(page) == ".../.../..." and steps_on(page) == {}
    assert "You resigned" in page


@pytest.mark.parametrize("ply", ["6", "-1", "", "1.5", "x", "%00", "٣", "1 ", "9999999999999999999"])
def test_a_move_that_was_not_made_is_refused(player7: Browser, game: str, ply: str) -> None:
    assert player7.get(f"{game}?ply={ply}").status_code == 400


def test_an_unfinished_game_is_shown_on_its_own_page(client: Browser) -> None:
    address = client.start(cell=0)
    answer = client.get(f"{address}/replay")
    assert (answer.status_code, answer.location) == (303, address)


def test_anybody_sees_a_public_game_and_who_made_its_moves(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    browser_of().sign_up("Rosalind")
    game = f"/games/{play_people(app, 'Rosalind', 'player7', [0, 3, 1, 4, 2], Visibility.PUBLIC)}/replay"
    visitor = browser_of()
    assert "Rosalind won in the top row" in visitor.get(game).text
    assert "Rosalind took the top centre." in visitor.get(f"{game}?ply=3").text
    assert "player7 took the centre." in visitor.get(f"{game}?ply=4").text


def test_an_agent_is_named_with_its_owner_and_nobody_is_said_to_be_here(
    app: Flask, player7: Browser, browser_of: Callable[[], Browser]
) -> None:
    browser_of().sign_up("Rosalind")
    with app.app_context():
        make_agent(user_id_of("Rosalind"), "robot7")
    page = player7.get(f"/games/{play_people(app, 'player7', 'robot7', [0, 3, 1, 4, 2])}/replay").text
    players = page.split('<ul class="seats">')[1].split("</ul>")[0]
    assert 'href="/players/robot7"' in players and "agent of Rosalind" in players
    assert players.count("<span>you</span>") == 1 and "dot-" not in players


def test_a_game_that_nobody_joined_has_no_replay(player7: Browser) -> None:
    address = player7.send("/games", opponent="anyone").location
    assert player7.get(f"{address}/replay").location == address
    player7.send(f"{address}/withdraw")
    assert player7.get(f"{address}/replay").location == address


def test_only_its_players_see_a_private_one(browser_of: Callable[[], Browser], game: str) -> None:
    stranger = browser_of()
    assert stranger.get(game).status_code == 404
    stranger.sign_up("stranger")
    assert stranger.get(game).status_code == 404
