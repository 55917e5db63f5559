"""Debian's chromium, driven by Playwright, and what is asked of every page in it.

Each visit is a context of its own, as a new browser would be, which notes console messages, errors, requests that
failed and requests to anywhere else. A test that leaves one of them fails.
"""

import os
import re
import urllib.parse
from contextlib import contextmanager
from dataclasses import dataclass

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

from processes import Unavailable, program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCREENSHOTS = os.path.join(ROOT, ".build", "screenshots")
# Chromium refuses to run as root with its sandbox, and /dev/shm is small in containers.
ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
# Long enough for a busy machine; a page that takes longer is a failure.
TIMEOUT = 15_000


@dataclass(frozen=True)
class View:
    """How somebody looks at a page."""

    width: int = 1280
    height: int = 900
    scheme: str = "light"
    motion: str = "no-preference"
    has_scripts: bool = True

    def __str__(self):
        name = f"{self.width}-{self.scheme}"
        return name + ("" if self.motion == "no-preference" else "-still") + ("" if self.has_scripts else "-noscript")


PHONE = View(360, 800)
DESK = View()
PAPER = View(794, 1123)
STILL = View(360, 800, "dark", "reduce")
# Each screen is looked at in all of these: both widths and both schemes, once without motion, once without scripts.
VIEWS = (PHONE, DESK, STILL, View(1280, 900, "dark", has_scripts=False))


def origin_of(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


class Visit:
    """A context with one page, and what went wrong in it."""

    def __init__(self, context, view, origin, others):
        self.context, self.view, self.origin = context, view, origin
        self.others = set(others)
        self.problems, self.requests = [], []
        self._allowed = []
        self._answers = []
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("requestfailed", self._failed)
        context.on("request", self._request)
        context.on("response", lambda answer: self._answers.append(answer))
        self.page = context.new_page()
        self.page.set_default_timeout(TIMEOUT)

    def allow(self, pattern):
        """Says that a problem is expected: the console has a line about each page with a status of 400 or more."""
        self._allowed.append(re.compile(pattern))

    def _note(self, kind, text, where):
        # What happens on the provider's own pages is the provider's.
        if origin_of(where) in self.others:
            return
        self.problems.append(f"{kind}: {text} ({where})")

    def _error(self, error):
        self._note("error", str(error.error), error.page.url if error.page else "")

    def _console(self, message):
        location = message.location.get("url") or (message.page.url if message.page else "")
        self._note(f"console {message.type}", message.text, location)

    def _failed(self, request):
        # Leaving a page ends its streams, and a download ends a navigation.
        if request.failure == "net::ERR_ABORTED":
            return
        self._note("failed request", request.failure or "", request.url)

    def _request(self, request):
        self.requests.append(request.url)
        scheme = urllib.parse.urlsplit(request.url).scheme
        if scheme in ("data", "blob"):
            return
        if origin_of(request.url) != self.origin and origin_of(request.url) not in self.others:
            self.problems.append(f"request to another origin: {request.method} {request.url}")

    def open(self, path, status=200):
        """Goes to a page of the origin, and requires its status."""
        if status >= 400:
            self.allow(rf"status of {status}\b")
        answer = self.page.goto(self.origin + path, wait_until="load")
        assert answer is not None and answer.status == status, f"{path}: {answer and answer.status}, not {status}"
        return answer

    def settle(self):
        """Waits until nothing more is fetched: scripts and workers begin when the page is there."""
        count = -1
        while count != len(self.requests):
            count = len(self.requests)
            self.page.wait_for_timeout(1000)

    def transferred(self):
        """Returns the bytes of all answers of the origin, with their headers."""
        total = 0
        for answer in self._answers:
            # A stream has no end, and so no size.
            is_stream = answer.headers.get("content-type", "").startswith("text/event-stream")
            if origin_of(answer.url) == self.origin and not is_stream:
                sizes = answer.request.sizes()
                total += sizes["responseBodySize"] + sizes["responseHeadersSize"]
        return total

    def assert_clean(self):
        left = [each for each in self.problems if not any(pattern.search(each) for pattern in self._allowed)]
        assert not left, "the visit left:\n  " + "\n  ".join(left)


class Browser:
    """One chromium for all tests."""

    def __enter__(self):
        executable = program("chromium")
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        except Exception as error:
            self._playwright.stop()
            raise Unavailable(f"chromium doesn't start: {error}") from error
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._playwright.stop()

    @property
    def version(self):
        return self._browser.version

    @contextmanager
    def visit(self, origin, view=DESK, others=()):
        """Opens a new context; at its end, requires that nothing went wrong in it.

        `others` are origins to which the browser may go as well: the identity provider's."""
        context = self._browser.new_context(
            viewport={"width": view.width, "height": view.height}, color_scheme=view.scheme, reduced_motion=view.motion,
            java_script_enabled=view.has_scripts, locale="en-GB", timezone_id="Europe/Berlin", accept_downloads=True)
        try:
            visit = Visit(context, view, origin, others)
            yield visit
            visit.assert_clean()
        finally:
            context.close()


def picture(name, end):
    os.makedirs(SCREENSHOTS, exist_ok=True)
    return os.path.join(SCREENSHOTS, f"{name}{end}")


def check(visit, name):
    """Looks at a page: accessibility, no scrolling to the side, nothing hidden by motion; keeps a screenshot."""
    page = visit.page
    page.screenshot(path=picture(f"{name}-{visit.view}", ".png"), full_page=True)
    width, inner = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    assert width <= inner, f"{name} scrolls to the side: {width} px in {inner}; {', '.join(wide_elements(page))}"
    if visit.view.motion == "reduce":
        moving = page.evaluate("""document.getAnimations().filter(each => each.playState === 'running'
            && each.effect.getComputedTiming().activeDuration > 1)
            .map(each => each.animationName || each.transitionProperty || 'script')""")
        assert not moving, f"{name} moves although less motion is asked for: {moving}"
    # axe runs in the page, which needs scripts; without, the document is the same.
    if visit.view.has_scripts:
        assert_accessible(page, name)
    if visit.view == DESK:
        page.emulate_media(color_scheme="dark")
        assert_accessible(page, f"{name}, dark")
        page.emulate_media(color_scheme=DESK.scheme)


def assert_accessible(page, name):
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert not violations, f"{name}: axe finds\n" + "\n".join(
        f"  {each['id']}: {each['help']}: " + "; ".join(node["html"][:160] for node in each["nodes"][:5])
        for each in violations)


def wide_elements(page):
    """Returns the elements that reach beyond the window, or whose text does."""
    return page.evaluate("""[...document.querySelectorAll('body *')]
        .filter(each => each.getBoundingClientRect().right > innerWidth + 1
            || each.getBoundingClientRect().left + each.scrollWidth > innerWidth + 1)
        .slice(0, 5).map(each => each.outerHTML.slice(0, 80))""")


# Each that Tab reaches, with what it looks like before. Of radio buttons of one name, one is reached.
_PREPARE = """() => {
    const style = element => {
        const found = getComputedStyle(element);
        return {outline: `${found.outlineStyle} ${found.outlineWidth} ${found.outlineColor}`, shadow: found.boxShadow};
    };
    document.activeElement?.blur();
    const groups = new Set();
    const elements = [...document.querySelectorAll(
        'a[href], area[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]')]
        .filter(each => each.tabIndex >= 0 && !each.disabled && each.type !== 'hidden' && !each.closest('[inert]')
            && each.checkVisibility({visibilityProperty: true}))
        .filter(each => {
            if (each.type !== 'radio') return true;
            const group = `${each.form?.action} ${each.name}`;
            const chosen = document.querySelector(`input[type=radio][name="${CSS.escape(each.name)}"]:checked`);
            if (groups.has(group) || (chosen && chosen !== each)) return false;
            groups.add(group);
            return true;
        });
    globalThis.beaconKeyboard = {elements, style, before: elements.map(style)};
    return elements.map(each => each.outerHTML.slice(0, 120));
}"""
_FOCUSED = """() => {
    const {elements, style, before} = globalThis.beaconKeyboard;
    const active = document.activeElement;
    const index = elements.indexOf(active);
    if (index < 0) return {index, html: active ? active.outerHTML.slice(0, 120) : ''};
    const box = active.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && box.bottom > 0 && box.right > 0
        && box.top < innerHeight && box.left < innerWidth;
    return {index, before: before[index], now: style(active), isSeen, href: active.getAttribute('href'),
        html: active.outerHTML.slice(0, 120)};
}"""


def keyboard(visit):
    """Walks with Tab over everything that can have the focus; returns the accessible names in that order.

    Requires that everything is reached in the order of the document, has a name, is on the screen and looks different
    while it has the focus, that Tab leaves the page after the last, and that the first is the link that skips to the
    content, and works."""
    page = visit.page
    session = visit.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    elements = page.evaluate(_PREPARE)
    seen, names, problems = [], [], []
    # A field for a date has parts, each of which Tab reaches.
    for _ in range(4 * len(elements) + 5):
        page.keyboard.press("Tab")
        found = page.evaluate(_FOCUSED)
        if seen and found["index"] == seen[-1]:
            continue
        if found["index"] < 0:
            if len(seen) < len(elements) and "<body" not in found["html"]:
                problems.append(f"Tab goes to what shouldn't have the focus: {found['html']}")
                continue
            break
        if found["index"] in seen:
            break
        seen.append(found["index"])
        # A transition may need a moment to show it.
        for _ in range(5):
            if _is_indicated(found):
                break
            page.wait_for_timeout(60)
            found = page.evaluate(_FOCUSED)
        if not _is_indicated(found):
            problems.append(f"no focus indicator: {found['html']}")
        if not found["isSeen"]:
            problems.append(f"not on the screen while it has the focus: {found['html']}")
        name = _accessible_name(session)
        names.append(name)
        if not name.strip():
            problems.append(f"no accessible name: {found['html']}")
        if len(seen) == 1:
            if not re.search(r"skip to (the )?(main )?content", name, re.I):
                problems.append(f"the first isn't a link that skips to the content: {found['html']}")
            elif not (found["href"] or "").startswith("#"):
                problems.append(f"the skip link leads to {found['href']}")
    else:
        problems.append(f"Tab doesn't get on from: {found['html']}")
    for before, after in zip(seen, seen[1:]):
        if after < before:
            problems.append(f"not in the order of the document: {elements[after]} after {elements[before]}")
    problems += [f"not reached with Tab: {html}" for index, html in enumerate(elements) if index not in seen]
    if elements and not problems:
        page.evaluate("globalThis.beaconKeyboard.elements[0].focus()")
        page.keyboard.press("Enter")
        if not page.evaluate("document.activeElement === document.querySelector(location.hash || '#none')"):
            problems.append("the skip link doesn't move the focus to the content")
    session.detach()
    assert not problems, "by keyboard:\n  " + "\n  ".join(problems)
    return names


def _is_indicated(found):
    before, now = found.get("before"), found.get("now")
    if not before:
        return False
    style, width = now["outline"].split(" ")[:2]
    has_outline = style != "none" and width != "0px" and now["outline"] != before["outline"]
    return has_outline or (now["shadow"] != "none" and now["shadow"] != before["shadow"])


def _accessible_name(session):
    element = session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
    nodes = session.send("Accessibility.getPartialAXTree", {"objectId": element, "fetchRelatives": False})["nodes"]
    return str(nodes[0].get("name", {}).get("value", "")) if nodes else ""


def print_view(visit, name, pages=20):
    """Prints a page: as a picture and as a PDF of a few pages on A4, without what is for the screen only."""
    page: Page = visit.page
    page.emulate_media(media="print", color_scheme="light")
    try:
        path = picture(name, "-print.pdf")
        page.pdf(path=path, format="A4", print_background=False)
        with open(path, "rb") as file:
            text = file.read()
        assert text.startswith(b"%PDF-"), "not a PDF"
        count = len(re.findall(rb"/Type\s*/Page\b", text))
        assert 1 <= count <= pages, f"{name} prints as {count} pages"
        page.screenshot(path=picture(name, "-print.png"), full_page=True)
        controls = page.evaluate("""[...document.querySelectorAll(
            'nav, button, .button, input:not([type=hidden]), a[href^="#"]')]
            .filter(each => each.checkVisibility()).map(each => each.outerHTML.slice(0, 80))""")
        assert not controls, f"{name} prints what only a screen has a use for: {controls}"
    finally:
        page.emulate_media(media="screen", color_scheme=visit.view.scheme)
    return path
