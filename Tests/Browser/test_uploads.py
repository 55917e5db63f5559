"""Files with mistakes, sessions that end in the middle of a form, and two officers with one report."""

import re
from datetime import datetime, timezone

import pytest

import campus as made
from accounts import ACCOUNTS
from browser import DESK, PHONE, View, check, keyboard
from matcher import quick_matcher
from routes import LECTURER, OFFICER
from screens import signed_in

NO_SCRIPTS = View(360, 800, has_scripts=False)
OWN = "Algorithms"


def send(visit, name):
    with visit.page.expect_navigation():
        visit.page.get_by_role("button", name=name, exact=True).click()


def choose(visit, label, content, name):
    visit.page.get_by_label(re.compile(f"^{label}")).set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def own_calendar():
    return made.timetable(datetime.now(timezone.utc), {OWN: made.ROOMS[OWN]}).encode()


def own_table():
    return made.roster({OWN: made.COURSES[OWN]}).encode()


def wrong_calendar():
    return re.sub(rb"DTSTART:\d{8}", b"DTSTART:20261331", own_calendar(), count=1)


# Files of which nothing is saved, with what the page has to say of each.
MISTAKES = {
    "calendar-day": ({"Timetable": wrong_calendar}, ["Line 7: DTSTART", "20261331"]),
    "calendar-cut": ({"Timetable": lambda: own_calendar()[:150]}, ["Not accepted"]),
    "calendar-other": ({"Timetable": lambda: b"%PDF-1.7\n"}, ["Not accepted"]),
    "calendar-foreign": (
        {"Timetable": lambda: own_calendar().replace(b"Algorithms", b"Physics")},
        ['Course "Physics"', "must be one of your courses"]),
    "roster-latin-1": (
        {"Roster": lambda: own_table() + "Algorithms,1010,,Jürgen\n".encode("latin-1")},
        ["Line 7: is not UTF-8 text, but Latin-1", "CSV UTF-8"]),
    "roster-rows": (
        {"Roster": lambda: b"course,student,subject,name\nAlgorithms,,,Ann\nAlgorithms,1,badge,Bo\n"
                           b"Algorithms,3,,Di\nAlgorithms,3,,Di\n"},
        ["Line 2, column student", "Line 3, column subject", "Line 5: repeats line 4"]),
    "roster-foreign": (
        {"Roster": lambda: b"course,student,subject\nAlgorithms,1,\nPhysics,2,\nChemistry,3,\n"},
        ["Line 3, column course", "Line 4, column course", "must be one of your courses"]),
    "roster-column": ({"Roster": lambda: b"course,number\nAlgorithms,1\n"}, ["Line 1", "number"]),
    "right-beside-wrong": (
        {"Timetable": own_calendar, "Roster": lambda: b"course,student,subject,name\nAlgorithms,,,Ann\n"},
        ["Line 2, column student"]),
}


@pytest.fixture(scope="module")
def matcher():
    """A matcher of which these tests change nothing: what they upload is refused."""
    with quick_matcher(has_lectures=False) as started:
        yield started


def in_views(mistakes, name):
    """Every case on a phone, and one with mistakes in several rows in other views too: the page is the same."""
    return pytest.mark.parametrize(
        ("name", "view"), [(each, PHONE) for each in mistakes] + [(name, DESK), (name, NO_SCRIPTS)], ids=str)


@in_views(MISTAKES, "roster-rows")
def test_a_timetable_or_roster_with_mistakes_says_where_they_are_and_saves_nothing(browser, matcher, name, view):
    files, told = MISTAKES[name]
    with signed_in(browser, matcher, LECTURER, view) as visit:
        visit.allow(r"status of 422\b")
        page = visit.page
        visit.open("/timetable")
        page.get_by_label(re.compile("^Name of the timetable")).fill("Winter")
        for label, content in files.items():
            choose(visit, label, content(), "wrong.file")
        send(visit, "Upload")
        text = page.get_by_role("main").inner_text()
        assert "Nothing was saved, because of the mistakes below." in text
        for part in told:
            assert part in text, f"{part!r} is not in {text}"
        assert page.get_by_label(re.compile("^Name of the timetable")).input_value() == "Winter"
        check(visit, f"lecturer-{name}")
        visit.open("/timetable")
        assert "Nothing is uploaded." in page.get_by_role("main").inner_text()
        visit.open("/lectures")
        assert page.get_by_role("main").get_by_role("link", name=OWN).count() == 0


PEOPLE = {
    "people-two-names": (
        b"number,name\n1001,Ann\n1002,Bo\n1001,Anna\n", ['Line 4, column name: found "Anna"', "line 2"]),
    "people-one-badge": (
        b"number,name,subject\n1,Ann,phone:a\n2,Bo,phone:a\n",
        ["Line 3, column subject: phone:a belongs to", "line 2"]),
    "people-rows": (
        b"number,name,contact\n,Ann,\n1,=SUM(A1),\n2,Bo,nobody\n3,,\n",
        ["Line 2, column number", "Line 3, column name", "Line 4, column contact", "Line 5, column name"]),
    "people-latin-1": ("number,name\n1,Ann\n2,Jürgen\n".encode("latin-1"), ["Line 3: is not UTF-8 text, but Latin-1"]),
    "people-utf-16": ("number,name\n1,Ann\n".encode("utf-16"), ["UTF-16"]),
    "people-column": (b"number,nam\n1,Ann\n", ['unknown column "nam"', "the column name is missing"]),
    "people-empty": (b"", ["Line 1"]),
}


@in_views(PEOPLE, "people-rows")
def test_a_list_of_people_with_mistakes_says_where_they_are_and_imports_nothing(browser, matcher, name, view):
    content, told = PEOPLE[name]
    before = matcher.run("people", "list")
    with signed_in(browser, matcher, OFFICER, view) as visit:
        visit.allow(r"status of (422|404)\b")
        page = visit.page
        visit.open("/people")
        page.get_by_text("Upload a list of people").click()
        choose(visit, "List of people", content, "wrong.csv")
        send(visit, "Show what changes")
        assert "Nothing was imported, because of the mistakes below." in page.content()
        text = page.get_by_role("main").inner_text()
        for part in told:
            assert part in text, f"{part!r} is not in {text}"
        check(visit, f"officer-{name}")
        visit.open("/pending-people", status=404)
    assert matcher.run("people", "list") == before


def test_two_people_of_one_name_are_imported_as_two(browser, fresh):
    with signed_in(browser, fresh, OFFICER) as visit:
        page = visit.page
        visit.open("/people")
        page.get_by_text("Upload a list of people").click()
        choose(visit, "List of people", b"number,name\n1,Kim Lee\n2,Kim Lee\n", "people.csv")
        page.get_by_label("Keep people who are not in the list").check()
        send(visit, "Show what changes")
        text = page.get_by_role("main").inner_text()
        assert "Kim Lee (1)" in text and "Kim Lee (2)" in text
        check(visit, "officer-pending-people")
        keyboard(visit)
        send(visit, "Import")
        visit.open("/people?q=Kim+Lee")
        assert page.get_by_role("main").get_by_role("link", name="Kim Lee").count() == 2


def test_a_name_with_a_mark_behind_a_quote_is_kept_as_it_was_uploaded(browser, without_lectures):
    """One character of text, of which a file has two: the upload is accepted, and is read again."""
    table = f'course,student,subject,name\n{OWN},1001,,"Stella ""\u0308Star"\n'.encode()
    with signed_in(browser, without_lectures, LECTURER) as visit:
        visit.open("/timetable")
        choose(visit, "Timetable", own_calendar(), "own.ics")
        choose(visit, "Roster", table, "own.csv")
        send(visit, "Upload")
        main = visit.page.get_by_role("main")
        assert main.get_by_role("alert").count() == 0, main.inner_text()
        with visit.page.expect_navigation():
            main.get_by_role("link", name=re.compile(OWN)).first.click()
        # The page puts invisible word joiners around a mark, so that it can join no quote of the markup.
        assert 'Stella "\u0308Star' in main.inner_text().replace("\u2060", "")


def end_sessions(matcher, name):
    """Ends the sessions of an account at the command line, as an operator does."""
    row = next(line for line in matcher.run("sessions", "list").splitlines() if line.startswith(name))
    account = re.split(r" {2,}", row)[1]
    assert "1 session ended" in matcher.run("sessions", "revoke", account)


def sign_in_in_a_new_tab(visit):
    """Does what the page says: signs in there, and comes back."""
    with visit.context.expect_page() as opened:
        visit.page.get_by_role("link", name="Sign in again in a new tab").click()
    tab = opened.value
    with tab.expect_navigation():
        tab.get_by_role("main").get_by_role("link", name="Sign in", exact=True).click()
    tab.get_by_role("button", name="Sign out").wait_for()
    tab.close()


@pytest.mark.parametrize("view", [DESK, PHONE, NO_SCRIPTS], ids=str)
def test_a_reason_that_was_typed_when_the_session_ended_is_sent_after_the_sign_in(browser, fresh, view):
    report = fresh.report(made.BEN, "--self-reported")
    reason = "The laboratory knows no <such> sample."
    with signed_in(browser, fresh, OFFICER, view) as visit:
        visit.allow(r"status of (401|403)\b")
        page = visit.page
        visit.open(f"/reports/{report}")
        page.get_by_label("Reason for the refusal").fill(reason)
        end_sessions(fresh, ACCOUNTS["olga"].name)
        send(visit, "Refuse report")
        assert "nothing that you typed is lost" in page.get_by_role("main").inner_text()
        assert page.get_by_label("reason").input_value() == reason
        check(visit, "officer-refusal-session-ended")
        assert report in fresh.run("reports")
        sign_in_in_a_new_tab(visit)
        # The token is of the session that ended: what was typed is shown once more, to be sent by the new one.
        send(visit, "Send again")
        assert page.get_by_label("reason").input_value() == reason
        check(visit, "officer-refusal-again")
        send(visit, "Send again")
        page.wait_for_url("**/reports?done=refused")
        visit.open("/reports?state=all")
        assert reason in page.get_by_role("main").inner_text()
    assert report not in fresh.run("reports")


def test_files_that_were_chosen_when_the_session_ended_are_asked_for_again(browser, without_lectures):
    with signed_in(browser, without_lectures, LECTURER) as visit:
        visit.allow(r"status of (401|403)\b")
        page = visit.page
        visit.open("/timetable")
        page.get_by_label(re.compile("^Name of the timetable")).fill("Winter term")
        choose(visit, "Timetable", own_calendar(), "own.ics")
        visit.context.clear_cookies()
        send(visit, "Upload")
        text = page.get_by_role("main").inner_text()
        assert "Choose files again" in text
        check(visit, "lecturer-upload-session-ended")
        sign_in_in_a_new_tab(visit)
        send(visit, "Send again")
        assert page.get_by_label("name").input_value() == "Winter term"
        page.get_by_label("File: timetable").set_input_files(
            {"name": "own.ics", "mimeType": "text/calendar", "buffer": own_calendar()})
        send(visit, "Send again")
        page.wait_for_url("**/lectures?done=uploaded*")
        visit.open("/timetable")
        assert "Winter term" in page.get_by_role("main").inner_text()


@pytest.mark.parametrize(("decision", "done"), [("Confirm report", "Confirmed"), ("Refuse report", "Refused")])
def test_the_second_of_two_officers_sees_the_decision_of_the_first(browser, fresh, decision, done):
    report = fresh.report(made.BEN, "--self-reported")
    with signed_in(browser, fresh, OFFICER) as first:
        fresh.provider.control("good", user="omar")
        with browser.visit(fresh.address, PHONE, others=[fresh.provider.issuer]) as second:
            second.page.goto(f"{fresh.address}/sign-in/start")
            for visit in (first, second):
                visit.open(f"/reports/{report}")
            second.page.get_by_label("Reason for the refusal").fill("wrong person")
            if decision == "Refuse report":
                first.page.get_by_label("Reason for the refusal").fill("no such sample")
            send(first, decision)
            second.allow(r"status of 409\b")
            send(second, "Refuse report")
            text = second.page.locator("body").inner_text()
            assert f"{done} by {ACCOUNTS['olga'].name}" in text, text
            check(second, f"officer-second-{done.lower()}")
            keyboard(second)
    assert (report in fresh.run("reports")) == (done == "Confirmed")
    # Nobody but the first has decided.
    assert "wrong person" not in fresh.run("reports")
