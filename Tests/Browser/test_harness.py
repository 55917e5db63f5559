"""The harness itself, with made pages: what is good passes, and each planted fault is found."""

import pytest

from browser import DESK, PHONE, STILL, VIEWS, View, check, keyboard, print_view
from matcher import quick_matcher
from static_site import StaticSite
from tasks import Task


@pytest.fixture(scope="module")
def site():
    with StaticSite() as site:
        yield site


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_good_page_passes_in_every_view(browser, site, view):
    with browser.visit(site.origin, view) as visit:
        visit.open("/")
        check(visit, "harness")
        expected = "live" if view.has_scripts else "waiting"
        assert visit.page.get_by_role("status").inner_text() == expected


def test_a_good_page_passes_by_keyboard_without_scripts(browser, site):
    with browser.visit(site.origin, View(has_scripts=False)) as visit:
        visit.open("/")
        assert keyboard(visit)[-1] == "Search"


def test_a_good_page_passes_by_keyboard_and_on_paper(browser, site):
    with browser.visit(site.origin) as visit:
        visit.open("/")
        names = keyboard(visit)
        assert names == ["Skip to content", "Overview", "Reports", "Name", "Badge", "Search"]
        print_view(visit, "harness")
        assert 500 < visit.transferred() < 20_000


def test_a_page_that_is_missing_is_a_problem_unless_expected(browser, site):
    with browser.visit(site.origin) as visit:
        visit.open("/missing", status=404)
    with pytest.raises(AssertionError, match="404"), browser.visit(site.origin) as visit:
        visit.page.goto(site.origin + "/missing")


def test_faults_of_accessibility_are_found(browser, site):
    with browser.visit(site.origin) as visit:
        visit.open("/faults")
        with pytest.raises(AssertionError) as found:
            check(visit, "harness-faults")
    for rule in ("button-name", "color-contrast", "document-title", "html-has-lang", "image-alt", "label",
                 "landmark-one-main", "page-has-heading-one", "region"):
        assert f"{rule}:" in str(found.value)


@pytest.mark.parametrize(("path", "view", "message"), [
    ("/wide", PHONE, "scrolls to the side"),
    ("/wide", DESK, "scrolls to the side"),
    ("/no-focus", STILL, "moves although"),
], ids=str)
def test_faults_of_layout_are_found(browser, site, path, view, message):
    with browser.visit(site.origin, view) as visit:
        visit.open(path)
        with pytest.raises(AssertionError, match=message):
            check(visit, "harness-layout")


@pytest.mark.parametrize(("path", "message"), [
    ("/no-focus", "no focus indicator"),
    ("/no-name", "no accessible name"),
    ("/no-skip", "the first isn't a link that skips"),
    ("/broken-skip", "doesn't move the focus"),
    ("/trap", "not reached with Tab"),
    ("/trap-at-the-end", "doesn't get on from"),
    ("/order", "not in the order of the document"),
])
def test_faults_of_the_keyboard_are_found(browser, site, path, message):
    with browser.visit(site.origin) as visit:
        visit.open(path)
        with pytest.raises(AssertionError, match=message):
            keyboard(visit)


def test_what_only_a_screen_has_a_use_for_is_found_on_paper(browser, site):
    with browser.visit(site.origin) as visit:
        visit.open("/no-focus")
        with pytest.raises(AssertionError, match="prints what only a screen"):
            print_view(visit, "harness-faults")


@pytest.mark.parametrize("by_keyboard", [False, True])
def test_a_task_counts_its_clicks_and_fails_above_the_limit(browser, site, by_keyboard):
    with browser.visit(site.origin) as visit:
        visit.open("/")
        somebody = Task(visit, by_keyboard)
        somebody.click("radio", "Phone")
        assert somebody.main.get_by_label("Phone").is_checked()
        somebody.write(somebody.main.get_by_label("Name"), "Ann")
        somebody.follow(visit.page.get_by_role("link", name="Reports"))
        somebody.assert_within(clicks=2)
        with pytest.raises(AssertionError, match="2 clicks of at most 1"):
            somebody.assert_within(clicks=1)
        with pytest.raises(AssertionError, match="0 searches of 1"):
            somebody.assert_within(clicks=2, searches=1)


def test_a_failure_while_a_matcher_runs_is_a_failure():
    with pytest.raises(AssertionError, match="planted"), quick_matcher():
        raise AssertionError("planted")


@pytest.mark.parametrize(("path", "message"), [
    ("/inline", "Content Security Policy|Content-Security-Policy"),
    ("/elsewhere", "request to another origin|Content Security Policy"),
    ("/error", "planted"),
    ("/missing-script", "404"),
])
def test_what_a_visit_leaves_is_found(browser, site, path, message):
    with pytest.raises(AssertionError, match=message), browser.visit(site.origin) as visit:
        visit.open(path)
