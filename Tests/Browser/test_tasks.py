"""The tasks that people come for, and what they see on the way."""

import json
import re
from contextlib import contextmanager
from datetime import datetime, timezone

import campus as made
from accounts import with_role
from browser import PHONE, check
from routes import AUDITOR, OFFICER, OPERATOR, STUDENT
from screens import signed_in


class Task:
    """Somebody with a role who begins at the page for signing in, and whose clicks and searches are counted."""

    def __init__(self, visit):
        self.visit, self.page, self.main = visit, visit.page, visit.page.get_by_role("main")
        self.clicks = self.searches = 0

    def click(self, kind, name, within=None):
        self.clicks += 1
        (within or self.main).get_by_role(kind, name=name).first.click()

    def search(self, text):
        self.searches += 1
        box = self.main.get_by_role("searchbox")
        box.fill(text)
        box.press("Enter")


@contextmanager
def task(browser, matcher, role):
    matcher.provider.control("good", user=with_role(role).login)
    with browser.visit(matcher.address, others=[matcher.provider.issuer]) as visit:
        visit.open("/sign-in")
        made = Task(visit)
        made.click("link", "Sign in")
        yield made


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


def test_an_officer_reports_somebody_and_sees_who_was_exposed_and_notified(browser, fresh):
    with task(browser, fresh, OFFICER) as officer:
        officer.search(made.BEN.name)
        officer.click("link", "Report this person")
        officer.main.get_by_label("Day of the test").fill(str(made.days(datetime.now(timezone.utc))[-1]))
        officer.click("radio", "Confirmed by a test")
        officer.click("button", "File report")
        assert_exposed_and_notified(officer)
        assert officer.clicks <= 6 and officer.searches == 1, (officer.clicks, officer.searches)


def test_an_officer_confirms_a_report_that_waits_and_sees_who_was_exposed_and_notified(browser, fresh):
    fresh.report(made.BEN, "--self-reported")
    with task(browser, fresh, OFFICER) as officer:
        officer.click("link", re.compile("reports that wait"))
        officer.main.get_by_role("region", name="Reports").get_by_role("link").first.click()
        officer.clicks += 1
        officer.click("button", "Confirm report")
        assert_exposed_and_notified(officer)
        assert officer.clicks <= 6 and officer.searches == 0, (officer.clicks, officer.searches)


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
