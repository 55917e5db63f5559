#!/usr/bin/env python3
"""Measures the time from a reading at a gateway until the dot on the map of a floor moves.

    reading_to_dot.py GATEWAY MATCHER

GATEWAY and MATCHER are the programs. Receivers are played, and everything else is real: two `beacon-gateway run` with
nodes as remote receivers, a mosquitto, the matcher, and a chromium that shows the floor to a health officer. Badges
walk about and advertise; a node publishes each advertisement that it receives at once, and its time is noted. The
`counts` of signals tell in which second a gateway counted a reading, and `heardAt` of an event which seconds a position
has. So each reading is followed to the first event with it, and to the first movement of the badge's dot after that.

The matcher looks for complete seconds at moments that depend on its start. So it is started several times, each time
a part of a second later, and the figures are of all runs together.

Environment: RUNS (4), SECONDS (60) of each, BADGES (20), INTERVAL (0.5) seconds between the advertisements of a badge,
NODES (3) of each gateway, QUIET (0) further nodes of each gateway that receive, but none of these badges. Prints
figures with their limit. Nothing passes or fails. The dot needs chromium and the environment of Tests/Browser/run.sh,
and is left out without them; the rest needs mosquitto and mosquitto-clients.
"""

import bisect
import collections
import heapq
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from datetime import datetime
from http.client import HTTPConnection, HTTPException

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(ROOT, "Tests", "Browser")
sys.path.insert(0, TESTS)

from processes import free_ports, listens, program, stop, wait_until  # noqa: E402

RUNS = int(os.environ.get("RUNS") or 4)
SECONDS = int(os.environ.get("SECONDS") or 60)
BADGES = int(os.environ.get("BADGES") or 20)
INTERVAL = float(os.environ.get("INTERVAL") or 0.5)
NODES = int(os.environ.get("NODES") or 3)
QUIET = int(os.environ.get("QUIET") or 0)
GATEWAYS = ("gw-west", "gw-east")
FLOOR = "campus/hb/2"
UUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
WIDTH, DEPTH = 36.0, 12.0
# Seconds until the matcher has a model of the floor and has found the badges.
SETTLING = 20
# Of the acceptance.
MOST = 2.0
# The matcher looks at a badge that it takes for one at rest every four seconds, and tells no position that has hardly
# changed. Readings of those seconds move no dot.
ALL = "the same, with readings that move no dot: until the next one"

# Notes when which dot moves, and of which second the event before is.
OBSERVER = """(() => {
    const heard = new Map(), keys = new Map();
    globalThis.beaconMoves = [];
    const Source = globalThis.EventSource;
    globalThis.EventSource = class extends Source {
        constructor(...values) {
            super(...values);
            this.addEventListener('names', event => {
                for (const [key, value] of Object.entries(JSON.parse(event.data).names)) keys.set(value, key);
            });
            this.addEventListener('positions', event => {
                for (const each of JSON.parse(event.data).positions) heard.set(each.key, each.heardAt);
            });
        }
    };
    new MutationObserver(changes => {
        const now = performance.timeOrigin + performance.now();
        const moved = new Set(changes.filter(({target, attributeName, oldValue}) =>
            target.matches('circle.mark') && target.getAttribute(attributeName) !== oldValue)
            .map(({target}) => target.textContent));
        for (const name of moved) globalThis.beaconMoves.push([name, heard.get(keys.get(name)) ?? '', now / 1000]);
    }).observe(document, {subtree: true, attributes: true, attributeOldValue: true, attributeFilter: ['cx', 'cy']});
})();"""


def seconds_of(time_text):
    return datetime.fromisoformat(time_text).timestamp()


def name_of(badge):
    return f"Badge {badge:03}"


def badge_of(name):
    """Returns the badge of somebody as the page calls them, with a number behind the name."""
    found = re.match(r"Badge (\d+)", name or "")
    return int(found[1]) if found else None


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Site:
    """A directory with configurations, and the programs that run with them."""

    def __init__(self, gateway, matcher, directory):
        self.gateway, self.matcher, self.directory = gateway, matcher, directory
        self.mqtt_port, self.port = free_ports(2)
        # Where each node hangs.
        self.nodes = {
            f"{gateway}-{number}": (
                (index * NODES + number + 0.5) * WIDTH / (len(GATEWAYS) * NODES), 3.0 + 6.0 * (number % 2))
            for index, gateway in enumerate(GATEWAYS) for number in range(NODES)}
        self.quiet = [f"{gateway}-quiet-{number}" for gateway in GATEWAYS for number in range(QUIET)]
        self.processes = []

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        descriptor = os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run(self, log, *command):
        with open(self.path(log), "w", encoding="utf-8") as file:
            self.processes.append(subprocess.Popen(
                command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, cwd=self.directory))
        return self.processes[-1]

    def start(self):
        configuration = self.write(
            "mosquitto.conf", f"listener {self.mqtt_port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
        broker = self.run("mosquitto.log", program("mosquitto"), "-c", configuration)
        wait_until(lambda: listens(self.mqtt_port), "mosquitto listens", 20, broker, self.path("mosquitto.log"))
        for gateway in GATEWAYS:
            self.start_gateway(gateway)
        self.configure_matcher()
        # What nodes publish before a gateway listens is lost.
        subprocess.run(
            [program("mosquitto_sub"), "-h", "127.0.0.1", "-p", str(self.mqtt_port), "-t",
             f"beacons/v1/{FLOOR}/+/status", "-C", str(len(GATEWAYS)), "-W", "60"],
            check=True, stdout=subprocess.DEVNULL)

    def start_gateway(self, gateway):
        nodes = "".join(
            f'[[remote-receivers]]\nname = "{node}"\nkind = "espresense"\n'
            f"position = {{ x = {x:.2f}, y = {y:.2f}, z = 2.5 }}\n"
            for node, (x, y) in (self.nodes | dict.fromkeys(self.quiet, (WIDTH / 2, DEPTH / 2))).items()
            if node.startswith(gateway))
        site, building, floor = FLOOR.split("/")
        os.mkdir(self.path(gateway))
        configuration = self.write(f"{gateway}.toml", f"""[place]
site = "{site}"
building = "{building}"
floor = "{floor}"
gateway = "{gateway}"
[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = {self.mqtt_port}
[beacons]
uuids = ["{UUID}"]
[signals]
enabled = true
[state]
directory = "{self.path(gateway)}"
{nodes}""")
        self.run(f"{gateway}.log", self.gateway, "run", "--config", configuration)

    def configure_matcher(self):
        site, building, floor = FLOOR.split("/")
        half = WIDTH / 2
        self.write("floors.toml", f"""[[floors]]
site = "{site}"
building = "{building}"
floor = "{floor}"
z = 0.0
height = 3.0
outline = [[0, 0], [{WIDTH}, 0], [{WIDTH}, {DEPTH}], [0, {DEPTH}]]
[[floors.rooms]]
name = "West"
points = [[0, 0], [{half}, 0], [{half}, {DEPTH}], [0, {DEPTH}]]
[[floors.rooms]]
name = "East"
points = [[{half}, 0], [{WIDTH}, 0], [{WIDTH}, {DEPTH}], [{half}, {DEPTH}]]
[[floors.doors]]
at = [{half}, 6]
""")
        self.write("matcher.toml", f"""[site]
time-zone = "UTC"
[store]
location = "store.sqlite"
[metrics]
listen = "off"

[mqtt]
host = "127.0.0.1"
port = {self.mqtt_port}
[api]
listen = "127.0.0.1:{self.port}"
requests-per-minute = 10000
[localisation]
plan = "floors.toml"
live = ["badge"]
[page]
base-url = "http://127.0.0.1:{self.port}"
""")
        people = "".join(f"{1000 + badge},{name_of(badge)},{badge}@campus.example,badge:{UUID}/1/{badge}\n"
                         for badge in range(BADGES))
        self.command("people", "import", self.write("people.csv", "number,name,contact,subject\n" + people))

    def command(self, *arguments):
        return subprocess.run(
            [self.matcher, *arguments, "--config", self.path("matcher.toml")], check=True, capture_output=True,
            text=True, cwd=self.directory).stdout

    def start_matcher(self):
        started = self.run("matcher.log", self.matcher, "run", "--config", self.path("matcher.toml"))
        wait_until(lambda: listens(self.port), "the matcher listens", 60, started, self.path("matcher.log"))
        return started

    def sign_in(self):
        """Signs a health officer in by a link of the command line; returns the cookie's name and value."""
        link = self.command("sign-in", "--role", "officer", "--name", "Olga").split("token=")[1].split()[0]
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("POST", "/sign-in/use", urllib.parse.urlencode({"link": link, "to": "/"}), {
            "Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        found = re.match(r"([^=]+)=([^;]+)", answer.getheader("Set-Cookie") or "")
        assert found, f"not signed in: {answer.status} {answer.read()[:500]}"
        connection.close()
        return found[1], found[2]

    def end(self):
        for process in reversed(self.processes):
            stop(process)


class Air(threading.Thread):
    """Badges that walk about, and the nodes that receive them. Notes when a node publishes a reading."""

    def __init__(self, site):
        super().__init__(daemon=True)
        self.site = site
        # Times of readings by node and badge, in the order in which they were published.
        self.readings = collections.defaultdict(list)
        self.over = threading.Event()
        self.publishers = {node: subprocess.Popen(
            [program("mosquitto_pub"), "-h", "127.0.0.1", "-p", str(site.mqtt_port), "-l", "--nodelay", "-t",
             f"espresense/devices/all/{node}"], stdin=subprocess.PIPE, text=True, bufsize=1)
            for node in [*site.nodes, *site.quiet]}

    def run(self):
        draw = random.Random(1)
        began = time.time()
        # Each badge begins at some moment of the first interval. A stranger is what quiet nodes receive.
        waiting = [(began + draw.random() * INTERVAL, badge) for badge in range(BADGES)] + [(began, -1)]
        heapq.heapify(waiting)
        while not self.over.is_set():
            due, badge = heapq.heappop(waiting)
            time.sleep(max(0, due - time.time()))
            # As Bluetooth requires: an interval and up to 10 ms.
            heapq.heappush(waiting, (due + INTERVAL + draw.random() * 0.01, badge))
            if badge < 0:
                for node in self.site.quiet:
                    self.publishers[node].stdin.write('{"id":"keys","rssi@1m":-59,"rssi":-72}\n')
                continue
            # To and fro along the floor, at a walk.
            along = (badge * 7.3 + (due - began) * 1.2) % (2 * WIDTH)
            place = (min(along, 2 * WIDTH - along), 1.0 + badge * 3.7 % (DEPTH - 2))
            for node, position in self.site.nodes.items():
                level = -59 - 25 * math.log10(max(1.0, math.dist(place, position))) + draw.gauss(0, 3)
                if level > -92:
                    text = json.dumps({"id": f"iBeacon:{UUID}-1-{badge}", "rssi@1m": -59, "rssi": round(level, 1)})
                    self.readings[node, badge].append(time.time())
                    self.publishers[node].stdin.write(text + "\n")

    def end(self):
        self.over.set()
        self.join(10)
        for publisher in self.publishers.values():
            publisher.stdin.close()
            publisher.wait(10)


class Signals(threading.Thread):
    """What gateways publish: of each node and second when it arrived, and how many readings of each badge it has."""

    def __init__(self, site):
        super().__init__(daemon=True)
        self.seconds = collections.defaultdict(list)
        self.arrived = {}
        self.empty = 0
        self.process = subprocess.Popen(
            [program("mosquitto_sub"), "-h", "127.0.0.1", "-p", str(site.mqtt_port), "-t",
             f"beacons/v1/{FLOOR}/+/signals", "-F", "%U %p"], stdout=subprocess.PIPE, text=True)

    def run(self):
        for line in self.process.stdout:
            arrived, _, text = line.partition(" ")
            message = json.loads(text)
            second, node = seconds_of(message["time"]), message["place"].get("ear", "")
            if not message["subjects"]:
                self.empty += 1
                continue
            self.arrived[second] = max(float(arrived), self.arrived.get(second, 0))
            for subject in message["subjects"]:
                for badge, count in zip(subject["minors"], subject["counts"]):
                    self.seconds[node, badge].append((second, count))

    def end(self):
        stop(self.process)
        self.join(10)


class Stream(threading.Thread):
    """The events of the floor, as a browser gets them. Notes when the position of which second arrived."""

    def __init__(self, site, cookie):
        super().__init__(daemon=True)
        self.site, self.cookie = site, cookie
        self.names = {}
        # By badge: the end of the second, and when the event arrived.
        self.positions = collections.defaultdict(list)
        self.times = []
        self.over = False

    def run(self):
        while not self.over:
            connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60)
            try:
                connection.request("GET", f"/floors/{FLOOR}/live", headers={
                    "Cookie": "=".join(self.cookie), "Accept": "text/event-stream"})
                self.follow(connection.getresponse())
            except (OSError, HTTPException, ValueError, AttributeError):
                time.sleep(0.2)
            finally:
                connection.close()

    def follow(self, answer):
        kind = ""
        for line in answer:
            now = time.time()
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                kind = value
            elif field == "data" and kind == "names":
                self.names |= json.loads(value)["names"]
            elif field == "data" and kind == "positions":
                self.times.append(now)
                for each in json.loads(value)["positions"]:
                    self.positions[badge_of(self.names.get(each["key"]))].append((seconds_of(each["heardAt"]), now))
            if self.over:
                return


class Window:
    """A chromium with the map of the floor."""

    def __init__(self, site, cookie):
        from browser import ARGUMENTS
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=program("chromium"), args=list(ARGUMENTS))
        context = self.browser.new_context()
        address = f"http://127.0.0.1:{site.port}"
        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": address}])
        context.add_init_script(OBSERVER)
        self.page = context.new_page()
        self.page.goto(f"{address}/floors/{FLOOR}")

    def wait(self, seconds):
        self.page.wait_for_timeout(1000 * seconds)

    def moves(self):
        """Returns by badge the end of the second, and when the dot moved."""
        found = collections.defaultdict(list)
        for name, heard, moved in self.page.evaluate("globalThis.beaconMoves"):
            if heard:
                found[badge_of(name)].append((seconds_of(heard), moved))
        return found

    def end(self):
        self.browser.close()
        self.playwright.stop()


def counted(air, signals, since, until):
    """Returns the readings of a time, as badge, time, and the end of the second in which the gateway counted each.

    A node's messages are in order, so the first `count` readings are those of the first second, and so on."""
    found, lost = [], 0
    for (node, badge), times in air.readings.items():
        seconds = [second for second, count in signals.seconds[node, badge] for _ in range(count)]
        lost += max(0, sum(1 for each in times if each < until) - len(seconds))
        found += [(badge, time, second + 1) for time, second in zip(times, seconds) if since <= time < until]
    return found, lost


def waits(readings, reached):
    """Returns how long readings took until the position of their second was there, by badge; and how long all took, with
    those whose second has none: until that of the next second."""
    own, taken = [], []
    # A second that has no position of any badge was not skipped: it had to wait for the next one.
    told = {second for pairs in reached.values() for second, _ in pairs}
    ordered = {}
    for badge, pairs in reached.items():
        # The earliest time at which this second or a later one was reached.
        pairs = sorted(pairs)
        for index in range(len(pairs) - 2, -1, -1):
            pairs[index] = (pairs[index][0], min(pairs[index][1], pairs[index + 1][1]))
        ordered[badge] = pairs
    for badge, read, second in readings:
        pairs = ordered.get(badge, [])
        index = bisect.bisect_left(pairs, (second, 0))
        if index < len(pairs):
            taken.append(pairs[index][1] - read)
            if pairs[index][0] == second or second not in told:
                own.append(taken[-1])
    return own, taken


def line(what, values, limit=None):
    if not values:
        print(f"  {what:<62}nothing")
        return
    figures = "".join(f"{each:>8.2f}" for each in (
        percentile(values, 0.5), percentile(values, 0.95), max(values)))
    verdict = "" if limit is None else f"   limit {limit:.0f} s" + (
        "" if percentile(values, 0.95) < limit else ": SLOW")
    print(f"  {what:<62}{len(values):>8}{figures}{verdict}", flush=True)


def measure(site, air, signals, number, has_browser, total):
    # Each run a part of a second later than the one before.
    time.sleep((number / RUNS - time.time()) % 1)
    matcher = site.start_matcher()
    window, stream = None, None
    try:
        cookie = site.sign_in()
        stream = Stream(site, cookie)
        stream.start()
        if has_browser:
            window = Window(site, site.sign_in())
        wait = window.wait if window else time.sleep
        wait(SETTLING)
        since, until = time.time(), time.time() + SECONDS
        wait(SECONDS + 5)
        readings, lost = counted(air, signals, since, until)
        moves = window.moves() if window else {}
        moments = sorted(each % 1 for each in stream.times if since <= each < until)
        stages = {
            "reading until its second is over": [second - read for _, read, second in readings],
            "from there until all signals of it are at the broker": [
                arrived - second - 1 for second, arrived in signals.arrived.items() if since <= second < until],
            "from there until the event at the browser": waits_of_seconds(signals, stream, since, until),
        }
        stages["reading until the event at the browser"], every = waits(readings, stream.positions)
        if window:
            stages["reading until the dot has moved"], every = waits(readings, moves)
        stages[ALL] = every
        moment = f".{percentile(moments, 0.5) * 100:02.0f}" if moments else "no time"
        print(f"run {number + 1}: events at {moment} of a second, {len(readings)} readings, {lost} lost, "
              f"{signals.empty} signals of nobody so far")
        show(stages)
        for name, values in stages.items():
            total[name] = total.get(name, []) + values
    finally:
        if stream:
            stream.over = True
        if window:
            window.end()
        stop(matcher)
        site.processes.remove(matcher)


def waits_of_seconds(signals, stream, since, until):
    """Returns how long each second took from the last of its signals at the broker to the first event with it."""
    first = {}
    for pairs in stream.positions.values():
        for second, arrived in pairs:
            first[second] = min(arrived, first.get(second, arrived))
    return [first[second + 1] - arrived for second, arrived in signals.arrived.items()
            if since <= second < until and second + 1 in first]


def show(stages):
    for what, values in stages.items():
        line(what, values, MOST if what.startswith("reading until the ") else None)


def main():
    environment = os.path.join(ROOT, ".build", "browser-venv", "bin", "python")
    try:
        import playwright  # noqa: F401
        has_browser = shutil.which("chromium") is not None
    except ImportError:
        if os.access(environment, os.X_OK) and sys.executable != environment:
            os.execv(environment, [environment, *sys.argv])
        has_browser = False
    if not has_browser:
        print("without a browser: chromium or .build/browser-venv isn't there, see Tests/Browser/run.sh")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    directory = tempfile.mkdtemp(prefix="beacon-reading-", dir=os.environ.get("BENCH_DIRECTORY", "/var/tmp"))
    site = Site(*map(os.path.abspath, sys.argv[1:3]), directory)
    parts = []
    try:
        site.start()
        parts.append(Signals(site))
        parts[0].start()
        time.sleep(3)
        parts.append(Air(site))
        parts[1].start()
        print(f"{len(GATEWAYS)} gateways with {NODES} nodes and {QUIET} quiet ones each, {BADGES} badges that walk and "
              f"advertise every {INTERVAL} s, {RUNS} runs of {SECONDS} s")
        print(f"  {'':<62}{'count':>8}{'median':>8}{'p95':>8}{'max':>8}   in seconds")
        total = {}
        for number in range(RUNS):
            measure(site, parts[1], parts[0], number, has_browser, total)
        print("all runs")
        show(total)
    finally:
        for part in reversed(parts):
            part.end()
        site.end()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
