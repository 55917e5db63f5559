#!/usr/bin/env python3
"""Measures the page of a matcher with a large store: its screens, many browsers at once, and live positions.

    measure.py MATCHER

MATCHER is the program, built for release. Environment: PAGE_STORE, a directory that keeps the store for the next run
(else a new one is made, which takes some minutes); REQUESTS (50) for each screen; BROWSERS (200) and SECONDS (120) of
the browsers; the sizes of make_store.py. Prints each figure with its limit. Nothing passes or fails. Needs mosquitto
and python3-numpy.
"""

import asyncio
import hashlib
import html
import json
import math
import multiprocessing
import os
import re
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone
from http.client import HTTPConnection
from urllib.parse import quote

import make_store

HERE = os.path.dirname(os.path.abspath(__file__))
ASKED = int(os.environ.get("REQUESTS") or 50)
ROLES = ("officer", "lecturer", "operator", "student", "auditor")
FLOOR, GATEWAYS = next(make_store.floors())
LIVE = f"/floors/{FLOOR}/live"
PAGES = (f"/floors/{FLOOR}", "/floors")
# Of the issue: milliseconds, bytes, seconds, share of a core, megabytes.
MOST_MILLISECONDS, MOST_TRANSFERRED, MOST_LATENCY, MOST_SHARE, MOST_MEMORY = 150, 60_000, 2.0, 0.5, 150
COURSES, LECTURES, STUDENTS = 100, 10, 150


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def utc(seconds, form="%Y-%m-%dT%H:%M:%SZ"):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime(form)


class Campus:
    """The directory with the store, the files of the configuration, a broker and the matcher."""

    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.port, self.mqtt_port = free_port(), free_port()
        self.processes = []

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8",
                  newline="") as file:
            file.write(text)

    def make(self):
        rooms = "\n".join(f'[[rooms]]\nname = "{make_store.room(number)}"\nplaces = ["{path}"]\nradius = "8m"\n'
                          for number, path in enumerate(GATEWAYS))
        courses = ", ".join(f'"{course(number)}"' for number in range(5))
        self.write("matcher.toml", f"""[site]
time-zone = "Europe/Berlin"

[store]
location = "store.sqlite"

[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = {self.mqtt_port}

[api]
listen = "127.0.0.1:{self.port}"
behind-proxy = true
requests-per-minute = 1000000

[attendance]
timetable-files = ["timetable.ics"]
roster-file = "roster.csv"

[localisation]
plan = "floors.toml"
live = ["badge"]

[page]
base-url = "http://127.0.0.1:{self.port}"

[[lecturers]]
account = "lecturer"
courses = [{courses}]

{rooms}""")
        self.write("floors.toml", plan())
        self.write("timetable.ics", timetable())
        self.write("roster.csv", roster())
        if not os.path.exists(self.path("store.sqlite")):
            self.write("people.csv", "number,name,contact,subject\n1,Nobody Known,nobody@campus.example,phone:nobody\n")
            subprocess.run([self.program, "people", "import", self.path("people.csv"), "--config",
                            self.path("matcher.toml")], check=True, stdout=subprocess.DEVNULL, cwd=self.directory)
            say("making the store")
            subprocess.run([sys.executable, os.path.join(HERE, "make_store.py"), self.path("store.sqlite")], check=True)

    def start(self):
        self.write("mosquitto.conf", f"listener {self.mqtt_port} 127.0.0.1\nallow_anonymous true\n"
                   "set_tcp_nodelay true\n")
        broker = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        self._run("mosquitto.log", broker, "-c", self.path("mosquitto.conf"))
        self._await(lambda: socket.socket().connect_ex(("127.0.0.1", self.mqtt_port)) == 0, 20)
        self.matcher = self._run("matcher.log", self.program, "run", "--config", self.path("matcher.toml"))
        self._await(lambda: "API listening" in self.logged(), 120)
        self.await_matching()

    def _run(self, log, *command):
        with open(self.path(log), "w", encoding="utf-8") as file:
            self.processes.append(subprocess.Popen(
                command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, cwd=self.directory))
        return self.processes[-1]

    def _await(self, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline or any(process.poll() is not None for process in self.processes):
                sys.exit(f"error: a program did not start:\n{self.logged()[-3000:]}")
            time.sleep(0.1)

    def logged(self):
        if not os.path.exists(self.path("matcher.log")):
            return ""
        with open(self.path("matcher.log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def ask(self, sql, *arguments):
        with sqlite3.connect(self.path("store.sqlite"), timeout=60) as store:
            return store.execute(sql, arguments).fetchall()

    def await_matching(self):
        """Waits until the daemon has found all exposures and made the notices."""
        say("waiting for the exposures")
        last, stable = -1, time.monotonic()
        while time.monotonic() - stable < 30:
            time.sleep(5)
            found, stale = self.ask("SELECT (SELECT count(*) FROM exposure), "
                                    "(SELECT count(*) FROM notice WHERE stale > 0)")[0]
            if stale or found != last:
                last, stable = found, time.monotonic()

    def sign_in(self, role, number=None):
        """Stores a session as the matcher does; returns the cookie."""
        token = secrets.token_urlsafe(32)
        now = int(time.time())
        account = role if number is None else f"{role}-{number}"
        with sqlite3.connect(self.path("store.sqlite"), timeout=60) as store:
            store.execute(
                "INSERT INTO session (hash, issuer, subject, name, number, roles, created, used) "
                "VALUES (?, 'local', ?, ?, ?, ?, ?, ?)",
                (hashlib.sha256(token.encode()).hexdigest(), account, account, "100000" if role == "student" else None,
                 role, now, now))
        return f"beacon-session={token}"

    def memory(self, name="VmRSS"):
        """Returns the memory of the matcher in MB."""
        with open(f"/proc/{self.matcher.pid}/status", encoding="utf-8") as file:
            return int(re.search(rf"{name}:\s+(\d+) kB", file.read())[1]) * 1024 / 1e6

    def cpu(self):
        """Returns the CPU time of the matcher in seconds."""
        with open(f"/proc/{self.matcher.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def say(text):
    print(text, file=sys.stderr, flush=True)


def plan():
    lines = [f'[[floors]]\nsite = "{FLOOR.split("/")[0]}"\nbuilding = "{FLOOR.split("/")[1]}"\n'
             f'floor = "{FLOOR.split("/")[2]}"\nname = "Level 0"\nz = 0.0\nheight = 3.2\n'
             "outline = [[0, 0], [30, 0], [30, 14], [0, 14]]\n"]
    for number in range(len(GATEWAYS)):
        x, y = number // 2 * 6, number % 2 * 8
        lines.append(f'[[floors.rooms]]\nname = "{make_store.room(number)}"\n'
                     f"points = [[{x}, {y}], [{x + 6}, {y}], [{x + 6}, {y + 6}], [{x}, {y + 6}]]\n")
    return "\n".join(lines)


def course(number):
    return f"Course {number:03}"


def lectures():
    """Returns when the lectures of a course are: an hour and a half on each of the last days, in one of ten rooms."""
    today = datetime.now(timezone.utc).replace(hour=9, minute=0, second=0, microsecond=0)
    for number in range(COURSES):
        for day in range(1, LECTURES + 1):
            start = today - timedelta(days=day) + timedelta(hours=number // 10)
            yield course(number), make_store.room(number % len(GATEWAYS)), start, start + timedelta(minutes=90)


def timetable():
    form = "%Y%m%dT%H%M%SZ"
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//timetable//EN"]
    for number, (name, room, start, end) in enumerate(lectures()):
        lines += ["BEGIN:VEVENT", f"UID:{number}", f"DTSTAMP:{start:{form}}", f"DTSTART:{start:{form}}",
                  f"DTEND:{end:{form}}", f"SUMMARY:{name}", f"LOCATION:{room}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def roster():
    rows = ["course,student,subject,name"]
    for number in range(COURSES):
        # The first person is in five courses.
        people = [0] * (number < 5) + [1 + (number * STUDENTS + each) % 20_000 for each in range(STUDENTS - 1)]
        rows += [f"{course(number)},{100_000 + person},badge:{make_store.subject(person)},"
                 + " ".join(make_store.name(person)) for person in people]
    return "\n".join([*rows, ""])


class Visitor:
    """Somebody with a browser that keeps its connection."""

    def __init__(self, campus, role=None):
        self.connection = HTTPConnection("127.0.0.1", campus.port, timeout=120)
        self.headers = {"Cookie": campus.sign_in(role)} if role else {}

    def get(self, path):
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        return answer, answer.read()

    def find(self, path, pattern):
        found = re.search(pattern, self.get(path)[1].decode())
        return html.unescape(found[1]) if found else None


def screens(campus):
    """Returns the paths of the screens by role."""
    officer, operator = Visitor(campus, "officer"), quote(GATEWAYS[0], safe="")
    busiest = campus.ask("SELECT r.reference FROM exposure e JOIN report r ON r.id = e.report GROUP BY r.id "
                         "ORDER BY count(*) DESC LIMIT 1")[0][0]
    exposed = campus.ask("SELECT p.number FROM exposure e JOIN person_subject s ON s.name = e.name AND s.kind = e.kind "
                         "JOIN person p ON p.id = s.person GROUP BY p.id ORDER BY count(*) DESC LIMIT 1")[0][0]
    first, last = make_store.name(0)
    lecture = officer.find(f"/lectures?course={quote(course(0))}", r'href="(/lecture\?[^"]+)"')
    assert lecture, "the list of lectures has no link"
    return {
        None: ["/", "/sign-in", "/assets/style.css", "/v1/positives"],
        "officer": [
            "/overview", "/reports", "/reports?state=waiting", "/reports?state=all", f"/reports/{busiest}",
            f"/reports/{busiest}?why=1", "/new-report", "/exposures", "/exposures?days=7", "/exposures?days=14",
            "/exposures?days=14&level=high", "/exposures?days=14&level=none", "/letters?days=14", "/people",
            f"/people?q={first}+{last}", f"/people?q={first}", "/people?q=a", "/people?q=co+da",
            f"/person?number={exposed}", "/floors", f"/floors/{FLOOR}", "/lectures", lecture,
        ],
        "lecturer": [
            "/lectures", f"/lectures?course={quote(course(0))}",
            f"/lectures?course={quote(course(0))}&students=yes", lecture, lecture.replace("/lecture?", "/lecture.csv?"),
            "/timeline?student=100000", "/timetable"],
        "operator": ["/floors", f"/floors/{FLOOR}", "/gateways", f"/gateway?path={operator}", "/coverage",
                     "/places", "/places?q=gw-1", "/enrolment", "/surveys", f"/floors/{FLOOR}/matrix"],
        "student": ["/me"],
        "auditor": ["/audit", "/audit?q=officer-1", "/audit?q=nothing+like+this"],
    }


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure_screens(campus):
    print(f"\n{'screen':<52}{'status':>7}{'kB':>7}{'p50 ms':>9}{'p95 ms':>9}   limit {MOST_MILLISECONDS} ms")
    for role, paths in screens(campus).items():
        visitor = Visitor(campus, role)
        for path in paths:
            times = []
            visitor.get(path)
            for _ in range(ASKED):
                began = time.perf_counter()
                answer, body = visitor.get(path)
                times.append((time.perf_counter() - began) * 1000)
            worst = percentile(times, 0.95)
            label = f"{role or 'anybody'} {path}"
            print(f"{label[:51]:<52}{answer.status:>7}{len(body) / 1000:>7.1f}{percentile(times, 0.5):>9.1f}"
                  f"{worst:>9.1f}   {'' if worst < MOST_MILLISECONDS else 'SLOW'}", flush=True)
    print(f"memory after the screens: {campus.memory():.0f} MB, at most {campus.memory('VmHWM'):.0f} MB, "
          f"limit {MOST_MEMORY} MB")


def measure_first_page(campus):
    """Prints what a browser fetches for its first page, with what the page names."""
    first = ((None, "/sign-in"), ("student", "/me"), ("officer", "/overview"), ("operator", f"/floors/{FLOOR}"))
    for role, path in first:
        visitor, seen, total = Visitor(campus, role), set(), 0
        waiting = [path]
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            answer, body = visitor.get(path)
            total += len(body) + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
            if path.startswith("/assets") or len(seen) > 1:
                continue
            waiting += re.findall(r'(?:src|href)="(/assets/[^"]+)"', body.decode())
        page_path = next(each for each in seen if not each.startswith("/assets"))
        print(f"first page {page_path}: {total / 1000:.1f} kB in {len(seen)} requests, "
              f"limit {MOST_TRANSFERRED / 1000:.0f} kB")


class Signals:
    """What the gateways of the floor publish once a second: badges that they hear. Notes when.

    A process of its own, because many browsers keep this one busy.
    """

    def __init__(self, campus, badges=100):
        self.badges, self.mqtt_port = badges, campus.mqtt_port
        # When the signals that end at a second of the day were published, and 0 before.
        self.times = multiprocessing.Array("d", make_store.DAY, lock=False)
        self.over = multiprocessing.Event()
        self.process = multiprocessing.Process(target=self._run, daemon=True)
        self.process.start()

    def published(self, heard):
        """Returns when the signals that end at a time were published; 0 if they were not."""
        return self.times[int(datetime.fromisoformat(heard).timestamp()) % make_store.DAY]

    def count(self):
        """Returns of how many seconds the signals were published."""
        return sum(1 for each in self.times if each)

    def _run(self):
        publishers = [subprocess.Popen(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.mqtt_port), "-t", f"beacons/v1/{path}/signals", "-l"],
            stdin=subprocess.PIPE, text=True) for path in GATEWAYS]
        number, boot = 0, int(time.time())
        while not self.over.is_set():
            time.sleep(1 - time.time() % 1 + 0.05)
            number += 1
            # The second that is over.
            second = int(time.time()) - 1
            for index, publisher in enumerate(publishers):
                publisher.stdin.write(self._message(index, number, boot, second) + "\n")
                publisher.stdin.flush()
            # Positions have the time at which a second ended.
            self.times[(second + 1) % make_store.DAY] = time.perf_counter()
        for publisher in publishers:
            publisher.stdin.close()
            publisher.wait(10)

    def _message(self, index, number, boot, second):
        x, y, _ = (value / 1000 for value in make_store.position(index))
        minors, levels = [], []
        for minor in range(self.badges):
            # Everybody walks to and fro along the floor, 1 m in each second.
            along = (minor * 0.6 + number) % 60
            distance = math.dist((x, y), (min(along, 60 - along), 1 + minor % 12))
            if distance < 15:
                minors.append(minor)
                levels.append(round(-50 - 25 * math.log10(max(distance, 1)) - (minor * 7 + number * 3) % 5, 1))
        place = dict(zip(("site", "building", "floor", "gateway"), GATEWAYS[index].split("/")))
        place |= {"room": make_store.room(index), "position": {
            axis: value / 1000 for axis, value in zip("xyz", make_store.position(index))}}
        return json.dumps({
            "boot": boot, "clock": "synchronized", "listenedSeconds": 1, "number": number, "place": place,
            "time": utc(second, "%Y-%m-%dT%H:%M:%S.000Z"),
            "subjects": [{"kind": "beacon", "uuid": make_store.UUID, "major": 1, "minors": minors,
                          "counts": [5] * len(minors), "rssi": levels}]})

    def end(self):
        self.over.set()
        self.process.join(20)


async def stream(campus, cookie, number, signals, latencies, counts):
    """Listens to the floor as a browser does, and opens the stream again when it ends."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", campus.port, limit=2**22)
        try:
            writer.write(f"GET {LIVE} HTTP/1.1\r\nHost: 127.0.0.1:{campus.port}\r\nCookie: {cookie}\r\n"
                         f"X-Forwarded-For: {client(number)}\r\nAccept: text/event-stream\r\n\r\n".encode())
            status = (await reader.readline()).split()
            if b"200" not in status:
                counts["refused"] = counts.get("refused", 0) + 1
                await asyncio.sleep(5)
                continue
            counts["opened"] = counts.get("opened", 0) + 1
            while line := await reader.readline():
                if not line.startswith(b"data:"):
                    continue
                counts["events"] = counts.get("events", 0) + 1
                # Each second is heard of once by each browser.
                heard = max(re.findall(rb'"heardAt":"([^"]+)"', line), default=b"").decode()
                published = signals.published(heard) if heard else 0
                if published and counts.get((number, "last"), "") < heard:
                    if (number, "last") in counts:
                        latencies.append(time.perf_counter() - published)
                    counts[(number, "last")] = heard
        finally:
            writer.close()


def client(number):
    return f"10.0.{number // 250}.{number % 250 + 1}"


async def page(campus, cookie, number, times, interval=30):
    """Asks for a page every half minute on a connection of its own."""
    await asyncio.sleep(interval * (number % 97) / 97)
    while True:
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", campus.port)
        writer.write(f"GET {PAGES[number % len(PAGES)]} HTTP/1.1\r\nHost: 127.0.0.1:{campus.port}\r\n"
                     f"Cookie: {cookie}\r\nX-Forwarded-For: {client(number)}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read(-1)
        writer.close()
        if b" 200 " in answer[:20]:
            times.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(max(0, interval - (time.perf_counter() - began)))


async def browse(campus, count, seconds, signals):
    latencies, times, counts = [], [], {}
    cookies = [campus.sign_in("operator", number) for number in range(count)]
    tasks = [asyncio.create_task(stream(campus, cookie, number, signals, latencies, counts))
             for number, cookie in enumerate(cookies)]
    tasks += [asyncio.create_task(page(campus, cookie, number, times)) for number, cookie in enumerate(cookies)]
    await asyncio.sleep(15)
    for measured in (latencies, times):
        measured.clear()
    counts["events"] = 0
    before = signals.count()
    cpu, began = campus.cpu(), time.monotonic()
    await asyncio.sleep(seconds)
    share = (campus.cpu() - cpu) / (time.monotonic() - began)
    counts["seconds"] = signals.count() - before
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return latencies, times, counts, share


def measure_browsers(campus, count, seconds):
    signals = Signals(campus)
    time.sleep(5)
    try:
        for browsers in (1, count):
            latencies, times, counts, share = asyncio.run(
                browse(campus, browsers, seconds if browsers > 1 else min(seconds, 30), signals))
            print(f"{browsers} browsers, {signals.badges} badges, {len(GATEWAYS)} gateways: "
                  f"{100 * share:.0f} % of a core, limit {100 * MOST_SHARE:.0f} %; "
                  f"{counts.get('events', 0)} events in {counts.get('opened', 0)} streams "
                  f"of {counts['seconds']} seconds, "
                  f"{counts.get('refused', 0)} refused")
            if latencies:
                print(f"  from signals at the broker to the event: p50 {percentile(latencies, 0.5):.2f} s, "
                      f"p95 {percentile(latencies, 0.95):.2f} s, limit {MOST_LATENCY:.0f} s")
            if times:
                print(f"  pages meanwhile: p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms")
            print(f"  memory: {campus.memory():.0f} MB, at most {campus.memory('VmHWM'):.0f} MB, "
                  f"limit {MOST_MEMORY} MB", flush=True)
    finally:
        signals.end()


def main():
    program = os.path.abspath(sys.argv[1])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    kept = os.environ.get("PAGE_STORE")
    directory = kept or tempfile.mkdtemp(prefix="beacon-page-", dir=os.environ.get("BENCH_DIRECTORY", "/var/tmp"))
    os.makedirs(directory, mode=0o700, exist_ok=True)
    campus = Campus(program, directory)
    try:
        campus.make()
        campus.start()
        sizes = [(table, campus.ask(f"SELECT count(*) FROM {table}")[0][0]) for table in
                 ("interaction", "subject", "person", "report", "exposure", "notice", "audit", "gateway")]
        print("rows: " + ", ".join(f"{count:,} {table}" for table, count in sizes))
        print(f"memory after the start: {campus.memory():.0f} MB")
        measure_first_page(campus)
        measure_screens(campus)
        measure_browsers(campus, int(os.environ.get("BROWSERS") or 200), int(os.environ.get("SECONDS") or 120))
    finally:
        campus.end()
        if not kept:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
