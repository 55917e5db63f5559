"""Forms that don't come from the page, to the session that sends them, change nothing."""

import secrets

import pytest

import campus
from matcher import Client

FORM = {"subject": campus.FINN.subject}


@pytest.fixture
def officer(quick):
    client = Client(quick)
    client.sign_in("olga")
    return client


def reports(matcher):
    return matcher.run("reports", "--json")


def wrong_tokens(client):
    right = client.form_token("/overview")
    other = Client(client.matcher)
    other.sign_in("olga")
    flipped = ("B" if right[0] != "B" else "C") + right[1:]
    return {
        "none": None, "empty": "", "guessed": secrets.token_urlsafe(32),
        "one letter": flipped, "cut": right[:-1], "longer": right + "A",
        "of another session": other.form_token("/overview"), "of the session itself": client.cookies["beacon-session"]}


def test_a_wrong_token_is_refused(officer, quick):
    before = reports(quick)
    for name, token in wrong_tokens(officer).items():
        form = FORM if token is None else FORM | {"token": token}
        answer = officer.post("/file-report", form)
        assert answer.status in (400, 403), f"{name}: {answer.status}"
        # What was typed isn't lost.
        assert campus.FINN.subject in answer.text or answer.status == 400, name
    assert reports(quick) == before


@pytest.mark.parametrize(("origin", "site"), [
    ("https://evil.example", "cross-site"), ("null", "cross-site"), ("http://127.0.0.1:1", "same-site"),
    ("http://localhost:8080", "cross-site")])
def test_a_form_of_another_site_is_refused_although_its_token_is_right(officer, quick, origin, site):
    before = reports(quick)
    answer = officer.post("/file-report", FORM | {"token": officer.form_token("/overview")}, origin=origin, site=site)
    assert answer.status == 403
    assert reports(quick) == before


def test_a_request_that_says_cross_site_is_refused_without_an_origin(officer):
    token = officer.form_token("/overview")
    answer = officer.send("POST", "/file-report", FORM | {"token": token}, {"Sec-Fetch-Site": "cross-site"})
    assert answer.status == 403


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data"])
def test_a_body_of_another_kind_is_refused(officer, kind):
    token = officer.form_token("/overview")
    answer = officer.send("POST", "/file-report", FORM | {"token": token},
                          {"Content-Type": kind, "Origin": officer.matcher.address, "Sec-Fetch-Site": "same-origin"})
    assert answer.status in (400, 403, 415, 422)


def test_a_body_that_is_too_large_is_refused(officer):
    answer = officer.post("/file-report", FORM | {"token": officer.form_token("/overview"), "note": "x" * 100_000})
    assert answer.status == 413


def test_nothing_changes_by_get(officer, quick):
    before = reports(quick)
    for path in ("/file-report", "/sign-out", "/lecture/correct", "/reports/x/confirm"):
        assert officer.send("GET", f"{path}?subject={campus.FINN.subject}").status in (404, 405), path
    assert officer.send("GET", "/overview").status == 200
    assert reports(quick) == before


def test_a_form_of_another_site_is_refused_in_the_browser(browser, quick):
    """As a page of another site would send it: the browser keeps the cookie back, and the matcher refuses."""
    quick.provider.control(user="olga")
    with browser.visit(quick.address, others=[quick.provider.issuer]) as visit:
        visit.allow(r"status of (401|403)\b")
        visit.page.goto(f"{quick.address}/sign-in/start")
        visit.page.wait_for_url(f"{quick.address}/overview")
        before = reports(quick)
        # A page of the provider's origin, which is another.
        visit.page.goto(f"{quick.provider.issuer}/end-session")
        visit.page.evaluate("""([action, fields]) => {
            const form = document.createElement('form');
            form.method = 'post'; form.action = action;
            for (const [name, value] of Object.entries(fields)) {
                const input = document.createElement('input');
                input.name = name; input.value = value; form.append(input);
            }
            document.body.append(form); form.submit();
        }""", [f"{quick.address}/file-report", FORM])
        visit.page.wait_for_url(f"{quick.address}/**")
        assert visit.page.get_by_role("heading", level=1).is_visible()
        assert reports(quick) == before
