"""Every screen of every role in every view, by keyboard and on paper."""

import pytest

from browser import DESK, PAPER, PHONE, VIEWS, check, keyboard, print_view
from routes import FIRST_PAGES, OFFICER, ROLES
from screens import EVERYBODY, PRINTED, VARIANTS, screens_of, signed_in

FIRST_PAGE_BYTES = 60_000


def problems_of(screens, look):
    """Looks at each of several screens; returns what is wrong with any, so that one doesn't hide another."""
    problems = []
    for name, path in screens.items():
        try:
            look(name, path)
        except AssertionError as error:
            problems.append(str(error))
    return "\n".join(problems)


@pytest.mark.parametrize("view", [PHONE, DESK], ids=str)
@pytest.mark.parametrize("role", ROLES)
def test_the_first_page_of_a_role_is_small_with_all_that_it_fetches(browser, busy, role, view):
    with signed_in(browser, busy, role, view) as visit:
        visit.page.wait_for_url(f"{busy.address}{FIRST_PAGES[role]}")
        visit.settle()
        # The sign-in, the page, its style sheet, icon and scripts, in a browser that has nothing yet.
        assert 10_000 < visit.transferred() < FIRST_PAGE_BYTES


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("role", ROLES)
def test_every_screen_of_a_role(browser, busy, role, view):
    with signed_in(browser, busy, role, view) as visit:
        def look(name, path):
            visit.open(path)
            check(visit, f"{role}-{name}")
            if view == DESK and name not in VARIANTS.get(role, {}):
                keyboard(visit)

        assert not (found := problems_of(screens_of(role, busy, view), look)), found


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_pages_for_everybody(browser, busy, view):
    with browser.visit(busy.address, view) as visit:
        visit.allow(r"status of 4\d\d\b")

        def look(name, path):
            visit.page.goto(busy.address + path)
            check(visit, f"unknown-{name}")
            if view == DESK:
                keyboard(visit)

        assert not (found := problems_of(EVERYBODY, look)), found


@pytest.mark.parametrize("role", PRINTED)
def test_lists_on_paper(browser, busy, role):
    with signed_in(browser, busy, role, PAPER) as visit:
        def look(name, path):
            visit.open(path)
            print_view(visit, f"{role}-{name}")

        screens = screens_of(role, busy)
        assert not (found := problems_of({name: screens[name] for name in PRINTED[role]}, look)), found


def test_a_report_with_mistakes_says_where_they_are(browser, busy):
    with signed_in(browser, busy, OFFICER) as visit:
        visit.allow(r"status of 422\b")
        page = visit.page
        visit.open("/new-report")
        page.get_by_label("Person").fill("Anna Smith")
        page.get_by_label("Not confirmed").check()
        page.get_by_role("button", name="File report").click()
        page.get_by_role("alert").wait_for()
        assert page.get_by_label("Person").get_attribute("aria-invalid") == "true"
        check(visit, "officer-new-report-mistakes")
        keyboard(visit)
