"""What auditors come for, by keyboard alone: who did what, further back, and who is signed in."""

import re

import pytest

import campus as made
from accounts import with_role
from browser import DESK, PHONE, View
from matcher import Client, quick_matcher
from routes import AUDITOR, OFFICER
from tasks import task

# On one page of the audit.
MOST_ENTRIES = 100
VIEWED = 105
OLGA = with_role(OFFICER)
VIEWS = pytest.mark.parametrize("view", [
    PHONE, DESK, View(360, 800, has_scripts=False), View(1280, 900, has_scripts=False)], ids=str)


@pytest.fixture(scope="module")
def audited():
    """A matcher whose audit has more entries of an officer than fit on a page."""
    with quick_matcher() as matcher:
        officer = Client(matcher)
        officer.sign_in(OLGA.login)
        for _ in range(VIEWED):
            assert officer.send("GET", f"/person?number={made.BEN.number}").status == 200
        assert officer.send("GET", "/exposures").status == 200
        yield matcher


@VIEWS
def test_an_auditor_searches_goes_further_back_and_sees_who_is_signed_in_by_keyboard(browser, audited, view):
    with task(browser, audited, AUDITOR, view, by_keyboard=True) as auditor:
        page, main = auditor.page, auditor.main
        auditor.look("auditor-task-audit")
        found = auditor.rows("Audit")
        assert len(found) == MOST_ENTRIES and any("saw exposures" in row for row in found)
        auditor.search("saw person")
        auditor.look("auditor-task-found")
        found = auditor.rows("Audit")
        assert len(found) == MOST_ENTRIES
        assert all("saw person" in row and OLGA.name in row and made.BEN.number in row for row in found), found[0]
        auditor.follow(main.get_by_role("link", name="Older entries"))
        auditor.look("auditor-task-older")
        # The rest, and of the same search.
        assert main.get_by_role("searchbox").input_value() == "saw person"
        found = auditor.rows("Audit")
        assert len(found) == VIEWED - MOST_ENTRIES and all("saw person" in row for row in found), found
        assert main.get_by_role("link", name="Older entries").count() == 0
        auditor.follow(main.get_by_role("link", name="Latest entries"))
        assert len(auditor.rows("Audit")) == MOST_ENTRIES
        auditor.follow(main.get_by_role("link", name="Who is signed in"))
        auditor.look("auditor-task-sessions")
        found = auditor.rows("Sessions")
        for role in (OFFICER, AUDITOR):
            row = next((row for row in found if with_role(role).name in row), "")
            assert re.search(rf"\b{role}\b", row), found
        # What auditors see is in the audit, too.
        auditor.follow(main.get_by_role("link", name="Audit"))
        assert "saw sessions" in auditor.rows("Audit")[0]
        auditor.assert_within(clicks=5, searches=1)
