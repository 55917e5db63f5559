"""E-mails to people who were exposed, by a mail server with TLS, and what the page says of them."""

import contextlib
import re

import pytest

import campus as made
from accounts import with_role
from browser import PHONE, check
from mail_server import Certificates, MailServer
from matcher import Client, quick_matcher
from processes import wait_until
from routes import OFFICER
from screens import signed_in

FIRST = made.EXPOSED[0]


@pytest.fixture(scope="module")
def certificates():
    with Certificates() as made_here:
        yield made_here


@contextlib.contextmanager
def mailing(certificates, trusts=True, login=None, **options):
    """A matcher that sends e-mails by a server of these tests, where somebody is positive."""
    with MailServer(certificates, login=login, **options) as server:
        more = f'[mail]\nserver = "{server.url}"\nfrom = "Health office <health@campus.example>"\n'
        if login:
            more += 'user = "matcher"\npassword-file = "mail.password"\n'
        with quick_matcher(more=more, authorities=certificates.authority if trusts else None,
                           secrets={"mail.password": login[1]} if login else {}) as matcher:
            # Confirmed on the page, where those who were exposed are found at once.
            matcher.reported = matcher.report(made.BEN, "--self-reported")
            officer = Client(matcher)
            officer.sign_in(with_role(OFFICER).login)
            answer = officer.post(
                f"/reports/{matcher.reported}/confirm", {"token": officer.form_token("/overview")})
            assert answer.status == 303, answer.text
            yield server, matcher


def order(visit, matcher):
    """Orders an e-mail to one person, and returns the row that says what has become of it."""
    visit.open(f"/reports/{matcher.reported}")
    page = visit.page
    row = page.get_by_role("region", name="Letters and e-mails").get_by_role("row").filter(has_text=FIRST.name)
    with page.expect_navigation():
        row.get_by_role("button", name=re.compile("Send")).click()
    assert "The e-mails are being sent." in page.get_by_role("main").inner_text()
    return row


def wait_for(visit, row, pattern):
    """Looks at the page until a row says so; the matcher sends in rounds of some seconds."""
    def says():
        visit.page.reload()
        return re.search(pattern, row.inner_text())
    wait_until(says, f"the page says {pattern!r}", 40)
    return row.inner_text()


@pytest.mark.parametrize("is_wrapped", [True, False], ids=["smtps", "starttls"])
def test_an_e_mail_goes_by_tls_and_the_page_says_that_it_was_sent(browser, certificates, is_wrapped):
    login = ("matcher", "s3cret")
    with mailing(certificates, is_wrapped=is_wrapped, login=login) as (server, matcher):
        with signed_in(browser, matcher, OFFICER, PHONE) as visit:
            row = order(visit, matcher)
            recipient, message, is_safe, is_signed_in = server.taken.get(timeout=40)
            assert recipient == f"{FIRST.number}@campus.example" and is_safe and is_signed_in
            assert f"Dear {FIRST.name}," in message and "HB 2.11" not in message
            assert "Send again" in wait_for(visit, row, r"\bsent\b")
            check(visit, "officer-mail-sent")
        # Before TLS there is nothing but the wish for it.
        plain = [line for line, is_safe in server.commands if not is_safe]
        assert all(re.match("EHLO|STARTTLS", line) for line in plain), plain
        assert server.taken.empty()
        assert "@campus.example" not in matcher.logged()


# Servers to which nothing is sent, and what the page says of each. Rounds of e-mails are seconds apart, so that each of
# these takes long.
DISTRUSTED = {
    "unknown-authority": ({"trusts": False, "is_wrapped": True}, "issuer certificate|self-signed"),
    "unknown-authority-starttls": ({"trusts": False}, "issuer certificate|self-signed"),
    "other-host": ({"certificate": "other-host"}, "no alternative certificate subject name matches|does not match"),
    "ended": ({"certificate": "ended", "is_wrapped": True}, "expired"),
}


@pytest.mark.parametrize("reason", DISTRUSTED)
def test_a_server_whose_certificate_is_wrong_gets_nothing(browser, certificates, reason):
    options, told = DISTRUSTED[reason]
    with mailing(certificates, login=("matcher", "s3cret"), **options) as (server, matcher):
        with signed_in(browser, matcher, OFFICER) as visit:
            row = order(visit, matcher)
            text = wait_for(visit, row, "waits .*certificate")
            check(visit, f"officer-mail-{reason}")
        assert server.taken.empty()
        assert not [line for line, _ in server.commands if re.match("AUTH|MAIL|RCPT", line)], server.commands
        assert re.search(told, text, re.I), text
        matcher.wait_for_log("mail server unusable")


def test_a_server_without_tls_gets_nothing(browser, certificates):
    with mailing(certificates, has_start_tls=False, login=("matcher", "s3cret")) as (server, matcher):
        with signed_in(browser, matcher, OFFICER) as visit:
            wait_for(visit, order(visit, matcher), "waits .")
        assert server.taken.empty()
        assert not [line for line, _ in server.commands if re.match("AUTH|MAIL", line)], server.commands
        matcher.wait_for_log("mail server unusable")


def test_what_is_refused_for_good_has_the_reason_beside_it_and_can_be_sent_again(browser, certificates):
    with mailing(certificates, answers={"RCPT": ["550 5.1.1 no such <person>"]}) as (server, matcher):
        with signed_in(browser, matcher, OFFICER, PHONE) as visit:
            text = wait_for(visit, order(visit, matcher), r"\bfailed\b")
            assert "550 5.1.1 no such <person>" in text
            check(visit, "officer-mail-failed")
            row = order(visit, matcher)
            assert server.taken.get(timeout=40)[0] == f"{FIRST.number}@campus.example"
            wait_for(visit, row, r"\bsent\b")


def test_what_is_put_off_waits_with_the_reason_and_is_sent_a_minute_later(browser, certificates):
    with mailing(certificates, answers={"RCPT": ["451 4.7.1 greylisted"]}) as (server, matcher):
        with signed_in(browser, matcher, OFFICER) as visit:
            row = order(visit, matcher)
            text = wait_for(visit, row, r"waits.*451")
            assert "451 4.7.1 greylisted" in text
            check(visit, "officer-mail-waits")
            assert server.taken.get(timeout=100)[0] == f"{FIRST.number}@campus.example"
            wait_for(visit, row, r"\bsent\b")


def test_a_refused_password_is_said_and_nothing_is_lost(browser, certificates):
    with mailing(certificates, login=("matcher", "s3cret")) as (server, matcher):
        server.login = ("matcher", "another")
        with signed_in(browser, matcher, OFFICER) as visit:
            text = wait_for(visit, order(visit, matcher), r"waits.*535")
            assert "535 5.7.8 wrong password" in text
        assert server.taken.empty()
        assert "s3cret" not in matcher.logged()
