"""Somebody with a task, whose clicks and searches are counted."""

from contextlib import contextmanager

from accounts import with_role
from browser import DESK, check, keyboard

# More than any page has.
MOST_TABS = 300


class Task:
    """Somebody who works by mouse, or `by_keyboard` with Tab, Enter and arrows alone.

    Each activation of a link, button, summary, radio button or file counts as a click, and a choice in a list as two:
    one opens it. By keyboard Enter and Space count. Typing counts neither, nor does moving to a field."""

    def __init__(self, visit, by_keyboard=False):
        self.visit, self.page, self.main = visit, visit.page, visit.page.get_by_role("main")
        self.by_keyboard = by_keyboard
        self.clicks = self.searches = 0

    def reach(self, target, any_of_them=False):
        """Moves the focus to an element with Tab alone."""
        if not any_of_them:
            # Waits for it, and requires that there is one.
            target.wait_for()
        for _ in range(MOST_TABS):
            if target.evaluate_all("found => found.includes(document.activeElement)"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"not reached with Tab: {target}")

    def press(self, target):
        self.clicks += 1
        if self.by_keyboard:
            self.reach(target)
            self.page.keyboard.press("Enter")
        else:
            target.click()

    def click(self, kind, name, within=None):
        target = (within or self.main).get_by_role(kind, name=name).first
        if kind == "radio" and self.by_keyboard:
            self.clicks += 1
            self._move_to(target)
        else:
            self.press(target)

    def _move_to(self, radio):
        """Chooses a radio button. Of those with one name Tab reaches one, and arrows the others."""
        name = radio.get_attribute("name")
        self.reach(self.main.locator(f"input[type=radio][name='{name}']"), any_of_them=True)
        for key in ["Space"] + ["ArrowDown"] * 20:
            if radio.is_checked():
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"not reached with arrows: {radio}")

    def follow(self, target):
        """Presses what leads to another page, and waits for it."""
        with self.page.expect_navigation():
            self.press(target)

    def choose_file(self, label, path):
        with self.page.expect_file_chooser() as chooser:
            self.press(self.main.get_by_label(label))
        chooser.value.set_files(path)

    def choose(self, target, value):
        """Chooses an option of a list, unless it is chosen already."""
        if target.input_value() == value:
            return
        self.clicks += 2
        if not self.by_keyboard:
            target.select_option(value)
            return
        self.reach(target)
        count = target.locator("option").count()
        for key in ["Home"] + ["ArrowDown"] * (count - 1):
            if target.input_value() == value:
                break
            self.page.keyboard.press(key)
        assert target.input_value() == value

    def write(self, target, text):
        if self.by_keyboard:
            self.reach(target)
            self.page.keyboard.type(text)
        else:
            target.fill(text)

    def write_day(self, target, day):
        """Writes a day. By keyboard it has parts, in the order of the browser's language."""
        if not self.by_keyboard:
            target.fill(str(day))
            return
        self.reach(target)
        for order in ("%m%d%Y", "%d%m%Y", "%Y%m%d"):
            self.page.keyboard.type(day.strftime(order))
            if target.input_value() == str(day):
                return
            for _ in range(3):
                self.page.keyboard.press("ArrowLeft")
        raise AssertionError(f"the day is {target.input_value()!r}, not {day}")

    def search(self, text):
        self.searches += 1
        box = self.main.get_by_role("searchbox")
        self.write(box, text)
        with self.page.expect_navigation():
            box.press("Enter")

    def rows(self, region):
        """Returns the texts of a table's rows."""
        return self.page.get_by_role("region", name=region, exact=True).locator("tbody tr").all_inner_texts()

    def look(self, name):
        """Requires that the page works by keyboard, and as every page does."""
        keyboard(self.visit)
        check(self.visit, name)

    def assert_within(self, clicks, searches=0):
        """Requires that the task took at most so many clicks, and exactly so many searches."""
        assert self.clicks <= clicks and self.searches == searches, \
            f"{self.clicks} clicks of at most {clicks}, {self.searches} searches of {searches}"


@contextmanager
def task(browser, matcher, role, view=DESK, by_keyboard=False):
    """Somebody with a role, who begins on the page for signing in."""
    matcher.provider.control("good", user=with_role(role).login)
    with browser.visit(matcher.address, view, others=[matcher.provider.issuer]) as visit:
        visit.open("/sign-in")
        somebody = Task(visit, by_keyboard)
        somebody.follow(somebody.main.get_by_role("link", name="Sign in").first)
        yield somebody
