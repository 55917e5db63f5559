"""All routes for all roles, by HTTP: who gets what, and the headers of every answer."""

import pytest

import campus as made
from accounts import with_role
from matcher import Client
from routes import ANYBODY, NOBODY, ROLES, ROUTES, SIGNED_IN, STREAMS, UNKNOWN, of_sources

# Of what is allowed: a page, an answer to what wasn't filled in or isn't there, a redirection.
ALLOWED = {200, 303, 400, 404, 409, 422}
POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"}


@pytest.fixture(scope="module")
def clients(quick):
    """Somebody of each role, without a role, and unknown."""
    made = {UNKNOWN: Client(quick)}
    for role in (*ROLES, NOBODY):
        made[role] = Client(quick)
        made[role].sign_in(with_role(role).login)
    return made


def test_the_table_has_every_route_of_the_sources():
    assert {(route.method, route.path) for route in ROUTES} == of_sources()


@pytest.mark.parametrize("role", [*ROLES, NOBODY, UNKNOWN], ids=[*ROLES, "no role", "unknown"])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_who_may_use_what(clients, route, role):
    client = clients[role]
    if route.path == "/sign-out":
        client = Client(client.matcher)
        if role is not UNKNOWN:
            client.sign_in(with_role(role).login)
    if route.path.endswith(STREAMS) and route.allows(role):
        # It has no end: its beginning tells.
        status, kind = client.open_stream(route.asked)
        assert (status, kind) == (200, "text/event-stream"), f"{status} {kind}"
        return
    if route.method == "POST":
        answer = client.post(route.asked, {}, files=route.takes_files)
    else:
        answer = client.send("GET", route.asked)
    assert answer.status != 500
    if route.access == ANYBODY:
        assert answer.status not in (401,), answer.status
    elif role is UNKNOWN or (role == NOBODY and not client.is_signed_in):
        # To the sign-in, or a page that leads there; what was typed isn't lost.
        assert answer.status in (303, 401), answer.status
        if answer.status == 303:
            assert answer.location.removeprefix(client.matcher.address).startswith("/sign-in")
    elif route.method == "POST":
        # There is no form token: who may use the route and who may not are refused alike.
        assert answer.status in (400, 403), answer.status
    elif route.allows(role):
        assert answer.status in ALLOWED, answer.status
        if "unknown" not in route.asked:
            assert answer.status in (200, 303), answer.status
    else:
        assert answer.status == 403, answer.status


@pytest.mark.parametrize("route", [route for route in ROUTES if route.method == "POST" and route.access != ANYBODY],
                         ids=lambda route: route.path)
@pytest.mark.parametrize("role", ROLES)
def test_a_form_with_its_token_is_for_those_who_may_send_it(quick, route, role):
    client = Client(quick)
    client.sign_in(with_role(role).login)
    answer = client.post(route.asked, {"token": client.form_token()}, files=route.takes_files)
    assert answer.status != 500
    if route.access == SIGNED_IN or route.allows(role):
        assert answer.status in ALLOWED, answer.status
    else:
        assert answer.status == 403, answer.status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(clients, method):
    for path in ("/", "/overview", "/sign-out"):
        assert clients["officer"].send(method, path).status in (404, 405), path


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.method == "GET" and not route.path.endswith(STREAMS)],
    ids=lambda route: route.path)
def test_every_answer_has_the_headers(clients, route):
    role = "officer" if route.access in (ANYBODY, SIGNED_IN) else sorted(route.access)[0]
    for client in (clients[role], clients[UNKNOWN]):
        answer = client.send("GET", route.asked)
        headers = answer.headers
        assert set(each.strip() for each in headers["Content-Security-Policy"].split(";") if each.strip()) == POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] in ("no-referrer", "same-origin")
        assert "Access-Control-Allow-Origin" not in headers
        if not route.path.startswith("/assets") and route.path != "/favicon.ico":
            assert "no-store" in headers["Cache-Control"]
        if headers.get_content_type() == "text/html":
            assert "<script>" not in answer.text and " style=" not in answer.text and " onclick=" not in answer.text


def test_the_host_of_a_request_decides_nothing(quick):
    headers = {"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
    answer = Client(quick).send("GET", "/sign-in/start", headers=headers)
    assert "evil.example" not in answer.location + answer.text


@pytest.mark.parametrize("path", [
    "/../etc/passwd", "/assets/../matcher.toml", "/assets/%2e%2e%2fmatcher.toml", "/assets/", "/assets/style.css%00",
    "//overview", "/overview/", "/floors/campus/hb", "/floors/a/b/c", "/reports/%ff", "/people?q=" + "x" * 5000,
    "/lecture?id=%00", "/gateway?path=../.."], ids=lambda path: path[:40])
def test_strange_paths_are_refused_and_break_nothing(clients, path):
    for role in ("officer", "operator", UNKNOWN):
        assert clients[role].send("GET", path).status in (200, 303, 400, 401, 403, 404, 414, 422)


def test_a_lecturer_sees_own_courses_only(quick):
    # The tests of forms have signed in so often that the store has ended earlier sessions of these accounts.
    clients = {role: Client(quick) for role in ("officer", "lecturer")}
    for role, client in clients.items():
        client.sign_in(with_role(role).login)
    officer, lecturer = (client.send("GET", "/lectures").text for client in clients.values())
    assert "Algorithms" in officer and "Physics" in officer
    assert "Algorithms" in lecturer and "Physics" not in lecturer


def test_an_operator_sees_no_names(clients):
    operator = clients["operator"]
    for path in ("/floors", f"/floors/{made.FLOOR}", "/gateways"):
        text = operator.send("GET", path).text
        for carrier in made.CARRIERS:
            assert carrier.name not in text, path
