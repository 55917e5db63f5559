"""People who want less motion, and pages on paper."""

import re
from datetime import datetime, timezone

import pytest

import campus as made
from browser import DESK, PAPER, STILL, print_view
from routes import OFFICER, OPERATOR
from screens import signed_in

# Counts what begins to move, whoever moves it.
_COUNT = """() => {
    globalThis.beaconMotions = 0;
    for (const kind of ['transitionrun', 'animationstart']) addEventListener(kind, () => { beaconMotions += 1; }, true);
}"""


def hear_at(matcher, near, number):
    """Publishes what gateways hear of a badge that is at one of them."""
    now = datetime.now(timezone.utc)
    for gateway in made.GATEWAYS:
        rssi = -50.0 if gateway == near else -88.0
        matcher.publish(f"{made.FLOOR}/{gateway}/signals", made.signals(gateway, number, now, {made.EVE.minor: rssi}))


def place_of_dot(page):
    """Returns where the dot is by the document, which a transition doesn't change."""
    marks = page.locator(".map circle.mark")
    return float(marks.first.get_attribute("cx")) if marks.count() else None


@pytest.mark.parametrize(("view", "moves"), [(DESK, True), (STILL, False)], ids=["usual", "reduced"])
def test_a_dot_glides_on_the_map_and_jumps_for_those_who_want_less_motion(browser, fresh, view, moves):
    with signed_in(browser, fresh, OPERATOR, view) as visit:
        page = visit.page
        visit.open(f"/floors/{made.FLOOR}")
        page.evaluate(_COUNT)
        first, last = None, None
        # Long enough at each of two gateways.
        for number in range(1, 61):
            hear_at(fresh, "gw-211" if number < 8 else "gw-212", number)
            last = place_of_dot(page)
            first = last if first is None else first
            if first is not None and abs(last - first) > 2:
                break
            page.wait_for_timeout(1000)
        assert first is not None and abs(last - first) > 2, f"the dot stayed: {first} to {last}"
        assert bool(page.evaluate("beaconMotions")) == moves


def test_each_letter_is_on_a_page_of_its_own(browser, busy):
    with signed_in(browser, busy, OFFICER, PAPER) as visit:
        visit.open(busy.made[OFFICER]["letters"])
        assert visit.page.locator("article.letter").count() == len(made.EXPOSED)
        with open(print_view(visit, "officer-letters"), "rb") as file:
            pages = len(re.findall(rb"/Type\s*/Page\b", file.read()))
        assert pages == len(made.EXPOSED)


def test_paper_is_white_with_black_text_although_the_screen_is_dark(browser, busy):
    with signed_in(browser, busy, OFFICER, STILL) as visit:
        visit.open("/exposures")
        colours = "(() => { const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]; })()"
        screen = visit.page.evaluate(colours)
        visit.page.emulate_media(media="print", color_scheme="dark")
        assert visit.page.evaluate(colours) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"] != screen
