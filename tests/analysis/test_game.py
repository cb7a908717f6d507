"""Every move of a finished game judged on one page, and the same verdicts at its end."""

import re
from collections.abc import Callable

import pytest
from flask import Flask

from tests.analysis.test_pages import link, text_of
from tests.conftest import Browser, Pair
from tests.two_players import begin_game

THREE_MISTAKES = (0, 1, 2, 3, 4, 5, 6)  # O, X and O again throw something away, before X wins


@pytest.fixture
def address(pair: Pair) -> str:
    return begin_game(*pair, *THREE_MISTAKES, visibility="public")


def test_every_move_is_judged_and_leads_to_its_analysis(pair: Pair, address: str) -> None:
    ann, _ = pair
    page = ann.get(f"{address}/analysis").text
    text = text_of(page)
    assert "bob took the top centre. Mistake: turned a draw into a loss." in text
    assert "For O it was a draw before and a loss after. Better: the centre." in text
    assert "You took the top right. Mistake: gave away the win." in text
    assert "You took the bottom left. Won the game." in text
    analyses = re.findall(r'href="(/analysis\?position=[^"]+)">Analyse', page)
    assert len(analyses) == len(THREE_MISTAKES)
    assert analyses[2] == "/analysis?position=XO.......&amp;to_move=X&amp;back=0-1"
    for words in ("Find a better move", "see the analysis"):
        assert ann.get(link(page, words)).status_code == 200, words


def test_the_end_of_a_game_tells_accuracy_and_the_first_mistake_of_who_looks(
    pair: Pair, address: str, browser_of: Callable[[], Browser]
) -> None:
    ann, bob = pair
    texts = [text_of(browser.get(address).text) for browser in (ann, bob, browser_of())]
    for text in texts:
        assert "Accuracy 50 %: 1 of 2 decisions" in text and "Accuracy 0 %: 0 of 2 decisions" in text
        assert "3 top right Mistake: gave away the win." in text
    assert "Your first mistake: move 3, the top right. It gave away the win." in texts[0]
    assert "Your first mistake: move 2, the top centre. It turned a draw into a loss." in texts[1]
    assert "bob’s move was the first mistake: move 2, the top centre." in texts[2]
    assert link(ann.get(address).text, "See every move") == f"{address}/analysis"


def test_who_had_nothing_to_decide_is_told_so(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(ann, bob, 0, 4)
    ann.send(f"{address}/resign")
    text = text_of(ann.get(address).text)
    assert "No decisions: all free cells were worth the same each time." in text
    assert "first mistake" not in text and "no mistake" not in text
    assert "You made no mistake." in text_of(bob.get(address).text)


def test_a_game_that_is_not_finished_is_shown_on_its_own_page(pair: Pair) -> None:
    ann, bob = pair
    address = begin_game(ann, bob, 0)
    for _ in range(2):
        answer = ann.get(f"{address}/analysis")
        assert (answer.status_code, answer.location) == (303, address)
        assert "How it was played" not in ann.get(address).text
        ann.send(f"{address}/abort")


def test_a_game_that_ended_before_anybody_moved_says_so(client: Browser) -> None:
    address = client.start(mark="X")
    client.send(f"{address}/resign")
    assert "nothing to judge" in client.get(f"{address}/analysis").text
    assert "How it was played" not in client.get(address).text


def test_only_its_players_see_that_of_a_private_game(pair: Pair, browser_of: Callable[[], Browser], app: Flask) -> None:
    address = begin_game(*pair, *THREE_MISTAKES, visibility="private")
    assert browser_of().get(f"{address}/analysis").status_code == 404
    assert pair[1].get(f"{address}/analysis").status_code == 200
