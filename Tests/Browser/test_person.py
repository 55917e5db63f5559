"""A person's own pages: the questionnaire, a signature, the deletion, the page without a network, and news."""

import re

import pytest

import campus as made
from browser import PHONE, check, keyboard
from processes import wait_until
from routes import STUDENT
from screens import signed_in


def test_a_student_answers_the_questionnaire_by_keyboard(browser, fresh):
    with signed_in(browser, fresh, STUDENT, PHONE) as visit:
        page = visit.page
        visit.open("/me")
        page.get_by_role("link", name="Answer the questionnaire").press("Enter")
        page.get_by_role("group", name=re.compile("near somebody")).get_by_label("Yes").press("Space")
        cough = page.get_by_role("group", name="New cough")
        cough.get_by_label("No").focus()
        page.keyboard.press("ArrowRight")
        assert cough.get_by_label("Mild").is_checked()
        page.get_by_role("button", name="Save answers").press("Enter")
        page.get_by_text("Your answers are saved. Only you see them.").wait_for()
        assert "High risk" in page.get_by_role("main").inner_text()
        check(visit, "student-questionnaire-answered")


def test_a_signature_that_is_not_taken_says_why(browser, quick):
    with signed_in(browser, quick, STUDENT, PHONE) as visit:
        visit.allow(r"status of 422\b")
        page = visit.page
        visit.open("/check-in?room=HB+2.11")
        assert page.get_by_label("Room").input_value() == "HB 2.11"
        page.get_by_role("button", name="Check in to the lecture").click()
        page.get_by_role("alert").wait_for()
        check(visit, "student-check-in-refused")
        keyboard(visit)


def test_a_student_deletes_what_is_kept(browser, fresh):
    with signed_in(browser, fresh, STUDENT) as visit:
        visit.allow(r"status of 422\b")
        page = visit.page
        visit.open("/my-data")
        field = page.get_by_label(f"Type your number {made.STELLA.number} to confirm")
        field.fill(made.BEN.number)
        page.get_by_role("button", name="Delete my data").click()
        page.get_by_role("alert").wait_for()
        # The field is far down: the page shows it, and not its top.
        assert field.evaluate("each => each === document.activeElement")
        check(visit, "student-my-data-mistake")
        field.fill(made.STELLA.number)
        page.get_by_role("button", name="Delete my data").click()
        page.get_by_text("Your data is deleted.").wait_for()
        check(visit, "student-my-data-deleted")
    told = fresh.run("people", "list")
    assert made.STELLA.name not in told and made.BEN.name in told


def test_the_page_without_a_network_says_so_and_keeps_nothing_of_a_person(browser, fresh):
    with signed_in(browser, fresh, STUDENT, PHONE) as visit:
        visit.allow("ERR_INTERNET_DISCONNECTED")
        page = visit.page
        visit.open("/me")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        wait_until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"), "the worker is there")
        kept = page.evaluate("""async () => {
            const found = [];
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) {
                    found.push([new URL(request.url).pathname, await (await cache.match(request)).text()]);
                }
            }
            return found;
        }""")
        assert sorted(path for path, _ in kept) == [
            "/assets/icon.svg", "/assets/page.js", "/assets/style.css", "/offline"]
        assert not any(made.STELLA.name in text for _, text in kept)
        visit.context.set_offline(True)
        page.goto(fresh.address + "/me")
        assert page.get_by_role("heading", level=1).inner_text() == "No connection"
        check(visit, "student-offline")
        visit.context.set_offline(False)
        page.get_by_role("link", name="Try again").click()
        page.get_by_role("heading", name="My status").wait_for()


@pytest.mark.parametrize("wants_messages", [False, True], ids=["shown", "message"])
def test_news_is_said_on_the_open_page(browser, fresh, wants_messages):
    with signed_in(browser, fresh, STUDENT) as visit:
        page = visit.page
        if wants_messages:
            visit.context.grant_permissions(["notifications"])
        visit.open("/me")
        if wants_messages:
            page.get_by_role("button", name="Notify me while this page is open").click()
            page.get_by_role("button", name="You are notified while this page is open").wait_for()
        fresh.report()
        page.get_by_text("There is news about you.").wait_for(timeout=30_000)
        check(visit, "student-news")
        page.get_by_role("main").get_by_role("link", name="Refresh").click()
        page.wait_for_load_state()
        assert "There is news about you." not in page.get_by_role("main").inner_text()
