"""The account, as its owner uses it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.pages import log_in, press, sign_up
from tests.journeys.test_play import name_for


def test_changing_the_password_ends_the_other_session(
    page: Page, browser: Browser, browser_context_args: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    name = name_for(request, "changer")
    page.goto("/sign-up")
    sign_up(page, name)
    other = browser.new_context(**browser_context_args).new_page()
    log_in(other, name)
    other.goto("/account")
    expect(other.get_by_role("heading", name=name)).to_be_visible()

    page.goto("/account")
    expect(page.get_by_text("Chromium on Linux")).to_have_count(2)
    page.get_by_label("Current password", exact=True).fill("correct horse")
    page.get_by_label("New password", exact=True).fill("battery staple")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password is changed")).to_be_visible()

    other.goto("/account")
    expect(other).to_have_url(re.compile("/log-in"))
    log_in(other, name, "battery staple")
    expect(other.locator("#head").get_by_role("link", name=name)).to_be_visible()
    other.context.close()


def test_deleting_the_account_frees_the_person_but_not_the_name(page: Page, request: pytest.FixtureRequest) -> None:
    name = name_for(request, "leaver")
    page.goto("/sign-up")
    sign_up(page, name)
    page.goto("/")
    press(page, 0)
    page.goto("/account")
    page.get_by_role("link", name="Delete your account").click()
    page.get_by_label("Password", exact=True).fill("wrong password")
    page.locator("main").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("This is not your current password")).to_be_visible()
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.locator("main").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Your account is deleted")).to_be_visible()

    page.goto("/sign-up")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill("correct horse")
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This name is taken")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value(name)


def test_a_refused_form_keeps_what_was_typed_and_says_why_at_the_field(page: Page) -> None:
    page.goto("/sign-up")
    page.get_by_label("Name").fill("no spaces please")
    page.get_by_label("Password", exact=True).fill("short")
    page.locator("main").get_by_role("button", name="Sign up").click()
    field = page.get_by_label("Name")
    expect(field).to_have_value("no spaces please")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("A name is made of letters")).to_be_visible()
