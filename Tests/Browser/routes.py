"""All routes of the page, and which roles may use them: the tests' own table, beside the one of the sources."""

import os
import re
import urllib.parse
from dataclasses import dataclass

import campus
from matcher import ROOT

ANYBODY, SIGNED_IN = "anybody", "signed in"
OFFICER, LECTURER, OPERATOR, STUDENT, AUDITOR = "officer", "lecturer", "operator", "student", "auditor"
ROLES = (OFFICER, LECTURER, OPERATOR, STUDENT, AUDITOR)
# Somebody with an account of the institution and no role, and somebody who isn't signed in.
NOBODY, UNKNOWN = "", None


@dataclass(frozen=True)
class Route:
    """A request of the page."""

    method: str
    # As in the sources: with parameters in braces.
    path: str
    access: object
    # What the tests ask for.
    example: str = ""
    # Whether its form can have files.
    takes_files: bool = False

    @property
    def asked(self):
        return self.example or self.path

    def allows(self, role):
        if self.access == ANYBODY:
            return True
        if self.access == SIGNED_IN:
            return bool(role)
        return role in self.access


_REPORT = "/reports/{report}"
_RESULT = "/results/{result}"
_FLOOR = "/floors/{site}/{building}/{floor}"
ROUTES = (
    Route("GET", "/", ANYBODY),
    Route("GET", "/sign-in", ANYBODY),
    Route("GET", "/sign-in/start", ANYBODY),
    Route("GET", "/sign-in/callback", ANYBODY),
    Route("GET", "/sign-in/link", ANYBODY, "/sign-in/link?token=guessed"),
    Route("POST", "/sign-in/use", ANYBODY),
    Route("POST", "/sign-out", SIGNED_IN),
    Route("GET", "/overview", {OFFICER}),
    Route("GET", "/reports", {OFFICER}),
    Route("GET", "/new-report", {OFFICER}),
    Route("POST", "/file-report", {OFFICER}),
    Route("GET", _REPORT, {OFFICER}, "/reports/unknown"),
    Route("POST", f"{_REPORT}/confirm", {OFFICER}, "/reports/unknown/confirm"),
    Route("POST", f"{_REPORT}/refuse", {OFFICER}, "/reports/unknown/refuse"),
    Route("POST", f"{_REPORT}/withdraw", {OFFICER}, "/reports/unknown/withdraw"),
    Route("POST", f"{_REPORT}/send", {OFFICER}, "/reports/unknown/send"),
    Route("GET", _RESULT, {OFFICER}, "/results/unknown"),
    # A picture, and no page.
    Route("GET", f"{_RESULT}/picture", {OFFICER}, "/results/unknown/picture"),
    Route("POST", f"{_RESULT}/file", {OFFICER}, "/results/unknown/file"),
    Route("POST", f"{_RESULT}/refuse", {OFFICER}, "/results/unknown/refuse"),
    Route("GET", "/codes", {OFFICER}),
    Route("POST", "/codes/issue", {OFFICER}),
    Route("GET", "/exposures", {OFFICER}),
    Route("GET", "/policy", {OFFICER}),
    Route("POST", "/exposures/send", {OFFICER}),
    Route("GET", "/letters", {OFFICER}, "/letters?days=7"),
    Route("GET", "/people", {OFFICER}, "/people?q=Smith"),
    Route("GET", "/person", {OFFICER}, f"/person?number={campus.BEN.number}"),
    Route("POST", "/people/upload", {OFFICER}, takes_files=True),
    Route("GET", "/pending-people", {OFFICER}, "/pending-people?list=unknown"),
    Route("POST", "/people/import", {OFFICER}),
    Route("GET", "/timetable", {LECTURER, OFFICER}),
    Route("POST", "/timetable/upload", {LECTURER, OFFICER}, takes_files=True),
    Route("POST", "/timetable/remove", {LECTURER, OFFICER}),
    Route("GET", "/lectures", {LECTURER, OFFICER}),
    Route("GET", "/lecture", {LECTURER, OFFICER}, "/lecture?id=unknown"),
    Route("GET", "/lecture.csv", {LECTURER, OFFICER}, "/lecture.csv?id=unknown"),
    Route("POST", "/lecture/correct", {LECTURER, OFFICER}),
    Route("GET", "/corrections", {LECTURER, OFFICER}),
    Route("GET", "/timeline", {LECTURER, OFFICER}, f"/timeline?student={campus.STELLA.number}"),
    Route("GET", "/floors", {OPERATOR, OFFICER}),
    Route("GET", _FLOOR, {OPERATOR, OFFICER}, f"/floors/{campus.FLOOR}"),
    Route("GET", f"{_FLOOR}/live", {OPERATOR, OFFICER}, f"/floors/{campus.FLOOR}/live"),
    Route("GET", f"{_FLOOR}/matrix", {OPERATOR}, f"/floors/{campus.FLOOR}/matrix"),
    Route("GET", "/surveys", {OPERATOR}),
    Route("GET", "/new-floor", {OPERATOR}),
    Route("POST", "/create-floor", {OPERATOR}),
    Route("POST", "/import-floors", {OPERATOR}, takes_files=True),
    Route("POST", "/save-floors", {OPERATOR}),
    Route("GET", f"{_FLOOR}/edit", {OPERATOR}, f"/floors/{campus.FLOOR}/edit"),
    Route("POST", f"{_FLOOR}/save", {OPERATOR}, f"/floors/{campus.FLOOR}/save"),
    Route("POST", f"{_FLOOR}/remove", {OPERATOR}, f"/floors/{campus.FLOOR}/remove"),
    Route("POST", f"{_FLOOR}/lay", {OPERATOR}, f"/floors/{campus.FLOOR}/lay", takes_files=True),
    # Neither is a page: one is a download, the other a picture.
    Route("GET", f"{_FLOOR}/plan.toml", {OPERATOR}, "/floors/campus/hb/unknown/plan.toml"),
    Route("GET", f"{_FLOOR}/picture", {OPERATOR}, "/floors/campus/hb/unknown/picture"),
    Route("GET", "/gateways", {OPERATOR}),
    Route("GET", "/coverage", {OPERATOR}),
    Route("GET", "/gateway", {OPERATOR}, f"/gateway?path={urllib.parse.quote(campus.FLOOR + '/gw-211', safe='')}"),
    Route("POST", "/gateway/identify", {OPERATOR}),
    Route("POST", "/gateway/reset", {OPERATOR}),
    Route("POST", "/gateway/revoke", {OPERATOR}),
    Route("POST", "/gateway/restore", {OPERATOR}),
    Route("GET", "/places", {OPERATOR}),
    Route("POST", "/places/accept", {OPERATOR}),
    Route("GET", "/enrolment", {OPERATOR}),
    Route("POST", "/enrolment/revoke", {OPERATOR}),
    Route("GET", "/audit", {AUDITOR}),
    Route("GET", "/sessions", {AUDITOR}),
    Route("GET", "/me", {STUDENT}),
    Route("POST", "/me/mail", {STUDENT}),
    Route("GET", "/me/events", {STUDENT}),
    Route("GET", "/questionnaire", {STUDENT}),
    Route("POST", "/questionnaire/answer", {STUDENT}),
    Route("GET", "/check-in", {STUDENT}, "/check-in?room=HB+2.11"),
    Route("POST", "/check-in/sign", {STUDENT}),
    Route("GET", "/my-data", {STUDENT}),
    Route("POST", "/my-data/erase", {STUDENT}),
    Route("GET", "/self-report", ANYBODY),
    Route("POST", "/self-report/code", ANYBODY),
    Route("POST", "/self-report/picture", ANYBODY, takes_files=True),
    Route("POST", "/self-report/details", ANYBODY),
    Route("POST", "/self-report/send", ANYBODY),
    Route("GET", "/self-report/received", ANYBODY),
    Route("GET", "/about", ANYBODY),
    Route("GET", "/offline", ANYBODY),
    Route("GET", "/manifest.webmanifest", ANYBODY),
    Route("GET", "/worker.js", ANYBODY),
    Route("GET", "/assets/{name}", ANYBODY, "/assets/style.css"),
    Route("GET", "/favicon.ico", ANYBODY),
)
# Streams, which have no end.
STREAMS = ("/live", "/events")
# What each role is shown: the entries of the navigation, in their order. The first is the role's first page.
NAVIGATION = {
    OFFICER: ["Overview", "Reports", "Exposures", "People", "Attendance", "Floors"],
    LECTURER: ["Attendance"],
    OPERATOR: ["Floors", "Gateways"],
    STUDENT: ["My status"],
    AUDITOR: ["Audit"],
}
FIRST_PAGES = {OFFICER: "/overview", LECTURER: "/lectures", OPERATOR: "/floors", STUDENT: "/me", AUDITOR: "/audit"}
# Screens of each role that need nothing more than their address.
SCREENS = tuple(
    (role, route) for route in ROUTES for role in ROLES
    if route.method == "GET" and isinstance(route.access, set) and role in route.access
    and "unknown" not in route.asked and not route.path.endswith(STREAMS))


def of_sources():
    """Returns the methods and paths of the table in the sources."""
    with open(os.path.join(ROOT, "Sources", "Pages", "PageRoute.swift"), encoding="utf-8") as file:
        return {(method.upper(), path) for method, path in re.findall(r'Definition\(\.(\w+), "([^"]+)"', file.read())}
