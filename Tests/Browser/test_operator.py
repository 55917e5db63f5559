"""What operators come for, by keyboard alone: floors, gateways and their modules, coverage, and a floor to draw."""

import json
import re
import subprocess
import threading
import time
from contextlib import contextmanager
from datetime import datetime, timezone

import pytest

import campus as made
from accounts import with_role
from browser import DESK, PHONE, View
from matcher import Client, quick_matcher
from processes import program, stop, wait_until
from routes import OPERATOR
from screens import signed_in
from tasks import task

FLOOR = f"/floors/{made.FLOOR}"
GATEWAY = f"{made.FLOOR}/gw-211"
MODULE = "door"
# What the gateway answers to a command, by the command's name.
ANSWERS = {"identify": "the lights of its adapter flicker", "reset": "it advertises again"}
VIEWS = pytest.mark.parametrize("view", [
    PHONE, DESK, View(360, 800, has_scripts=False), View(1280, 900, has_scripts=False)], ids=str)


@contextmanager
def played_gateway(matcher):
    """Plays a gateway with one module at the matcher's broker; yields the commands that it gets."""
    commands = []
    root = f"beacons/v1/{GATEWAY}"
    listener = subprocess.Popen(
        [program("mosquitto_sub"), "-h", "127.0.0.1", "-p", str(matcher.mqtt_port), "-t", f"{root}/command/+", "-F",
         "%t %p"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def answer():
        for line in listener.stdout:
            topic, _, text = line.partition(" ")
            name, command = topic.rpartition("/")[2], json.loads(text)
            commands.append((name, command["module"]))
            matcher.publish(f"{GATEWAY}/reply/{name}", json.dumps({
                "command": name, "correlation": command["correlation"], "module": command["module"], "ok": True,
                "text": ANSWERS[name]}))

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield commands
    finally:
        stop(listener)
        thread.join(20)
        listener.stdout.close()


def await_reports(matcher):
    """Lets the gateways say that they hear somebody and what module there is, until the matcher knows it."""
    client = Client(matcher)
    client.sign_in(with_role(OPERATOR).login)
    levels = {"gw-211": -55.0, "gw-212": -85.0, "gw-cor": -80.0}
    info = json.dumps({"version": "1.4.0", "modules": [{"name": MODULE, "state": "advertising"}]})
    for number in range(1, 61):
        now = datetime.now(timezone.utc)
        matcher.publish(f"{GATEWAY}/info", info)
        for gateway, level in levels.items():
            matcher.publish(f"{made.FLOOR}/{gateway}/signals", made.signals(
                gateway, number, now, {made.EVE.minor: level}))
        if "1 person" in client.send("GET", FLOOR).text and MODULE in gateway_page(client):
            return
        time.sleep(0.5)
    raise AssertionError("the matcher doesn't know what the gateways say")


def gateway_page(client):
    return client.send("GET", f"/gateway?path={GATEWAY.replace('/', '%2F')}").text


@pytest.fixture
def operated():
    """A matcher that gives commands, with somebody on the floor and a gateway that answers."""
    with quick_matcher(more="[commands]\nsigned = false\n") as matcher, played_gateway(matcher) as commands:
        matcher.commands = commands
        await_reports(matcher)
        yield matcher


def open_entry(operator, name):
    """Follows an entry of the navigation."""
    operator.follow(operator.page.get_by_role("navigation", name="Pages").get_by_role("link", name=name))


@VIEWS
def test_an_operator_sees_who_is_on_a_floor_and_commands_a_module_by_keyboard(browser, operated, view):
    with task(browser, operated, OPERATOR, view, by_keyboard=True) as operator:
        page, main = operator.page, operator.main
        operator.look("operator-task-floors")
        operator.follow(main.get_by_role("link", name="Level 2"))
        operator.look("operator-task-floor")
        # The map as a table, which can be scrolled by keyboard.
        operator.reach(page.get_by_role("region", name="People by room"))
        found = operator.rows("People by room")
        assert any(re.search(r"HB 2\.11\s+1$", row.strip()) for row in found), found
        assert [name for name in made.GATEWAYS if any(name in row for row in operator.rows("Receivers and modules"))] \
            == list(made.GATEWAYS)
        open_entry(operator, "Gateways")
        operator.look("operator-task-gateways")
        # Those that have sent records.
        assert [row.split()[0] for row in operator.rows("Gateways and receivers")] == ["gw-211", "gw-212"]
        operator.choose(main.get_by_label("Building"), "campus/hb")
        operator.follow(main.get_by_role("button", name="Show these gateways"))
        assert main.get_by_label("Building").input_value() == "campus/hb"
        operator.follow(main.get_by_role("link", name="gw-211"))
        operator.look("operator-task-gateway")
        operator.follow(main.get_by_role("button", name=f"Identify {MODULE}"))
        assert f"{MODULE}: {ANSWERS['identify']}" in main.get_by_role("status").all_inner_texts()
        operator.follow(main.get_by_role("button", name=f"Reset {MODULE}"))
        # Nothing is reset before the question is answered.
        assert operated.commands == [("identify", MODULE)]
        operator.look("operator-task-reset")
        operator.follow(main.get_by_role("button", name=f"Reset {MODULE}"))
        assert f"{MODULE}: {ANSWERS['reset']}" in main.get_by_role("status").all_inner_texts()
        assert operated.commands == [("identify", MODULE), ("reset", MODULE)]
        operator.assert_within(clicks=10)


@VIEWS
def test_an_operator_sees_coverage_and_who_hears_whom_by_keyboard(browser, operated, view):
    with task(browser, operated, OPERATOR, view, by_keyboard=True) as operator:
        page, main = operator.page, operator.main
        open_entry(operator, "Gateways")
        operator.follow(main.get_by_role("link", name="Coverage by receivers"))
        operator.look("operator-task-coverage")
        assert "The last hour" in main.inner_text() and len(operator.rows("Coverage of floors")) == 1
        open_entry(operator, "Floors")
        operator.follow(main.get_by_role("link", name="Level 2"))
        operator.follow(main.get_by_role("link", name="Show where badges are heard"))
        operator.look("operator-task-heard")
        found = operator.rows("Where badges are heard")
        assert all(any(room in row for row in found) for _, _, room in made.GATEWAYS.values()), found
        operator.follow(main.get_by_role("link", name="Who hears whom"))
        main.get_by_role("heading", level=1, name=re.compile("Who hears whom")).wait_for()
        operator.look("operator-task-matrix")
        operator.assert_within(clicks=7)


@VIEWS
def test_an_operator_draws_a_floor_by_keyboard(browser, operated, view):
    with task(browser, operated, OPERATOR, view, by_keyboard=True) as operator:
        operator.visit.allow(r"status of 422\b")
        page, main = operator.page, operator.main
        operator.follow(main.get_by_role("link", name="Draw or import a floor"))
        operator.look("operator-task-new-floor")
        for label, text in (("Site, as in", "campus"), ("Building, as in", "annex"), ("Floor, as in", "1"),
                            ("Name for people", "Annex"), ("Width", "20"), ("Depth", "10")):
            operator.write(main.get_by_label(re.compile(f"^{label}")), text)
        operator.follow(main.get_by_role("button", name="Draw this floor"))
        operator.look("operator-task-plan")
        # Drawing in the picture needs scripts, and says where the same is written.
        assert main.get_by_role("toolbar", name="Drawing tools").is_visible() == view.has_scripts
        assert "Everything in the picture is in the tables below" in main.inner_text()
        operator.write(main.get_by_label("Name of room 1", exact=True), "A 101")
        operator.write(main.get_by_label("Corners of room 1", exact=True), "0,0 8,0 8")
        operator.follow(main.get_by_role("button", name="Check, and save nothing"))
        # A mistake leads to its field.
        operator.press(main.get_by_role("link", name=re.compile("Corners of room 1: Found")))
        corners = main.get_by_label("Corners of room 1", exact=True)
        wait_until(lambda: corners.evaluate("each => each === document.activeElement"), "the field has the focus")
        page.keyboard.press("Control+A")
        page.keyboard.type("0,0 8,0 8,6 0,6")
        operator.write(main.get_by_label("Middle of door 1", exact=True), "4,6")
        operator.follow(main.get_by_role("button", name="Check, and save nothing"))
        assert "Nothing was saved yet" in main.inner_text()
        operator.follow(main.get_by_role("button", name="Save the floor"))
        page.wait_for_url("**/floors/campus/annex/1/edit?done=floor-saved")
        operator.look("operator-task-plan-saved")
        operator.follow(main.get_by_role("link", name="campus/annex/1"))
        assert page.locator("svg [data-room='A 101']").count() == 1
        assert any("A 101" in row for row in operator.rows("People by room"))
        operator.assert_within(clicks=8)


def test_a_map_is_live_again_after_the_server_was_not_reached(browser, operated):
    with signed_in(browser, operated, OPERATOR) as visit:
        page = visit.page
        visit.allow(r"status of 502\b")
        # What a proxy answers while the matcher starts: browsers do not try again by themselves.
        page.route("**/live", lambda route: route.fulfill(status=502, body="Bad Gateway"))
        visit.open(FLOOR)
        status = page.locator("[data-status]")
        status.filter(has_text=re.compile("^Connection lost, positions of ")).wait_for(timeout=60_000)
        page.unroute("**/live")
        status.filter(has_text=re.compile("^Live$")).wait_for(timeout=120_000)
