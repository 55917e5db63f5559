"""What lecturers come for: from a calendar and a table to a corrected list."""

import re
from datetime import datetime, timezone

import pytest

import campus as made
from browser import DESK, PHONE, View, check
from routes import LECTURER
from tasks import task

NO_SCRIPTS = View(360, 800, has_scripts=False)


def files_of(matcher):
    """Writes the calendar and the table of the lecturer's own course; returns their paths."""
    paths = matcher.path("own.ics"), matcher.path("own.csv")
    texts = (made.timetable(datetime.now(timezone.utc), {"Algorithms": made.ROOMS["Algorithms"]}),
             made.roster({"Algorithms": made.COURSES["Algorithms"]}))
    for path, text in zip(paths, texts):
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return paths


@pytest.mark.parametrize(("view", "by_keyboard"), [
    (PHONE, False), (DESK, False), (DESK, True), (PHONE, True), (NO_SCRIPTS, False), (NO_SCRIPTS, True)],
    ids=lambda value: str(value) if isinstance(value, View) else ("keyboard" if value else "mouse"))
def test_a_lecturer_comes_from_two_files_to_a_corrected_list(browser, without_lectures, view, by_keyboard):
    calendar, table = files_of(without_lectures)
    with task(browser, without_lectures, LECTURER, view, by_keyboard) as lecturer:
        main = lecturer.main
        lecturer.follow(main.get_by_role("link", name="Timetable and roster"))
        lecturer.choose_file(re.compile("^Timetable"), calendar)
        lecturer.choose_file(re.compile("^Roster"), table)
        lecturer.follow(main.get_by_role("button", name="Upload", exact=True))
        lecturer.page.get_by_text("The upload is saved").wait_for()
        day = str(made.days(datetime.now(timezone.utc))[-1])
        lecturer.follow(main.get_by_role("link", name=re.compile(f"Algorithms.*{day}")))
        # Eve was there, but not her badge.
        row = main.get_by_role("row").filter(has=lecturer.page.get_by_role("rowheader", name=made.EVE.name))
        assert "Absent" in row.inner_text()
        lecturer.press(row.locator("summary"))
        lecturer.choose(row.get_by_label("Status"), "present")
        lecturer.write(row.get_by_label("Reason"), "Wrote the test, without the badge.")
        lecturer.follow(row.get_by_role("button", name="Save correction"))
        text = row.inner_text()
        assert "Present" in text and "Corrected from absent to present" in text
        check(lecturer.visit, f"lecturer-corrected-{'keyboard' if by_keyboard else 'mouse'}")
        lecturer.assert_within(clicks=8)
