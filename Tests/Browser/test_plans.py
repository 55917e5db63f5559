"""Floors that operators draw: by mouse, by keyboard, and without scripts."""

import re

import campus as made
from browser import PHONE, View, check
from processes import wait_until
from routes import OPERATOR
from screens import signed_in

FLOOR = f"/floors/{made.FLOOR}"
NEW = "/floors/campus/annex/1"
BEGUN = f"{NEW}/edit?width=20&depth=10&name=Annex"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005fe02fe"
    "dccc59e70000000049454e44ae426082")


def at(page, x, y):
    """Returns where a point of the plan is on the screen."""
    return page.evaluate(
        """([x, y]) => {
          const matrix = document.querySelector(".plan-map svg .plan-layer").getScreenCTM();
          const at = new DOMPoint(x, y).matrixTransform(matrix);
          return [at.x, at.y];
        }""", [x, y])


def click(page, *points):
    page.locator(".plan-map").scroll_into_view_if_needed()
    for point in points:
        page.mouse.click(*at(page, *point))


def tool(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def value(page, name):
    return page.locator(f"[name={name}]").input_value()


def save(visit):
    visit.page.get_by_role("button", name="Save the floor").click()
    visit.page.wait_for_url("**/edit?done=floor-saved")


def test_a_room_is_drawn_with_the_mouse_and_is_on_the_map(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page = visit.page
        visit.open(BEGUN)
        tool(page, "Draw a room")
        # Near the corners of the outline, to which the points snap; the last click closes the room.
        click(page, (0.1, 0.1), (8.02, 0.02), (8.02, 6.02), (0.02, 6.0), (0.1, 0.1))
        assert re.fullmatch(r"0,0 8,0(\.\d)? 8,6 0,6", value(page, "room-0-points")), value(page, "room-0-points")
        page.locator("[name=room-0-name]").fill("A 101")
        tool(page, "Set a door")
        click(page, (4, 6))
        assert value(page, "door-0-at").endswith(",6"), value(page, "door-0-at")
        save(visit)
        visit.open(NEW)
        assert page.locator("svg [data-room='A 101']").count() == 1


def test_what_was_drawn_can_be_undone_moved_and_deleted(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page = visit.page
        visit.open(f"{FLOOR}/edit")
        before = value(page, "room-0-points")
        page.locator(".plan-map").scroll_into_view_if_needed()
        start, end = at(page, 7, 6), at(page, 8, 6)
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=5)
        page.mouse.up()
        # Both rooms at the corner, and the wall that ends there, follow.
        for name in ("room-0-points", "room-1-points", "wall-0-points"):
            assert "8,6" in value(page, name), name
        tool(page, "Undo")
        assert value(page, "room-0-points") == before
        tool(page, "Redo")
        assert "8,6" in value(page, "room-0-points")
        click(page, (3, 2))
        tool(page, "Delete what is selected")
        assert value(page, "room-0-name") == "HB 2.12"
        tool(page, "Undo")
        assert value(page, "room-0-name") == "HB 2.11"


def test_the_same_is_drawn_by_keyboard_alone(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page = visit.page
        visit.open(BEGUN)
        page.locator("[name=room-0-name]").focus()
        for text in ("A 101", "0,0 8,0 8,6 0,6", "12"):
            page.keyboard.type(text)
            page.keyboard.press("Tab")
        assert page.locator(".plan-map .room-edge").count() == 1
        page.locator("[name=door-0-at]").focus()
        page.keyboard.type("4,6")
        page.keyboard.press("Enter")
        # Enter in a field sends the form by its first button.
        page.wait_for_url("**/edit?done=floor-saved")


def test_a_floor_is_drawn_without_scripts_and_mistakes_are_named(browser, fresh):
    with signed_in(browser, fresh, OPERATOR, View(has_scripts=False)) as visit:
        page = visit.page
        visit.allow(r"status of 422\b")
        visit.open(BEGUN)
        assert not page.get_by_role("button", name="Draw a room").is_visible()
        page.locator("[name=room-0-name]").fill("A 101")
        page.locator("[name=room-0-points]").fill("0,0 8,0 8")
        page.get_by_role("button", name="Save the floor").click()
        assert value(page, "room-0-points") == "0,0 8,0 8"
        page.get_by_role("link", name=re.compile("Corners of room 1: Found")).click()
        check(visit, "operator-plan-mistake")
        page.locator("[name=room-0-points]").fill("0,0 8,0 8,6 0,6")
        page.get_by_role("button", name="Check, and save nothing").click()
        assert "Nothing was saved yet" in page.get_by_role("main").inner_text()
        save(visit)


def test_of_two_operators_the_second_is_told(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as first, signed_in(browser, fresh, OPERATOR) as second:
        second.allow(r"status of 409\b")
        for visit in (first, second):
            visit.open(f"{FLOOR}/edit")
        first.page.locator("[name=room-0-name]").fill("HB 2.11 new")
        save(first)
        second.page.locator("[name=room-0-name]").fill("HB 2.11 mine")
        second.page.get_by_role("button", name="Save the floor").click()
        second.page.get_by_role("heading", name="Somebody else saved this floor first").wait_for()
        assert value(second.page, "room-0-name") == "HB 2.11 mine"
        assert "HB 2.11 new" in second.page.get_by_role("main").inner_text()
        check(second, "operator-plan-conflict")


def test_a_picture_lies_under_the_drawing(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page = visit.page
        visit.open(f"{FLOOR}/edit")
        page.locator("[name=picture]").set_input_files(
            {"name": "plan.png", "mimeType": "image/png", "buffer": PIXEL})
        for name, text in (("first", "0,0"), ("second", "1,0"), ("distance", "18"), ("place", "0,9")):
            page.locator(f"[name={name}]").fill(text)
        page.get_by_role("button", name="Save the picture").click()
        page.wait_for_url("**/edit?done=picture-saved")
        assert page.locator("svg image.underlay").count() == 1


def test_drawing_and_new_floors_are_accessible_on_a_phone_and_a_desk(browser, busy):
    for view in (PHONE, View(scheme="dark")):
        with signed_in(browser, busy, OPERATOR, view) as visit:
            for name, path in (("plan", f"{FLOOR}/edit"), ("new-floor", "/new-floor")):
                visit.open(path)
                check(visit, f"operator-{name}")


def test_saving_is_in_reach_on_a_phone_and_covers_nothing_that_has_the_focus(browser, fresh):
    with signed_in(browser, fresh, OPERATOR, PHONE) as visit:
        page = visit.page
        visit.open(BEGUN)
        button = page.get_by_role("button", name="Save the floor")
        box = button.bounding_box()
        assert box and 0 < box["y"] and box["y"] + box["height"] <= PHONE.height, box
        page.locator("#room-0-name").focus()
        for _ in range(60):
            page.keyboard.press("Tab")
            covered = page.evaluate("""() => {
                const active = document.activeElement, bar = document.querySelector(".plan-form > p.actions");
                // A table as a whole can be larger than the screen.
                if (bar.contains(active) || !active.matches(".plan-form :is(input, select)")) return false;
                return active.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
            }""")
            assert not covered, page.evaluate("document.activeElement.outerHTML")


def test_a_drawing_that_is_not_saved_is_not_left_without_a_question(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page, kinds = visit.page, []
        visit.open(f"{FLOOR}/edit")

        def stay(dialog):
            kinds.append(dialog.type)
            dialog.dismiss()

        page.on("dialog", stay)
        page.locator("[name=room-0-name]").fill("HB 2.11 new")
        page.get_by_role("main").get_by_role("link", name="Floors", exact=True).click(no_wait_after=True)
        wait_until(lambda: page.wait_for_timeout(50) or kinds, "the browser asks")
        assert kinds == ["beforeunload"]
        assert value(page, "room-0-name") == "HB 2.11 new"
        # Saving it is no loss, and what is saved can be left.
        save(visit)
        page.get_by_role("main").get_by_role("link", name="Floors", exact=True).click()
        page.wait_for_url("**/floors")
        assert kinds == ["beforeunload"]


def test_a_new_row_has_nothing_of_the_one_before(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page = visit.page
        visit.open(BEGUN)
        rows = page.locator("[data-rows=wall] tbody tr")
        count = rows.count()
        for row in range(count):
            page.locator(f"[name=wall-{row}-points]").fill(f"{row + 1},0 {row + 1},2")
            page.locator(f"[name=wall-{row}-attenuation]").fill("13")
        tool(page, "Draw a wall")
        click(page, (15, 3), (15, 7))
        tool(page, "Finish")
        assert rows.count() == count + 1
        assert value(page, f"wall-{count}-points").startswith("15,"), value(page, f"wall-{count}-points")
        assert value(page, f"wall-{count}-attenuation") == ""


def test_an_outline_that_cannot_be_read_stays_as_it_was_typed(browser, fresh):
    with signed_in(browser, fresh, OPERATOR) as visit:
        page = visit.page
        visit.open(f"{FLOOR}/edit")
        page.locator("[name=outline]").fill("0,0 18,0 18")
        page.locator(".plan-map").scroll_into_view_if_needed()
        page.mouse.move(*at(page, 7, 6))
        page.mouse.down()
        page.mouse.move(*at(page, 8, 6), steps=5)
        page.mouse.up()
        assert "8,6" in value(page, "room-0-points")
        assert value(page, "outline") == "0,0 18,0 18"
