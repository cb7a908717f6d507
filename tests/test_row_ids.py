"""Numbers that name rows: what no key can hold finds nothing, and never reaches a database."""

from flask import Flask

from webapp import row_ids
from webapp.row_ids import LARGEST_ID, ids_among


def test_of_what_a_form_sent_only_what_a_key_can_hold_is_left() -> None:
    assert ids_among(["1", "1", "007", str(LARGEST_ID)]) == {1, 7, LARGEST_ID}
    assert ids_among(["", "-1", "1.5", " 1", "x", "²", "٣", str(LARGEST_ID + 1), "9" * 5000]) == set()


def test_an_address_with_a_larger_number_leads_nowhere() -> None:
    app = Flask("addresses")
    row_ids.init_app(app)
    app.add_url_rule("/rows/<int:row_id>", view_func=lambda row_id: str(row_id), endpoint="row")
    browser = app.test_client()
    assert browser.get(f"/rows/{LARGEST_ID}").text == str(LARGEST_ID)
    assert {browser.get(f"/rows/{number}").status_code for number in (LARGEST_ID + 1, 2**63, "9" * 5000)} == {404}
