"""The tasks that people come for, and what they see on the way."""

import json
import re
import time
from datetime import datetime, timezone

import pytest

import campus as made
from accounts import with_role
from browser import DESK, PHONE, View, check
from processes import wait_until
from routes import AUDITOR, OFFICER, OPERATOR, STUDENT
from screens import signed_in
from tasks import task


# By mouse and by keyboard alone, on a phone and at a desk, light and dark, and without scripts.
WAYS = pytest.mark.parametrize(("view", "by_keyboard"), [
    (PHONE, False), (DESK, True), (View(1280, 900, "dark", has_scripts=False), False),
    (View(360, 800, "dark", has_scripts=False), True)],
    ids=lambda value: str(value) if isinstance(value, View) else ("keyboard" if value else "mouse"))


def exposed_rows(page):
    """Returns the texts of the rows of a report's page that say who was exposed."""
    return page.get_by_role("region", name="Exposed people").locator("tbody tr").all_inner_texts()


def assert_exposed_and_notified(task):
    """Requires that the page says who was exposed, all of them and nobody else, and that they were notified."""
    rows = exposed_rows(task.page)
    assert len(rows) == len(made.EXPOSED), rows
    for carrier in made.EXPOSED:
        row = next((row for row in rows if carrier.name in row), "")
        assert re.search(r"\bnotified|\bsent\b|\bnotice\b", row, re.I), f"{carrier.name}: {row!r}"
    assert f"{len(made.EXPOSED)} people" in task.main.inner_text()


@WAYS
def test_an_officer_reports_somebody_and_sees_who_was_exposed_and_notified(browser, fresh, view, by_keyboard):
    with task(browser, fresh, OFFICER, view, by_keyboard) as officer:
        officer.search(made.BEN.name)
        officer.follow(officer.main.get_by_role("link", name="Report this person"))
        officer.write_day(officer.main.get_by_label("Day of the test"), made.days(datetime.now(timezone.utc))[-1])
        officer.click("radio", "Confirmed by a test")
        officer.follow(officer.main.get_by_role("button", name="File report"))
        assert_exposed_and_notified(officer)
        officer.assert_within(clicks=6, searches=1)


@WAYS
def test_an_officer_confirms_a_report_that_waits_and_sees_who_was_exposed_and_notified(
        browser, fresh, view, by_keyboard):
    fresh.report(made.BEN, "--self-reported")
    with task(browser, fresh, OFFICER, view, by_keyboard) as officer:
        officer.follow(officer.main.get_by_role("link", name=re.compile("reports that wait")))
        officer.follow(officer.main.get_by_role("region", name="Reports").get_by_role("link").first)
        officer.follow(officer.main.get_by_role("button", name="Confirm report"))
        assert_exposed_and_notified(officer)
        officer.assert_within(clicks=6)


def test_two_people_of_one_name_are_told_apart(browser, busy):
    with signed_in(browser, busy, OFFICER) as visit:
        visit.open("/people?q=Anna+Smith")
        text = visit.page.get_by_role("main").inner_text()
        assert made.ANNA.number in text and made.OTHER_ANNA.number in text


def test_half_a_name_finds_nobody_without_a_choice(browser, busy):
    with signed_in(browser, busy, OFFICER) as visit:
        visit.open("/people?q=Ben")
        assert "/people" in visit.page.url
        visit.page.get_by_role("main").get_by_role("link", name=made.BEN.name).click()
        visit.page.wait_for_url(f"{busy.address}/person?*")


def test_what_others_are_called_is_text_and_not_markup(browser, busy):
    with signed_in(browser, busy, OFFICER) as visit:
        visit.open("/people?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E%22%27")
        assert visit.page.locator("img[src=x]").count() == 0
        check(visit, "officer-people-markup")


def test_a_student_sees_the_risk_and_neither_place_nor_person(browser, busy):
    with signed_in(browser, busy, STUDENT, PHONE) as visit:
        visit.page.wait_for_url(f"{busy.address}/me")
        text = visit.page.get_by_role("main").inner_text()
        assert re.search(r"expos", text, re.I)
        for hidden in (made.BEN.name, made.BEN.number, "HB 2.11", "gw-211"):
            assert hidden not in text, hidden


def test_an_exposure_that_was_looked_at_is_in_the_audit(browser, busy):
    with signed_in(browser, busy, OFFICER) as visit:
        visit.open("/exposures")
    with signed_in(browser, busy, AUDITOR) as visit:
        visit.open("/audit")
        assert with_role(OFFICER).name in visit.page.get_by_role("main").inner_text()


def test_a_badge_that_moves_moves_on_the_map(browser, busy):
    """From what a gateway hears to the dot: the browser has it by events, without a reload."""
    with signed_in(browser, busy, OPERATOR) as visit:
        page = visit.page
        visit.open(f"/floors/{made.FLOOR}")
        before = page.locator("svg circle").count()
        for number in range(1, 16):
            now = datetime.now(timezone.utc)
            for gateway, rssi in (("gw-211", -55.0), ("gw-212", -85.0), ("gw-cor", -80.0)):
                message = made.signals(gateway, number, now, {made.EVE.minor: rssi})
                busy.publish(f"{made.FLOOR}/{gateway}/signals", message)
            if page.locator("svg circle").count() > before:
                break
            page.wait_for_timeout(1000)
        assert page.locator("svg circle").count() > before
        check(visit, "operator-floor-live")


def hear(matcher, number, levels, silent=()):
    """Lets gateways say what they hear: levels of badges by gateway, and nothing from those that are silent."""
    now = datetime.now(timezone.utc)
    for gateway in made.GATEWAYS:
        if gateway not in silent:
            matcher.publish(f"{made.FLOOR}/{gateway}/signals", made.signals(gateway, number, now, levels[gateway]))


def test_a_receiver_that_falls_silent_changes_on_the_map_and_in_the_table_without_a_reload(browser, busy):
    """By its shape and by words, and with a sentence that the map is no longer complete."""
    nobody = {gateway: {made.EVE.minor: -80.0} for gateway in made.GATEWAYS}
    with signed_in(browser, busy, OPERATOR) as visit:
        page = visit.page
        visit.open(f"/floors/{made.FLOOR}")
        sign = page.locator(f'[data-receiver="{made.FLOOR}/gw-211"]')
        row = page.locator(f'[data-state-of="{made.FLOOR}/gw-211"]')
        doubt = page.locator("[data-doubt]")

        def wait(sign_class, words, silent=()):
            # The numbers of messages rise: those of other tests were lower.
            for _ in range(60):
                hear(busy, int(time.time() * 10), nobody, silent)
                if sign_class in (sign.get_attribute("class") or "").split() and words in row.inner_text():
                    return
                page.wait_for_timeout(1000)
            raise AssertionError(f"no {words!r}: {sign.get_attribute('class')}, {row.inner_text()}")

        if not sign.count():
            # Its position is known from its first message on.
            hear(busy, int(time.time() * 10), nobody)
            page.wait_for_timeout(2000)
            visit.open(f"/floors/{made.FLOOR}")
        page.evaluate("globalThis.isSamePage = true")
        wait("good", "heard now")
        assert sign.get_attribute("href").endswith("-good")
        wait("bad", "not heard", silent=("gw-211",))
        assert sign.get_attribute("href").endswith("-bad")
        assert "not heard" in sign.locator("title").text_content()
        doubt.wait_for(state="visible")
        assert "Not all rooms of this floor are heard" in doubt.inner_text()
        assert page.evaluate("globalThis.isSamePage"), "the page was loaded anew"
        check(visit, "operator-floor-silent")


def boxes(page, selector):
    """Returns the rectangles of texts on the map that say something."""
    return page.evaluate("""selector => [...document.querySelectorAll(selector)].filter(each => each.textContent.trim())
        .map(each => { const {left, right, top, bottom} = each.getBoundingClientRect();
            return {text: each.textContent, left, right, top, bottom}; })""", selector)


def overlapping(one, other):
    # Half a pixel is rounding.
    return (one["left"] + 0.5 < other["right"] and other["left"] + 0.5 < one["right"]
            and one["top"] + 0.5 < other["bottom"] and other["top"] + 0.5 < one["bottom"])


def assert_no_overlaps(page):
    people, names = boxes(page, ".map .mark-label"), boxes(page, ".map .name, .map .passage-name")
    assert people and names
    for index, label in enumerate(people):
        for other in names + people[:index]:
            assert not overlapping(label, other), f"{label['text']} covers {other['text']}"
    return people


def test_names_on_the_map_cover_neither_each_other_nor_the_names_of_rooms(browser, busy):
    """Everybody is in one room: as many names as have room, the others in titles and in the table."""
    levels = {"gw-211": {each.minor: -55.0 for each in made.CARRIERS},
              "gw-212": {each.minor: -85.0 for each in made.CARRIERS},
              "gw-cor": {each.minor: -80.0 for each in made.CARRIERS}}
    with signed_in(browser, busy, OFFICER) as visit:
        page = visit.page
        visit.open(f"/floors/{made.FLOOR}")
        table = page.get_by_role("region", name="People by room")
        for _ in range(60):
            hear(busy, int(time.time() * 10), levels)
            if all(each.name in table.inner_text() for each in made.CARRIERS):
                break
            page.wait_for_timeout(1000)
        for each in made.CARRIERS:
            assert each.name in table.inner_text()
            assert page.locator(".map .mark title").filter(has_text=each.name).count(), each.name
        # As the script lays them out, and as the server does.
        assert_no_overlaps(page)
        check(visit, "officer-floor-crowded")
        visit.open(f"/floors/{made.FLOOR}")
        assert_no_overlaps(page)


def test_on_a_phone_the_map_fits_and_a_link_makes_it_larger(browser, busy):
    with signed_in(browser, busy, OPERATOR, PHONE) as visit:
        page = visit.page
        visit.open(f"/floors/{made.FLOOR}")
        region = page.get_by_role("region", name="Map of the floor")
        assert region.evaluate("each => each.scrollWidth <= each.clientWidth")
        page.get_by_role("link", name="Larger map").click()
        page.wait_for_url(f"{busy.address}/floors/{made.FLOOR}?map=large#map")
        region = page.get_by_role("region", name="Map of the floor, which scrolls")
        assert region.evaluate("each => each.scrollWidth > each.clientWidth")
        region.focus()
        page.keyboard.press("ArrowRight")
        # The page's policy forbids what wait_for_function does when it looks a second time.
        wait_until(lambda: region.evaluate("each => each.scrollLeft > 0"), "the map is scrolled")
        page.get_by_role("link", name="Fit the map to the window").click()
        page.wait_for_url(f"{busy.address}/floors/{made.FLOOR}#map")


def test_an_operator_goes_from_the_map_to_who_hears_whom(browser, busy):
    with signed_in(browser, busy, OPERATOR) as visit:
        visit.open(f"/floors/{made.FLOOR}")
        visit.page.get_by_role("link", name="Who hears whom").click()
        visit.page.get_by_role("heading", level=1, name=re.compile("Who hears whom")).wait_for()
        check(visit, "operator-floor-matrix")


def test_the_map_is_a_table_too(browser, busy):
    with signed_in(browser, busy, OPERATOR, PHONE) as visit:
        visit.open(f"/floors/{made.FLOOR}")
        text = visit.page.get_by_role("main").get_by_role("table").first.inner_text()
        for room in ("HB 2.11", "HB 2.12", "corridor"):
            assert room in text


def test_a_form_of_a_session_that_ended_loses_nothing(browser, busy):
    with signed_in(browser, busy, OFFICER) as visit:
        page = visit.page
        visit.open("/new-report")
        field = page.get_by_role("main").get_by_role("textbox").first
        field.fill(made.FINN.subject)
        page.get_by_label("Not confirmed").check()
        visit.context.clear_cookies()
        visit.allow(r"status of (401|403)\b")
        page.get_by_role("main").locator("form").first.get_by_role("button").last.click()
        page.wait_for_load_state()
        assert made.FINN.subject in page.content()
        check(visit, "officer-session-ended")


def test_what_the_command_line_says_is_what_the_page_says(browser, busy):
    day = str(made.days(datetime.now(timezone.utc))[-1])
    lines = busy.run("exposures", "--positive", made.BEN.name, "--from", day, "--to", day, "--json").splitlines()
    told = {line["subject"]["person"]["name"]: line for line in map(json.loads, lines)}
    assert set(told) == {carrier.name for carrier in made.EXPOSED}
    with signed_in(browser, busy, OFFICER) as visit:
        visit.open(busy.made[OFFICER]["report"])
        rows = exposed_rows(visit.page)
        assert len(rows) == len(told)
        for name, line in told.items():
            row = next(row for row in rows if name in row)
            assert f"{line['minutes']:.1f} min" in row and line["place"]["room"] in row, row
