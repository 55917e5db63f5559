"""Both providers: their own tests, and glewlwyd's login page in the browser, which other tests rely on."""

import http.server
import secrets
import threading
import urllib.parse

import pytest

import glewlwyd
import hostile_provider
from glewlwyd import SCOPES, Glewlwyd, pkce


def test_glewlwyd_is_a_provider_that_refuses_what_is_wrong():
    assert glewlwyd.check() == 0


def test_the_hostile_provider_is_as_bad_as_its_modes_say():
    assert hostile_provider.check() == 0


class Page(http.server.BaseHTTPRequestHandler):
    """Where glewlwyd sends the browser back to."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = b'<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Back</title><h1>Back</h1></html>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def origin():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("granted", [True, False], ids=["granted", "asking"])
def test_people_sign_in_on_glewlwyds_page(browser, origin, granted):
    callback = f"{origin}/sign-in/callback"
    with Glewlwyd([callback], granted=granted) as provider:
        # Everybody else signs in on the page, in the tests of that.
        for login in ("olga", "max") if granted else ("olga",):
            verifier, challenge = pkce()
            query = urllib.parse.urlencode({
                "response_type": "code", "client_id": provider.client_id, "redirect_uri": callback,
                "scope": " ".join(SCOPES), "state": secrets.token_urlsafe(16), "nonce": secrets.token_urlsafe(16),
                "code_challenge": challenge,
                "code_challenge_method": "S256"})
            with browser.visit(origin, others=[provider.base]) as visit:
                visit.page.goto(f"{provider.issuer}/auth?{query}")
                provider.sign_in(visit.page, login)
                assert visit.page.get_by_role("heading", name="Back").is_visible()
                back = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(visit.page.url).query))
            assert provider.exchange(back["code"], callback, verifier).status == 200
