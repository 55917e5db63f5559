"""People sign in with the institution's account, on the provider's own page, and see what is for their role."""

import html
import re

import pytest

from accounts import ACCOUNTS, with_role
from browser import DESK, PHONE, View
from matcher import SESSION_COOKIE, Client
from routes import FIRST_PAGES, NAVIGATION, ROLES


def begin(visit, matcher):
    """Goes to the provider, from the page for it or from one that leads to that page."""
    for _ in range(2):
        visit.page.get_by_role("main").get_by_role("link", name="Sign in").first.click()
        visit.page.wait_for_load_state()
        if visit.page.url.startswith(matcher.provider.base):
            break


def sign_in(visit, matcher, login):
    """Goes from the page to the provider and back."""
    visit.open("/sign-in")
    begin(visit, matcher)
    matcher.provider.sign_in(visit.page, login)


def visit_of(browser, matcher, view=DESK):
    return browser.visit(matcher.address, view, others=[matcher.provider.base])


@pytest.mark.parametrize("role", ROLES)
def test_each_role_comes_to_its_first_page_and_sees_its_own_entries(browser, campus, role):
    account = with_role(role)
    with visit_of(browser, campus) as visit:
        sign_in(visit, campus, account.login)
        page = visit.page
        page.wait_for_url(f"{campus.address}{FIRST_PAGES[role]}")
        assert page.get_by_role("navigation", name="Pages").get_by_role("link").all_inner_texts() == NAVIGATION[role]
        banner = page.get_by_role("banner")
        assert account.name in banner.inner_text()
        assert role in banner.inner_text()


def test_somebody_without_a_role_is_told_so(browser, campus):
    with visit_of(browser, campus) as visit:
        visit.allow(r"status of 403\b")
        sign_in(visit, campus, "max")
        main = visit.page.get_by_role("main")
        assert "your account has no role on this page, so you are not signed in" in main.inner_text()
        assert visit.page.get_by_role("navigation", name="Pages").get_by_role("link").count() == 0


def test_somebody_without_a_role_can_sign_out_of_the_provider(quick):
    """The provider would sign the same account in again."""
    answer = Client(quick).sign_in("max")
    assert answer.status == 403
    assert f"{quick.provider.issuer}/end-session?" in html.unescape(answer.text)


def test_signing_out_ends_the_session_and_not_only_the_cookie(browser, campus):
    with visit_of(browser, campus) as visit:
        sign_in(visit, campus, "olga")
        visit.page.wait_for_url(f"{campus.address}/overview")
        cookies = visit.context.cookies(campus.address)
        visit.page.get_by_role("button", name="Sign out").click()
        visit.page.wait_for_load_state()
        assert SESSION_COOKIE not in [cookie["name"] for cookie in visit.context.cookies(campus.address)]
        # Somebody who kept the cookie has nothing of it.
        visit.context.add_cookies(cookies)
        visit.allow(r"status of 401\b")
        visit.page.goto(f"{campus.address}/overview")
        assert visit.page.get_by_role("heading", name="Overview").count() == 0


def test_the_cookie_can_not_be_read_by_scripts_or_sent_from_elsewhere(browser, campus):
    with visit_of(browser, campus) as visit:
        sign_in(visit, campus, "olga")
        visit.page.wait_for_url(f"{campus.address}/overview")
        cookie = next(each for each in visit.context.cookies(campus.address) if each["name"] == SESSION_COOKIE)
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
        assert len(cookie["value"]) == 43
        assert visit.page.evaluate("document.cookie") == ""
        assert visit.page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_after_signing_in_one_comes_to_the_page_that_was_asked_for(browser, campus):
    with visit_of(browser, campus) as visit:
        visit.allow(r"status of 401\b")
        visit.page.goto(f"{campus.address}/people?q=Smith")
        begin(visit, campus)
        campus.provider.sign_in(visit.page, "olga")
        visit.page.wait_for_url(f"{campus.address}/people?q=Smith")


def test_the_provider_remembers_who_is_signed_in(browser, campus):
    """A second sign-in of one browser goes through without the login page."""
    with visit_of(browser, campus, PHONE) as visit:
        sign_in(visit, campus, "stella")
        visit.page.wait_for_url(f"{campus.address}/me")
        visit.context.clear_cookies(name=SESSION_COOKIE)
        visit.open("/sign-in")
        visit.page.get_by_role("main").get_by_role("link", name="Sign in").click()
        addresses = (f"{campus.address}/me", f"{campus.provider.base}/login")
        visit.page.wait_for_url(lambda url: url.startswith(addresses))


def test_two_people_at_two_browsers_do_not_see_each_other(browser, campus):
    with visit_of(browser, campus) as first, visit_of(browser, campus) as second:
        sign_in(first, campus, "olga")
        sign_in(second, campus, "stella")
        first.page.reload()
        second.page.reload()
        assert ACCOUNTS["olga"].name in first.page.get_by_role("banner").inner_text()
        assert ACCOUNTS["stella"].name in second.page.get_by_role("banner").inner_text()


@pytest.mark.parametrize("view", [View(has_scripts=False), View(360, 800, has_scripts=False)], ids=str)
def test_the_page_needs_no_scripts_to_sign_in_with_a_link(browser, campus, view):
    """The provider's login page needs scripts; the one-time link doesn't."""
    link = re.search(r"https?://\S+", campus.run("sign-in"))[0]
    with browser.visit(campus.address, view) as visit:
        visit.page.goto(link)
        visit.page.get_by_role("button", name="Sign in").click()
        visit.page.wait_for_load_state()
        assert visit.page.get_by_role("button", name="Sign out").is_visible()
    with browser.visit(campus.address, view) as visit:
        visit.allow(r"status of 4\d\d\b")
        visit.page.goto(link)
        button = visit.page.get_by_role("button", name="Sign in")
        if button.count():
            button.click()
        assert visit.page.get_by_role("button", name="Sign out").count() == 0, "a link signs in once"
