"""A provider that is bad in one way at a time: nobody is signed in, a page says so, and the log says why."""

import html
import re
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import pytest

from browser import check
from hostile_provider import ACCEPTED, ALGORITHMS, MODES, REPLACED
from matcher import SESSION_COOKIE, Client
from processes import request

# What the log says was refused, by mode: the reason of each fits no other mode.
REASONS = {
    "alg-none": r'signed with "none"', "hs256-with-public-key": r'signed with "HS256"',
    "wrong-signature": r"not signed by its key", "other-kid": r"key set does not have exactly once",
    "wrong-aud": r"aud does not contain the client-id", "several-aud-without-azp": r"for several clients.*\(azp\)",
    "wrong-azp": r"issued for client .*\(azp\)", "expired": r"expired at \d+ \(exp",
    "future-iat": r"\(iat, .*in the future", "replayed-nonce": r"answers another sign-in \(nonce\)",
    "missing-nonce": r"no usable nonce", "missing-sub": r"no usable sub\b", "other-issuer": r"ID token is of issuer",
    "other-issuer-in-metadata": r"discovery document .*issuer", "huge-jwks": r"more than \d+ bytes",
    "huge-token": r"more than \d+ bytes", "slow-token": r"identity provider not reached",
    "token-endpoint-500": r"answered 500", "redirecting-token-endpoint": r"status 307", "bad-json": r"status 200.*JSON",
    "error-access-denied": r"refused the sign-in: access_denied", "wrong-state": r"a sign-in that it did not start",
    "missing-state": r"no usable state", "iss-parameter-wrong": r"has iss ", "iss-parameter-missing": r"has no iss;",
}


def test_every_bad_mode_has_a_reason():
    assert set(REASONS) == set(MODES) - ACCEPTED


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_good_tokens_of_each_algorithm_sign_in(distrusting, algorithm):
    distrusting.provider.control("good", algorithm=algorithm)
    client = Client(distrusting)
    assert client.sign_in("olga").status in (302, 303)
    assert client.is_signed_in


@pytest.mark.parametrize("mode", sorted(REASONS))
def test_a_bad_provider_signs_nobody_in(distrusting, mode):
    provider, client = distrusting.provider, Client(distrusting)
    before = len(distrusting.logged())
    provider.control(mode)
    began = time.monotonic()
    if mode == "other-issuer-in-metadata":
        # It is refused before anybody is sent there.
        answer = client.send("GET", "/sign-in/start")
    else:
        answer = client.sign_in("olga")
    spent = time.monotonic() - began
    assert not client.is_signed_in
    assert answer.status in (400, 401, 403, 502, 503, 504), answer.status
    assert "<h1>" in answer.text and answer.headers.get_content_type() == "text/html"
    # Nothing that the provider wrote is markup here.
    assert "<b>The person said no" not in answer.text
    assert spent < 15, f"{spent:.0f} s"
    assert not provider.stolen, "another host was sent the code and the secret"
    distrusting.wait_for_log(f"(?i){REASONS[mode]}", before)
    logged = distrusting.logged()[before:]
    assert provider.client_secret not in logged
    # It works again as soon as the provider does.
    if mode not in ("other-issuer-in-metadata", "huge-jwks"):
        provider.control("good")
        assert client.sign_in("olga").status in (302, 303)
        assert client.is_signed_in


@pytest.mark.parametrize("mode", ["expired", "error-access-denied", "token-endpoint-500"])
def test_the_refusal_is_a_page_that_says_what_to_do(browser, distrusting, mode):
    distrusting.provider.control(mode, user="olga")
    with browser.visit(distrusting.address, others=[distrusting.provider.issuer]) as visit:
        visit.allow(r"status of [45]\d\d\b")
        visit.open("/sign-in")
        visit.page.get_by_role("main").get_by_role("link", name="Sign in").click()
        visit.page.wait_for_url(f"{distrusting.address}/**")
        check(visit, f"refused-{mode}")
        main = visit.page.get_by_role("main")
        assert main.get_by_role("link").count() or main.get_by_role("button").count(), "there is nothing to do next"


def test_clocks_may_be_wrong_by_less_than_a_minute(distrusting):
    distrusting.provider.control("skewed")
    client = Client(distrusting)
    client.sign_in("olga")
    assert client.is_signed_in


def test_a_new_key_is_fetched_once_and_old_ones_are_not_fetched_again(distrusting):
    provider = distrusting.provider
    Client(distrusting).sign_in("olga")
    assert provider.count("/jwks") == 1
    provider.control("rotated-kid")
    for _ in range(3):
        client = Client(distrusting)
        client.matcher.provider.user = "olga"
        start = client.send("GET", "/sign-in/start")
        client.send("GET", request("GET", start.location).location)
        assert client.is_signed_in
    assert provider.count("/jwks") == 1


@pytest.mark.parametrize("mode", sorted(REPLACED))
def test_a_key_that_was_replaced_under_its_name_is_fetched_once(distrusting, mode):
    provider = distrusting.provider
    Client(distrusting).sign_in("olga")
    provider.control(mode)
    for _ in range(3):
        client = Client(distrusting)
        start = client.send("GET", "/sign-in/start")
        client.send("GET", request("GET", start.location).location)
        assert client.is_signed_in
    assert provider.count("/jwks") == 1


@pytest.mark.parametrize("mode", ["other-kid", "wrong-signature"])
def test_forged_tokens_do_not_make_the_matcher_ask_again_and_again(distrusting, mode):
    provider = distrusting.provider
    Client(distrusting).sign_in("olga")
    provider.control(mode, user="olga")
    for _ in range(5):
        client = Client(distrusting)
        start = client.send("GET", "/sign-in/start")
        client.send("GET", request("GET", start.location).location)
        assert not client.is_signed_in
    assert provider.count("/jwks") <= 1


def test_that_keys_could_not_be_fetched_is_said_also_a_moment_later(distrusting):
    distrusting.provider.control("huge-jwks")
    assert Client(distrusting).sign_in("olga").status == 502
    answer = Client(distrusting).sign_in("olga")
    # And not that something is wrong with the token.
    assert answer.status in (403, 502)
    assert "a proof of identity that cannot be accepted" not in answer.text


def test_signing_out_of_the_provider_is_offered_by_a_matcher_that_was_just_started(distrusting):
    answer = Client(distrusting).send("GET", "/sign-in?done=signed-out")
    assert f"{distrusting.provider.issuer}/end-session?" in html.unescape(answer.text)


def test_many_who_begin_at_once_make_the_matcher_ask_once(distrusting):
    distrusting.provider.control("slow-metadata")
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(lambda _: Client(distrusting).send("GET", "/sign-in/start").status, range(16)))
    assert set(statuses) <= {302, 303}
    assert distrusting.provider.count("/.well-known/openid-configuration") == 1


class TestTheCallback:
    """What is asked of the callback of a sign-in that the provider did well."""

    @staticmethod
    def callback(client):
        start = client.send("GET", "/sign-in/start")
        return request("GET", start.location).location

    def test_belongs_to_the_browser_that_began(self, distrusting):
        mine, others = Client(distrusting), Client(distrusting)
        distrusting.provider.control(user="olga")
        location = self.callback(mine)
        # Somebody is made to open another's callback, and would go on under another's name.
        self.callback(others)
        answer = others.send("GET", location)
        assert answer.status in (400, 401, 403)
        assert not others.is_signed_in
        distrusting.wait_for_log("a sign-in that it did not start")
        stranger = Client(distrusting)
        assert stranger.send("GET", location).status in (400, 401, 403)
        assert not stranger.is_signed_in

    def test_is_used_once(self, distrusting):
        client = Client(distrusting)
        distrusting.provider.control(user="olga")
        location = self.callback(client)
        assert client.send("GET", location).status in (302, 303)
        tokens = distrusting.provider.count("/token")
        del client.cookies[SESSION_COOKIE]
        assert client.send("GET", location).status in (400, 401, 403)
        assert not client.is_signed_in
        assert distrusting.provider.count("/token") == tokens

    def test_is_for_each_of_two_tabs(self, distrusting):
        client = Client(distrusting)
        distrusting.provider.control(user="olga")
        tabs = [self.callback(client) for _ in range(2)]
        for location in tabs:
            answer = client.send("GET", location)
            assert answer.status in (302, 303), answer.text
            assert client.is_signed_in

    def test_without_the_cookie_is_one_line_a_minute_with_the_client(self, distrusting):
        before = len(distrusting.logged())
        for _ in range(20):
            assert Client(distrusting).send("GET", "/sign-in/callback?code=x&state=y").status == 403
        distrusting.wait_for_log("sign-in refused", before)
        lines = [line for line in distrusting.logged()[before:].splitlines() if "sign-in refused" in line]
        assert len(lines) == 1 and "127.0.0.1" in lines[0], lines

    @pytest.mark.parametrize("query", ["", "code=x", "state=x", "code=x&state=x", "code=x&code=y&state=x",
                                       "error=a&code=b", "state=" + "s" * 8000, "code=%00&state=%ff"])
    def test_without_a_beginning_is_refused(self, distrusting, query):
        answer = Client(distrusting).send("GET", f"/sign-in/callback?{query}")
        assert 400 <= answer.status < 500
        assert distrusting.provider.count("/token") == 0

    def test_makes_a_new_session(self, distrusting):
        client = Client(distrusting)
        client.cookies["beacon-session"] = "A" * 43
        client.sign_in("olga")
        assert client.is_signed_in
        assert client.cookies["beacon-session"] != "A" * 43

    @pytest.mark.parametrize("to", ["https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)",
                                    "\thttps://a.example"])
    def test_leads_to_nowhere_else(self, distrusting, to):
        client = Client(distrusting)
        distrusting.provider.control(user="olga")
        for name in ("to", "return", "next"):
            start = client.send("GET", f"/sign-in/start?{urllib.parse.urlencode({name: to})}")
            if start.status not in (302, 303):
                continue
            answer = client.send("GET", request("GET", start.location).location)
            assert re.match(r"^(/[^/\\]|/$)", answer.location.removeprefix(distrusting.address)), answer.location
