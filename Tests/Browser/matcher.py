"""beacon-matcher with its page, a broker, and the campus, in a directory of its own."""

import os
import re
import shutil
import subprocess
import tempfile
import urllib.parse
import urllib.request
from contextlib import contextmanager
from datetime import datetime, timezone

import campus
from accounts import GROUPS
from hostile_provider import HostileProvider
from postgresql import PostgreSQL
from processes import free_ports, listens, program, request, stop, wait_until

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SESSION_COOKIE = "beacon-session"
BOUNDARY = "----boundary-of-a-form"
# Where Debian's libcurl has the certificate authorities that it trusts.
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


def binary():
    return os.environ.get("BEACON_MATCHER") or os.path.join(ROOT, ".build", "debug", "beacon-matcher")


class Matcher:
    """A running matcher. `address` is where its page is; `provider` has issuer, client_id and client_secret.

    `listen` is where the matcher listens if a proxy is in front of it. Without `has_lectures` the configuration names
    no timetable and no roster. `more` is added to the configuration, with the files `secrets` by name. `authorities` is
    a file of certificate authorities that the program has in the place of the system's.

    With BROWSER_STORE=postgresql the store is in PostgreSQL, else in SQLite.
    """

    def __init__(self, address, provider=None, listen=None, has_lectures=True, more="", secrets=None,
                 authorities=None):
        self.address, self.provider, self.listen = address, provider, listen
        self.has_lectures, self.more, self.secrets, self.authorities = has_lectures, more, secrets or {}, authorities
        self._broker = self._process = self._database = None

    def __enter__(self):
        if not os.access(binary(), os.X_OK):
            raise AssertionError(f"{binary()} isn't there: build it, or set BEACON_MATCHER")
        self.directory = tempfile.mkdtemp(prefix="beacon-browser-")
        try:
            self.files = campus.write(self.directory, datetime.now(timezone.utc))
            if os.environ.get("BROWSER_STORE") == "postgresql":
                self._database = PostgreSQL()
            self._configure()
            self._start_broker()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in (self._process, self._broker):
            stop(process)
        if self._database:
            self._database.stop()
        self._process = self._broker = self._database = None
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def _write(self, name, text, mode=0o600):
        descriptor = os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)

    def _configure(self):
        # Where the page will listen nobody listens yet, so the system can give the same port again.
        pages = {urllib.parse.urlsplit(f"//{each}").port for each in (urllib.parse.urlsplit(self.address).netloc,
                                                                      self.listen) if each}
        self.mqtt_port = next(port for port in free_ports(3) if port not in pages)
        rooms = "\n".join(
            f'[[rooms]]\nname = "{room}"\nplaces = ["{campus.FLOOR}/{gateway}"]\nradius = "8m"\n'
            for gateway, (_, _, room) in campus.GATEWAYS.items() if room != "corridor")
        lecturers = "\n".join(
            f'[[lecturers]]\naccount = "{number}"\ncourses = {courses!r}\n'.replace("'", '"')
            for number, courses in campus.LECTURERS.items())
        roles = "\n".join(
            f'[[roles]]\nrole = "{role}"\nvalue = "{value}"\n' + ('session = "168h"\n' if role == "student" else "")
            for role, value in GROUPS.items())
        login = ""
        if self.provider:
            self._write("login.secret", self.provider.client_secret)
            login = f"""[login]
issuer = "{self.provider.issuer}"
client-id = "{self.provider.client_id}"
client-secret-file = "login.secret"
scopes = ["profile"]
roles-claim = "groups"
number-claim = "student_number"
name-claim = "name"
"""
        store = self._database.location if self._database else "store.sqlite"
        lectures = 'timetable-files = ["timetable.ics"]\nroster-file = "roster.csv"\n' if self.has_lectures else ""
        for name, text in self.secrets.items():
            self._write(name, text)
        proxied = "behind-proxy = true\n" if self.listen else ""
        self._write("matcher.toml", f"""[site]
time-zone = "{campus.ZONE.key}"

[store]
location = "{store}"

[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = {self.mqtt_port}

[api]
listen = "{self.listen or urllib.parse.urlsplit(self.address).netloc}"
{proxied}requests-per-minute = 100000

[attendance]
{lectures}
[localisation]
plan = "floors.toml"
live = ["badge"]

[page]
base-url = "{self.address}"

{login}
{roles}
{lecturers}
{rooms}
{self.more}""")

    def _start_broker(self):
        self._write(
            "mosquitto.conf", f"listener {self.mqtt_port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
        log = self.path("mosquitto.log")
        with open(log, "w", encoding="utf-8") as file:
            self._broker = subprocess.Popen(
                [program("mosquitto"), "-c", self.path("mosquitto.conf")], stdout=file, stderr=file,
                stdin=subprocess.DEVNULL, start_new_session=True)
        wait_until(lambda: listens(self.mqtt_port), "mosquitto listens", 20, self._broker, log)

    def start(self):
        """Starts the matcher, and waits until its page answers."""
        self.log = self.path("matcher.log")
        world = []
        if self.authorities:
            # In a name space of its own, where the file is in the place of the system's.
            world = [program("bwrap"), "--die-with-parent", "--dev-bind", "/", "/", "--ro-bind", self.authorities,
                     AUTHORITIES]
        with open(self.log, "a", encoding="utf-8") as file:
            self._process = subprocess.Popen(
                [*world, binary(), "run", "--config", self.path("matcher.toml")], stdout=file, stderr=file,
                stdin=subprocess.DEVNULL, cwd=self.directory, start_new_session=True)
        wait_until(lambda: "API listening" in self.logged(), "the matcher listens", 30, self._process, self.log)

    def stop(self):
        """Ends the matcher as its supervisor would; returns its status."""
        status, self._process = stop(self._process), None
        return status

    def logged(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for_log(self, pattern, since=0):
        """Waits for a line of the log; `since` is the length of the log before what is asked about."""
        wait_until(
            lambda: re.search(pattern, self.logged()[since:]), f"the log has {pattern!r}", 15, self._process, self.log)

    def run(self, *arguments, statuses=(0,)):
        """Runs a command on the same configuration; returns what it prints."""
        done = subprocess.run(
            [binary(), *arguments, "--config", self.path("matcher.toml")], capture_output=True, text=True, timeout=120,
            cwd=self.directory, check=False)
        assert done.returncode in statuses, f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def fill(self):
        """Stores the campus: its people and what their badges did. Nobody is positive yet."""
        self.run("import", self.files["records.jsonl"])
        self.run("people", "import", self.files["people.csv"])

    def report(self, carrier=campus.BEN, *options):
        """Reports somebody positive at the command line; returns the report's id."""
        day = campus.days(datetime.now(timezone.utc))[-1]
        told = self.run("report", carrier.subject, "--test-date", str(day), *options)
        return re.search(r"report ([\w-]+)", told)[1]

    def code(self):
        """Issues a verification code at the command line."""
        day = campus.days(datetime.now(timezone.utc))[-1]
        return self.run("codes", "issue", "--test-date", str(day)).splitlines()[0]

    def publish(self, topic, payload):
        subprocess.run(
            [program("mosquitto_pub"), "-h", "127.0.0.1", "-p", str(self.mqtt_port), "-t", f"beacons/v1/{topic}", "-s"],
            input=payload, text=True, check=True, timeout=20)


@contextmanager
def quick_matcher(**options):
    """A matcher with the campus, whose provider has no login page and asks for nothing; options are those of `Matcher`.
    """
    address = f"http://127.0.0.1:{free_ports(1)[0]}"
    with HostileProvider([f"{address}/sign-in/callback"]) as provider, Matcher(address, provider, **options) as matcher:
        matcher.fill()
        matcher.provider = provider
        yield matcher


class Client:
    """Somebody with a browser that has cookies and nothing else: for tests of answers, not of pages."""

    def __init__(self, matcher):
        self.matcher, self.cookies = matcher, {}

    def send(self, method, path, form=None, headers=None, files=False):
        """Sends a request with the cookies; returns the answer, redirections too."""
        url = path if path.startswith("http") else self.matcher.address + path
        made = dict(headers or {})
        if self.cookies:
            made["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if form is not None and files:
            parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
                     for name, value in form.items()]
            body = "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()
            made["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
        elif form is not None:
            body = urllib.parse.urlencode(form).encode()
            made.setdefault("Content-Type", "application/x-www-form-urlencoded")
        elif method == "POST":
            body = b""
        answer = request(method, url, body, made)
        for name, (value, attributes) in answer.cookies().items():
            is_over = not value or any(each.lower() == "max-age=0" for each in attributes)
            if is_over:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer

    def open_stream(self, path):
        """Asks for a stream; returns its status and type, and closes it."""
        made = urllib.request.Request(self.matcher.address + path, headers={
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(made, timeout=30) as answer:
            return answer.status, answer.headers.get_content_type()

    def post(self, path, form=None, origin=None, site="same-origin", files=False):
        """Sends a form as a browser does from a page of this address; `files`: as a form that can have files."""
        headers = {"Origin": origin or self.matcher.address, "Sec-Fetch-Site": site}
        return self.send("POST", path, form or {}, headers, files)

    def sign_in(self, login):
        """Signs in at a provider that has no login page; returns the answer to the callback."""
        self.matcher.provider.control(user=login)
        start = self.send("GET", "/sign-in/start")
        assert start.status in (302, 303), f"/sign-in/start answers {start.status}: {start.text[:500]}"
        back = request("GET", start.location)
        assert back.status == 302, f"the provider answers {back.status}: {back.text[:500]}"
        return self.send("GET", back.location)

    @property
    def is_signed_in(self):
        return SESSION_COOKIE in self.cookies

    def form_token(self, path="/"):
        """Returns the token that the forms of a page send."""
        answer = self.send("GET", path)
        if answer.status in (302, 303):
            answer = self.send("GET", answer.location)
        found = re.search(r'name="token" value="([^"]+)"', answer.text)
        assert found, f"{path} has no form with a token: {answer.status}"
        return found[1]
