"""A form whose answer takes long says so, with the page's own script."""

import pytest

from browser import DESK, View
from static_site import StaticSite

WORDS = "Waiting for the gateway…"


@pytest.fixture(scope="module")
def site():
    with StaticSite() as site:
        yield site


def submit(visit):
    """Sends the form, after which this browser stays on the page as it does while an answer is awaited."""
    with visit.page.expect_response("**/post"):
        visit.page.get_by_role("button").click()


def test_the_button_says_that_it_waits_and_is_read_out(browser, site):
    with browser.visit(site.origin) as visit:
        visit.open("/waits")
        page = visit.page
        region = page.locator("main > p.hidden[role=status]")
        assert region.text_content() == ""
        submit(visit)
        button = page.get_by_role("button")
        assert button.inner_text() == WORDS and button.is_disabled()
        assert region.text_content() == WORDS
        # The browser shows the page from its memory when somebody comes back.
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        assert button.inner_text() == "Search" and button.is_enabled() and region.text_content() == ""


def test_without_scripts_the_button_stays_as_it_is(browser, site):
    with browser.visit(site.origin, View(DESK.width, DESK.height, has_scripts=False)) as visit:
        visit.open("/waits")
        submit(visit)
        button = visit.page.get_by_role("button")
        assert button.inner_text() == "Search" and button.is_enabled()
