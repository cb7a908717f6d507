"""What the journeys do again and again on a board, by the words that the page speaks."""

import re

from playwright.sync_api import Page, expect

SETTLED = """document.getAnimations().filter((one) => one.animationName?.startsWith("settle"))
    .forEach((one) => one.finish())"""


def settle(page: Page) -> None:
    """What has just come takes no press for half a second (base.css): here that half second is over."""
    page.evaluate(SETTLED)


def press(page: Page, *names: str) -> None:
    """Press these cells, waiting after each one until the server has answered."""
    for name in names:
        settle(page)
        page.get_by_role("button", name=f"{name}, free", exact=True).click()
        expect(page.get_by_role("img", name=re.compile(f"^{name}, [XO]"))).to_be_visible()


def lose_to_perfect(page: Page) -> None:
    press(page, "top left", "top centre", "middle left")
    expect(page.get_by_role("heading", name="Perfect wins")).to_be_visible()
