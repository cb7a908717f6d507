"""What is looked for on every page: what axe finds in light and in dark, and what sticks out at any width."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
WIDTHS = {"small phone": 320, "phone": 390, "tablet": 768, "laptop": 1200, "projector": 1920, "zoom 200 %": 640}
# The tables of a competition are pushed to the side within their frame, which itself stays inside the page.
STICKING_OUT = """() => [...document.querySelectorAll('body *')]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.unseen, svg, thead, legend'))
    .filter(one => !one.matches('.competition .wide-table *'))
    .map(one => one.outerHTML.slice(0, 80))"""


def faults_of(page: Page) -> list[str]:
    return found_by_axe(page) + sticking_out(page)


def found_by_axe(page: Page) -> list[str]:
    """All that axe knows in the light; what else than colours it looks at is the same in the dark."""
    page.wait_for_load_state()  # without its style it is another page
    page.evaluate(AXE)
    return _run_axe(page, "light") + _run_axe(page, "dark", runOnly=["color-contrast"])


def _run_axe(page: Page, scheme: str, **rules: object) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    # All else that it can tell would be most of the work; nor do the rules that we ask for look into style sheets.
    options = {"resultTypes": ["violations"], "selectors": False, "preload": False, **rules}
    found = page.evaluate("async options => (await axe.run(options)).violations", options)
    return [f"{scheme}: {one['id']} {one['nodes'][0]['html']}" for one in found]


def sticking_out(page: Page) -> list[str]:
    size, found = page.viewport_size, []
    for name, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 720})
        found += [f"on a {name}: {one}" for one in page.evaluate(STICKING_OUT)]
    if size:
        page.set_viewport_size(size)
    return found
