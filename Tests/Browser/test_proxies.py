"""nginx and Caddy in front of the page, from the files of deploy/: what they pass on, and what they add."""

import http.server
import itertools
import re
import socket
import socketserver
import subprocess
import threading
import time
from datetime import datetime, timezone

import pytest

import campus as made
from accounts import with_role
from hostile_provider import HostileProvider
from matcher import Matcher
from processes import free_ports, request, stop, wait_until
from proxies import HOST, KINDS, Curl, Proxy
from routes import OPERATOR

SECURE_COOKIE = "__Host-beacon-session"
LARGEST = 11 * 1024 * 1024
# Where the matcher listens.
WAYS = ("port", "socket")
LIVE = f"/floors/{made.FLOOR}/live"


class Behind:
    """A matcher behind a proxy, and somebody who asks."""

    def __init__(self, proxy, matcher, upstream):
        self.proxy, self.matcher, self.upstream = proxy, matcher, upstream

    def curl(self, login=None):
        curl = Curl(self.proxy)
        if login:
            self.matcher.provider.control("good", user=login)
            start = curl.send("/sign-in/start")
            assert start.status in (302, 303), f"/sign-in/start answers {start.status}: {start.text[:500]}"
            back = request("GET", start.location)
            assert back.location.startswith(self.proxy.address), back.location
            curl.signed_in = curl.send(back.location)
        return curl


@pytest.fixture(scope="module", params=[(kind, way) for kind in KINDS for way in WAYS],
                ids="-".join)
def behind(request, tmp_path_factory):
    kind, way = request.param
    ports = free_ports(3)
    address = f"https://{HOST}:{ports[1]}"
    with HostileProvider([f"{address}/sign-in/callback"]) as provider:
        path = str(tmp_path_factory.mktemp("socket") / "api.sock")
        listen = f"127.0.0.1:{ports[2]}" if way == "port" else f"unix:{path}"
        with Matcher(address, provider, listen) as matcher:
            matcher.fill()
            upstream = listen if way == "port" else path
            with Proxy(kind, upstream, ports[:2]) as proxy:
                yield Behind(proxy, matcher, upstream)


def test_http2_is_negotiated_and_the_page_is_passed_on(behind):
    curl = behind.curl()
    answer = curl.send("/sign-in")
    assert (answer.status, answer.version) == (200, "2"), answer.text[:500]
    assert "Sign in" in answer.text
    assert len(answer.all("content-security-policy")) == 1
    style = re.search(r'href="(/assets/style\.css[^"]*)"', answer.text)[1]
    assert curl.send(style).all("content-type") == ["text/css; charset=utf-8"]


def test_the_api_is_passed_on(behind):
    answer = behind.curl().send("/v1/keys")
    assert answer.status == 200
    assert answer.all("content-type")[0].startswith("application/json")


def test_the_session_is_in_a_cookie_that_only_this_host_gets_by_https(behind):
    curl = behind.curl(with_role(OPERATOR).login)
    assert curl.signed_in.status in (302, 303), curl.signed_in.text[:500]
    cookie = next(each for each in curl.signed_in.all("set-cookie") if each.startswith(f"{SECURE_COOKIE}="))
    attributes = {each.strip().lower() for each in cookie.split(";")[1:]}
    assert {"secure", "httponly", "path=/", "samesite=lax"} <= attributes
    assert not any(each.startswith("domain") for each in attributes)
    floor = curl.send(f"/floors/{made.FLOOR}")
    assert floor.status == 200, floor.text[:500]


def test_a_form_of_the_page_is_accepted(behind):
    curl = behind.curl(with_role(OPERATOR).login)
    token = re.search(r'name="token" value="([^"]+)"', curl.send("/floors").text)[1]
    form = ("--data-urlencode", f"token={token}")
    assert curl.send("/sign-out", *form, "--header", "Origin: https://elsewhere.example").status == 403
    assert curl.send("/sign-out", *form, "--header", f"Origin: {behind.proxy.address}").status == 303
    assert curl.send("/floors").location.startswith("/sign-in")


@pytest.mark.parametrize("forged", ["192.0.2.7", "192.0.2.7, 198.51.100.3", "unknown"])
def test_the_client_is_who_the_proxy_saw_whatever_it_says(behind, forged):
    curl = behind.curl(with_role(OPERATOR).login)
    before = len(behind.matcher.logged())
    assert curl.send("/gateways", "--header", f"X-Forwarded-For: {forged}", "--header",
                     f"Forwarded: for={forged.split(',')[0]}").status == 200
    behind.matcher.wait_for_log(r"GET /gateways", before)
    line = next(line for line in behind.matcher.logged()[before:].splitlines() if "GET /gateways" in line)
    assert re.search(rf"client={re.escape(Curl.ADDRESS)}\b", line), line


def test_events_are_passed_on_at_once(behind):
    curl = behind.curl(with_role(OPERATOR).login)
    proxied, direct = Stream(curl.command(LIVE)), Stream(curl.direct(LIVE, behind.upstream))
    with proxied, direct:
        wait_until(lambda: "data:" in proxied.text and "data:" in direct.text, "both streams begin", 10)
        assert proxied.text.startswith("HTTP/2 200"), proxied.text[:300]
        assert "text/event-stream" in proxied.text
        # What is heard now is seen now, on the connection that stays open.
        for number in range(20):
            behind.matcher.publish(
                f"{made.FLOOR}/gw-211/signals",
                made.signals("gw-211", int(time.time()) + number, datetime.now(timezone.utc), {made.BEN.minor: -50}))
            time.sleep(1)
            if direct.seen:
                break
        wait_until(lambda: direct.seen and proxied.seen, "somebody is seen in both streams", 5)
        assert proxied.seen - direct.seen < 0.5


class Stream(threading.Thread):
    """A stream of events that a process receives; `seen` is when somebody's position came."""

    def __init__(self, command):
        super().__init__(daemon=True)
        self.text, self.seen = "", None
        self.process = subprocess.Popen(
            [*command, "--no-buffer", "--include", "--max-time", "60"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, bufsize=0)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        stop(self.process)
        self.join(10)
        self.process.stdout.close()

    def run(self):
        while part := self.process.stdout.read(65536):
            self.text += part.decode("utf-8", errors="replace")
            if '"x"' in self.text and not self.seen:
                self.seen = time.monotonic()


@pytest.mark.parametrize("path", ["/sign-in", "/overview", "/nowhere", "/v1/keys", "/v1/nowhere"])
def test_browsers_are_told_to_come_by_https_only(behind, path):
    answer = behind.curl().send(path)
    assert answer.all("strict-transport-security") == ["max-age=31536000"], answer.status


def test_requests_by_http_are_sent_to_https(behind):
    answer = behind.curl().send(f"http://{HOST}:{behind.proxy.http}/people?q=a%20b")
    assert answer.status in (301, 308)
    # Caddy leaves out the port that it takes for the one of https.
    assert re.fullmatch(rf"https://{re.escape(HOST)}(:{behind.proxy.https})?/people\?q=a%20b", answer.location)


class _Counting(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_):
        pass

    def do_POST(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            count = 0
            while size := int(self.rfile.readline() or b"0", 16):
                count += len(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
        else:
            count = len(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.received.append(count)
        body = str(count).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Counter(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True

    def __init__(self, address):
        super().__init__(address, _Counting)
        self.received = []

    def handle_error(self, *_):
        """The proxy may break off."""


class _SocketCounter(_Counter):
    address_family = socket.AF_UNIX


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_bodies_of_more_than_11_megabytes_never_reach_the_matcher(kind, way, tmp_path):
    # The matcher has smaller limits of its own, so something else counts.
    server = _Counter(("127.0.0.1", 0)) if way == "port" else _SocketCounter(str(tmp_path / "api.sock"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = server.server_address
        with Proxy(kind, address if way == "socket" else f"127.0.0.1:{address[1]}") as proxy:
            curl = Curl(proxy)
            # The matcher takes forms of exactly 11 MB.
            for size, chunked in itertools.product((LARGEST - 1_000_000, 11_000_000), (False, True)):
                answer = curl.send("/people/upload", *body(tmp_path, size, chunked))
                assert (answer.status, answer.text) == (200, str(size))
            server.received.clear()
            # The proxy may close while curl still sends.
            broken = (0, 55, 56, 92)
            answer = curl.send("/people/upload", *body(tmp_path, LARGEST + 1_000_000, False), statuses=broken)
            assert (answer.status, answer.all("strict-transport-security")) == (413, ["max-age=31536000"])
            # Caddy breaks off what turns out to be too large.
            answer = curl.send("/people/upload", *body(tmp_path, LARGEST + 1_000_000, True), statuses=broken)
            assert answer.status in ((413,) if kind == "nginx" else (413, 502, 0))
            assert not [count for count in server.received if count > LARGEST]
    finally:
        server.shutdown()
        server.server_close()


def body(directory, size, chunked):
    """Returns the options for a body; by HTTP/2 without its length if it is chunked."""
    path = directory / f"body-{size}"
    with open(path, "wb") as file:
        file.truncate(size)
    options = ["--header", "Content-Type: application/octet-stream", "--data-binary", f"@{path}"]
    return options + ["--header", "Content-Length:"] if chunked else options
