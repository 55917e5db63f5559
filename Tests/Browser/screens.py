"""The screens of each role, with something on each, and how somebody comes to them."""

import html
import re
from contextlib import contextmanager

import campus as made
from accounts import with_role
from browser import DESK
from matcher import Client
from routes import AUDITOR, LECTURER, OFFICER, OPERATOR, SCREENS, STUDENT

# Without a session.
EVERYBODY = {
    "about": "/about", "offline": "/offline", "sign-in": "/sign-in", "nowhere": "/nowhere", "overview": "/overview",
    "link": "/sign-in/link?token=guessed", "self-report": "/self-report", "self-report-code": "/self-report?with=code",
    "self-report-picture": "/self-report?with=picture", "self-report-received": "/self-report/received?with=code"}
# What is printed, by role.
PRINTED = {
    OFFICER: ("exposures", "reports", "report", "letters", "person", "lecture"),
    LECTURER: ("lectures", "lecture", "timeline", "students"), OPERATOR: ("floor", "gateways"),
    STUDENT: ("me", "my-data"), AUDITOR: ("audit",)}
# Screens with something chosen, searched or empty, which have the same controls as others.
VARIANTS = {
    OFFICER: {
        "reports-all": "/reports?state=all", "people-nobody": "/people?q=Nobody+Known", "people-empty": "/people",
        "person-exposed": f"/person?number={made.CLEO.number}", "person-unknown": "/person?subject=phone:unknown",
        "person-rooms": f"/person?number={made.CLEO.number}&stays=1",
        "person-reasons": f"/person?number={made.CLEO.number}&why=1"},
    LECTURER: {"students": "/lectures?course=Algorithms&students=yes"},
    OPERATOR: {"places-none": "/places?q=nothing+like+this", "gateways-none": "/gateways?building=hb&state=revoked",
               "floor-large": f"/floors/{made.FLOOR}?map=large"},
    # The entry of a self-report has no name.
    AUDITOR: {"audit-nothing": "/audit?q=nothing+like+this", "audit-result": "/audit?q=sent+in+result"},
}


# Screens that another role has too, and sees in every view.
SHARED = {OFFICER: {"lectures", "lecture", "corrections", "timeline", "timetable", "floors", "floor"}}


def name_of(path):
    """Returns a short name: `/floors/{site}/{building}/{floor}` is `floor`."""
    return "-".join(re.findall(r"[a-z0-9]+", path)[-1 if "{" in path else 0:])


@contextmanager
def signed_in(browser, matcher, role, view=DESK):
    """A visit of somebody with a role, who has signed in at a provider that asks for nothing."""
    matcher.provider.control("good", user=with_role(role).login)
    with browser.visit(matcher.address, view, others=[matcher.provider.issuer]) as visit:
        visit.page.goto(f"{matcher.address}/sign-in/start")
        yield visit


def make_busy(matcher):
    """Does what gives every screen something to show: reports of each state, and corrections by hand."""
    confirmed, waiting = matcher.report(), matcher.report(made.FINN, "--self-reported")
    refused = matcher.report(made.LONG, "--self-reported")
    send_result(matcher)
    officer, lecturer = Client(matcher), Client(matcher)
    officer.sign_in(with_role(OFFICER).login)
    answer = officer.post(f"/reports/{refused}/refuse", {
        "token": officer.form_token("/overview"), "reason": "The laboratory knows no such sample, and nobody answers."})
    assert answer.status == 303, answer.text
    result = find(officer, "/reports", r'href="(/results/[^"]+)"')
    lecturer.sign_in(with_role(LECTURER).login)
    lecture = find(lecturer, "/lectures?course=Algorithms", r'href="(/lecture\?[^"]+)"')
    answer = lecturer.post("/lecture/correct", {
        "token": lecturer.form_token("/lectures"), "student": made.EVE.number, "status": "present",
        "lecture": find(lecturer, lecture, r'name="lecture" value="([^"]+)"'),
        "reason": "Wrote the test in the room, without the badge."})
    assert answer.status == 303, answer.text
    # A beacon that nobody has named yet, and codes that no phone has used.
    matcher.run("places", "accept", f"{made.UUID}/9/1", f"{made.FLOOR}/gw-211")
    matcher.run("enrolment", "issue", "--count", "3", "--label", "First semester")
    # Screens whose addresses have an identifier that was made here.
    matcher.made = {
        OFFICER: {"report": f"/reports/{confirmed}", "report-reasons": f"/reports/{confirmed}?why=1",
                  "report-waiting": f"/reports/{waiting}", "lecture": lecture,
                  "letters": f"/letters?report={confirmed}", "result": result},
        LECTURER: {"lecture": lecture}}


def send_result(matcher):
    """Sends in a result with a code, of somebody whom the register does not have."""
    client = Client(matcher)
    client.post("/self-report/code", {"code": matcher.code()})
    client.post("/self-report/details", {
        "name": made.ANNA.name, "number": "9999", "contact": "anna@campus.example"})
    version = find(client, "/self-report?step=review", r'name="version" value="([^"]+)"')
    answer = client.post("/self-report/send", {"version": version})
    assert answer.status == 303 and "received" in answer.location, answer.text


def find(client, path, pattern):
    """Returns the first part of a page that looks so."""
    answer = client.send("GET", path)
    found = re.search(pattern, answer.text)
    assert found, f"{path} has nothing like {pattern}: {answer.status}"
    return html.unescape(found[1])


def screens_of(role, matcher, view=DESK):
    """Returns the paths of a role's screens by names: in light all of them, in dark those that differ."""
    found = {name_of(route.path): route.asked for each, route in SCREENS if each == role}
    found |= matcher.made.get(role, {})
    if view.scheme == "light":
        return found | VARIANTS.get(role, {})
    return {name: path for name, path in found.items() if name not in SHARED.get(role, ())}
