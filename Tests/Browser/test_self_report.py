"""A positive test is reported in four steps, without an account and without scripts; an officer decides."""

import re
from datetime import datetime, timezone

import pytest

import campus as made
from browser import DESK, View, check, print_view
from routes import OFFICER, STUDENT
from screens import signed_in

# On a phone without scripts, and where axe looks at each step.
VIEWS = (View(360, 800, has_scripts=False), DESK)
RESULT = """<h1>City Laboratory</h1><p>Name: {name}</p><p>Test: SARS-CoV-2 PCR</p><p>Date of sampling: {day}</p>
<p>Order: QX 7734 1129</p><p>Result: POSITIVE</p>"""


def test_day():
    return str(made.days(datetime.now(timezone.utc))[-1])


@pytest.fixture
def picture(browser, fresh, tmp_path):
    """A screenshot of a result of a laboratory."""
    path = tmp_path / "result.png"
    with browser.visit(fresh.address) as visit:
        visit.page.set_content(RESULT.format(name=made.BEN.name, day=test_day()))
        visit.page.screenshot(path=path)
    return path


def fill_sender(page):
    page.get_by_label("Your full name").fill(made.BEN.name)
    page.get_by_label("Your student or staff number").fill(made.BEN.number)


def go_on(page, step):
    page.get_by_role("button", name="Continue").click()
    page.get_by_text(f"Step {step} of 4").wait_for()


def send(page):
    page.get_by_role("button", name="Send").click()
    page.get_by_role("heading", name="Your result has been received").wait_for()


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_code_reports_in_four_steps(browser, fresh, view):
    code = fresh.code()
    with browser.visit(fresh.address, view) as visit:
        visit.allow(r"status of 422\b")
        page = visit.page
        visit.open("/about")
        page.get_by_role("link", name="Report a positive test").click()
        check(visit, "self-report-start")
        page.get_by_role("link", name="I have a code from the health office").click()
        page.get_by_label("Code").fill("12")
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("alert").wait_for()
        check(visit, "self-report-code-mistake")
        page.get_by_label("Code").fill(code)
        go_on(page, 3)
        fill_sender(page)
        check(visit, "self-report-details")
        go_on(page, 4)
        check(visit, "self-report-review")
        page.get_by_role("link", name="Change something").click()
        assert page.get_by_label("Your full name").input_value() == made.BEN.name
        go_on(page, 4)
        send(page)
        check(visit, "self-report-received")
        digits = code.replace(" ", "")
        assert not any(digits in re.sub(r"%20|\+", "", url) for url in visit.requests)
    assert f'"number":"{made.BEN.number}"' in fresh.run("reports", "--json")


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_picture_is_sent_and_an_officer_confirms(browser, fresh, picture, tmp_path, view):
    document = tmp_path / "result.pdf"
    document.write_bytes(b"%PDF-1.7\n")
    with browser.visit(fresh.address, view) as visit:
        visit.allow(r"status of 422\b")
        page = visit.page
        visit.open("/self-report?with=picture")
        field = page.get_by_label("Picture of the result")
        field.set_input_files(document)
        page.get_by_role("button", name="Continue").click()
        page.get_by_text("The file is a PDF document").wait_for()
        check(visit, "self-report-picture-refused")
        field.set_input_files(picture)
        page.get_by_role("button", name="Continue").click()
        # A machine without the programs that read pictures takes them all the same.
        page.get_by_text(re.compile("We read: positive|nothing could be read")).wait_for(timeout=60_000)
        page.get_by_label("Day of the sample").fill(test_day())
        fill_sender(page)
        check(visit, "self-report-details-picture")
        go_on(page, 4)
        send(page)
    assert f'"number":"{made.BEN.number}"' not in fresh.run("reports", "--json")
    with signed_in(browser, fresh, OFFICER, view) as visit:
        page = visit.page
        visit.open("/overview")
        page.get_by_role("link", name="1 result sent in").click()
        page.get_by_role("region", name="Results sent in").get_by_role("link").click()
        shown = page.get_by_alt_text("Picture of the test result")
        shown.scroll_into_view_if_needed()
        assert shown.evaluate("each => each.complete && each.naturalWidth > 0")
        check(visit, "officer-result-picture")
        path = shown.get_attribute("src")
        # The picture can have another name on it.
        assert not page.get_by_label(made.BEN.name).is_checked()
        page.get_by_text("Compare the name on the picture").wait_for()
        page.get_by_label(made.BEN.name).check()
        page.get_by_role("button", name="Confirm and file").click()
        page.get_by_text("The report is filed.").wait_for()
        check(visit, "officer-result-filed")
        visit.open(path, status=404)
    assert f'"number":"{made.BEN.number}"' in fresh.run("reports", "--json")


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_back_leads_through_all_steps_and_never_to_an_error(browser, fresh, view):
    with browser.visit(fresh.address, view) as visit:
        visit.allow(r"status of 4\d\d\b")
        page = visit.page
        visit.open("/self-report")
        page.get_by_role("link", name="I have a code from the health office").click()
        # A mistake is no answer to a form either.
        page.get_by_label("Code").fill("12")
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("alert").wait_for()
        page.get_by_label("Code").fill("0000 0000")
        go_on(page, 3)
        fill_sender(page)
        go_on(page, 4)
        page.go_back()
        page.get_by_text("Step 3 of 4").wait_for()
        assert page.get_by_label("Your full name").input_value() == made.BEN.name
        page.go_back()
        page.get_by_text("Step 2 of 4").wait_for()
        assert page.get_by_label("Code").input_value() == "0000 0000"
        page.go_forward()
        page.get_by_text("Step 3 of 4").wait_for()
        go_on(page, 4)
        # The code is wrong: step 2 says so, and all else is kept.
        page.get_by_role("button", name="Send").click()
        page.get_by_text("This code is not valid").wait_for()
        page.get_by_label("Code").fill(fresh.code())
        go_on(page, 3)
        assert page.get_by_label("Your full name").input_value() == made.BEN.name
        go_on(page, 4)
        send(page)
        page.go_back()
        page.get_by_role("heading", name="Your result has been received").wait_for()
    assert f'"number":"{made.BEN.number}"' in fresh.run("reports", "--json")


def test_a_student_reports_from_the_own_page_without_typing_a_name(browser, fresh):
    with signed_in(browser, fresh, STUDENT, VIEWS[0]) as visit:
        page = visit.page
        visit.open("/me")
        page.get_by_role("link", name="I tested positive").click()
        page.get_by_role("link", name="I have a code from the health office").click()
        page.get_by_label("Code").fill(fresh.code())
        go_on(page, 3)
        assert f"You report as {made.STELLA.name} ({made.STELLA.number})." in page.get_by_role("main").inner_text()
        go_on(page, 4)
        send(page)
    assert f'"number":"{made.STELLA.number}"' in fresh.run("reports", "--json")


def test_an_officer_issues_codes_and_prints_them(browser, fresh):
    with signed_in(browser, fresh, OFFICER) as visit:
        page = visit.page
        visit.open("/reports")
        page.get_by_role("link", name="Issue codes").click()
        page.get_by_label("Day of the test").fill(test_day())
        page.get_by_label("Number of codes").fill("2")
        page.get_by_role("button", name="Issue codes").click()
        page.get_by_role("heading", name="New codes").wait_for()
        codes = page.locator(".code").all_inner_texts()
        assert len(codes) == 2 and all(re.fullmatch(r"\d{4} \d{4}", code) for code in codes), codes
        check(visit, "officer-codes-issued")
        print_view(visit, "officer-codes", pages=1)
        visit.allow(r"status of 422\b")
        page.reload()
        page.get_by_text("These codes were shown before and cannot be shown again.").wait_for()
        assert page.locator(".code").count() == 0
        assert "4 short" not in page.get_by_role("main").inner_text()
    log = fresh.logged()
    assert not any(code in log or code.replace(" ", "") in log for code in codes)
