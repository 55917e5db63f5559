#!/usr/bin/env python3
"""Checks what is exposed by the programs, and everything that relies on it: dashboard, alert rules, guide.

    check-metrics.py            prints what is wrong, and exits with status 1 if something is
    check-metrics.py --table    prints the guide's tables of metrics, as the programs expose them

The programs must be built first: `swift build`. They are started with a broker, emulated modules, a simulated radio and
a Prometheus, all on free ports of this machine and in a directory that is removed afterwards.

* `promtool` accepts the expositions, the alert rules, the tests of the rules, and the example of a configuration.
* The guide's tables have every metric of the programs with its kind, labels and help, and no other.
* Every metric, label and state that the dashboard, the alert rules and the guide name is exposed by a program.
* Every alert says for how long, how severe it is, what it means and what to do, has tests that it fires and that it
  doesn't, and stands in the guide.
* A real Prometheus scrapes both programs in both formats, and evaluates all rules and all queries of the dashboard.
"""

import argparse
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRAFANA = os.path.join(ROOT, "deploy", "grafana")
GUIDE = "docs/guide/watching.md"
FAILED, USAGE, UNAVAILABLE = 1, 64, 69
PATIENCE = 60
# Labels that Prometheus adds.
ADDED = {"job", "instance", "alertname", "alertstate", "severity"}
# Values that only appear with what goes wrong.
EVENTS = {("class", "5xx")}
OPENMETRICS = "application/openmetrics-text;version=1.0.0"
SUCCESS = "beacon_matcher_work_success_timestamp_seconds"
PREFIXES = {"gateway": "beacon_gateway_", "matcher": "beacon_matcher_"}


# MARK: Expositions


@dataclass
class Metric:
    """A metric as it is exposed."""

    kind: str = ""
    help: str = ""
    # Names of labels with their values.
    labels: dict = field(default_factory=dict)


SAMPLE = re.compile(r'^(\w+)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'(\w+)="((?:\\.|[^"\\])*)"')


def read(text, metrics):
    """Adds the metrics of an exposition."""
    for line in text.split("\n"):
        if match := re.match(r"# HELP (\w+) (.*)", line):
            metrics.setdefault(match[1], Metric()).help = match[2]
        elif match := re.match(r"# TYPE (\w+) (.*)", line):
            metrics.setdefault(match[1], Metric()).kind = match[2]
        elif line and not line.startswith("#"):
            match = SAMPLE.match(line)
            if not match:
                raise ValueError(f"no sample: {line}")
            name = match[1]
            if name not in metrics:
                name = re.sub(r"_(bucket|sum|count)$", "", name)
            for label, value in LABEL.findall(match[2] or ""):
                if label != "le":
                    metrics[name].labels.setdefault(label, set()).add(value)


def get(address, accept=None):
    request = urllib.request.Request(address, headers={"Accept": accept} if accept else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def await_(what, condition):
    """Waits until a condition holds."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if found := condition():
                return found
        except (OSError, ValueError):
            pass
        time.sleep(0.1)
    raise TimeoutError(f"{what}: not after {PATIENCE} s")


# MARK: The programs


class Site:
    """A gateway and a matcher with a broker, in a directory."""

    def __init__(self, directory, programs):
        self.directory, self.programs = directory, programs
        self.processes = []
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two, \
                socket.create_server(("127.0.0.1", 0)) as three, socket.create_server(("127.0.0.1", 0)) as four, \
                socket.create_server(("127.0.0.1", 0)) as five:
            self.mqtt, self.gateway, self.matcher, self.api, self.prometheus = (
                each.getsockname()[1] for each in (one, two, three, four, five))
        self.broker = None

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def start(self, name, *command):
        with open(self.path(name + ".log"), "a", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.directory, start_new_session=True)
        self.processes.append(process)
        return process

    def start_broker(self):
        configuration = self.write(
            "mosquitto.conf", f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\n")
        self.broker = self.start("mosquitto", tool("mosquitto"), "-c", configuration)
        await_("mosquitto", lambda: socket.create_connection(("127.0.0.1", self.mqtt), 1).close() or True)

    def start_programs(self):
        self.start("modules", os.path.join(self.programs, "beacon-gateway"), "emulate", "rs9116", "--link",
                   self.path("module"))
        await_("the emulated module", lambda: os.path.exists(self.path("module")))
        gateway = self.write("gateway.toml", f"""
[place]
site = "campus"
building = "main"
floor = "1"
gateway = "east"

[mqtt]
host = "127.0.0.1"
port = {self.mqtt}

[beacons]
uuids = ["7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"]

[interactions]
update-interval = "1s"

[[modules]]
name = "door"
module = "{self.path("module")}"
uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
major = 1
minor = 1

[[remote-receivers]]
name = "lab"
kind = "espresense"

[metrics]
listen = "127.0.0.1:{self.gateway}"

[state]
directory = "{self.path("state")}"
""")
        matcher = self.write("matcher.toml", f"""
[store]
location = "{self.path("store.sqlite")}"

[mqtt]
host = "127.0.0.1"
port = {self.mqtt}

[api]
listen = "127.0.0.1:{self.api}"

[page]
base-url = "http://127.0.0.1:{self.api}"

[metrics]
listen = "127.0.0.1:{self.matcher}"
""")
        self.start("matcher", os.path.join(self.programs, "beacon-matcher"), "run", "--config", matcher)
        self.start("gateway", os.path.join(self.programs, "beacon-gateway"), "run", "--config", gateway,
                   "--simulated-reports", "50")

    def address(self, program, path):
        return f"http://127.0.0.1:{getattr(self, program)}{path}"

    def finish(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def logs(self):
        return "".join(
            f"== {name}\n" + "".join(open(self.path(name), encoding="utf-8", errors="replace").readlines()[-15:])
            for name in sorted(os.listdir(self.directory)) if name.endswith(".log"))


def tool(name):
    """The path of a program, also where servers are."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
    if path is None:
        print(f"error: there is no {name}\n  what to do: make test-packages", file=sys.stderr)
        sys.exit(UNAVAILABLE)
    return path


def collect(site, problems, prometheus):
    """The metrics of the programs, by program, gathered until everything that can be exposed has been."""
    metrics = {"gateway": {}, "matcher": {}}

    def scrape():
        for program, found in metrics.items():
            status, text = get(site.address(program, "/metrics"))
            if status != 200:
                raise ValueError(f"{status} from the {program}")
            read(text, found)

    # The programs at work.
    for program in metrics:
        await_(f"a {program} that receives, stores and delivers",
               lambda program=program: get(site.address(program, "/healthz"))[0] == 200)
    for path in ("/v1/keys", "/v1/nothing", "/sign-in", "/v1/subjects/badge:x/risk"):
        get(f"http://127.0.0.1:{site.api}{path}")
    await_("records that are stored, and a module", lambda: scrape() or (
        "beacon_matcher_last_stored_record_age_seconds" in metrics["matcher"]
        and "beacon_gateway_module_provisioning_seconds" in metrics["gateway"]
        and "beacon_gateway_outbox_time_left_seconds" in metrics["gateway"]
        and len(metrics["matcher"].get(SUCCESS, Metric()).labels.get("work", ())) == 5))
    for program in metrics:
        check_text(site, program, problems)
    prometheus()
    # Records wait only while the broker is away.
    site.broker.terminate()
    site.broker.wait()
    await_("a record that waits", lambda: scrape() or (
        "beacon_gateway_outbox_oldest_age_seconds" in metrics["gateway"]))
    for program in metrics:
        await_(f"a {program} that says that the broker is away",
               lambda program=program: get(site.address(program, "/healthz"))[0] == 503)
    return metrics


def check_text(site, program, problems):
    """What promtool says of an exposition, and what must not be in it."""
    text = get(site.address(program, "/metrics"))[1]
    result = subprocess.run([tool("promtool"), "check", "metrics"], input=text, capture_output=True, text=True, check=False)
    for line in (result.stdout + result.stderr).split("\n"):
        if line:
            problems.append(f"promtool check metrics: {program}: {line}")
    for what, pattern in (("an address", r"(?i)\b[0-9a-f]{2}(:[0-9a-f]{2}){5}\b"),
                          ("a UUID", r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-"), ("a path", re.escape(site.directory))):
        if match := re.search(pattern, text):
            problems.append(f"the metrics of the {program} have {what}: {match[0]}")
    open_text = get(site.address(program, "/metrics"), OPENMETRICS)[1]
    if not open_text.endswith("\n# EOF\n"):
        problems.append(f"the OpenMetrics of the {program} don't end with # EOF")


# MARK: Rules and dashboard


def rules():
    with open(os.path.join(GRAFANA, "alerts.yml"), encoding="utf-8") as file:
        return [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]


def check_rules(problems, guide):
    for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"],
                    ["check", "config", "--syntax-only", "prometheus.yml"]):
        result = subprocess.run(
            [tool("promtool"), *command], cwd=GRAFANA, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            problems.append(f"promtool {' '.join(command)}: {result.stdout}{result.stderr}")
    with open(os.path.join(GRAFANA, "alerts.test.yml"), encoding="utf-8") as file:
        tests = {test["name"] for test in yaml.safe_load(file)["tests"]}
    names = [rule["alert"] for rule in rules()]
    for name in {name for name in names if names.count(name) > 1}:
        problems.append(f"alerts.yml: {name} is there twice")
    for rule in rules():
        name, notes = rule["alert"], rule.get("annotations", {})
        for found, what in ((rule.get("for"), "for"), (notes.get("summary"), "a summary"),
                            (notes.get("description"), "a description")):
            if not found:
                problems.append(f"alerts.yml: {name} has no {what}")
        if rule.get("labels", {}).get("severity") not in ("warning", "critical"):
            problems.append(f"alerts.yml: the severity of {name} is neither warning nor critical")
        for end in ("fires", "is quiet"):
            if f"{name} {end}" not in tests:
                problems.append(f'alerts.test.yml: there is no test "{name} {end}"')
        if f"| `{name}` |" not in guide:
            problems.append(f"{GUIDE}: {name} is in no table of alerts")
    for name in re.findall(r"\| `(Beacon\w+)` \|", guide):
        if name not in names:
            problems.append(f"{GUIDE}: there is no alert {name}")


@dataclass
class Use:
    """A query, where it stands, and the labels that its place shows besides."""

    place: str
    query: str
    shown: set = field(default_factory=set)


def uses():
    """All queries of the alert rules and of the dashboard."""
    for rule in rules():
        notes = " ".join(rule.get("annotations", {}).values())
        yield Use(f"alerts.yml: {rule['alert']}", rule["expr"], set(re.findall(r"\$labels\.(\w+)", notes)))
    with open(os.path.join(GRAFANA, "dashboard.json"), encoding="utf-8") as file:
        dashboard = json.load(file)
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield Use(f"dashboard.json: {panel['title']}", target["expr"],
                      set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])))
    for variable in dashboard["templating"]["list"]:
        if match := re.fullmatch(r"label_values\((.*), (\w+)\)", variable.get("definition", "")):
            yield Use(f"dashboard.json: variable {variable['name']}", match[1], {match[2]})
    for annotation in dashboard["annotations"]["list"]:
        yield Use(f"dashboard.json: annotation {annotation['name']}", annotation["expr"],
                  set(re.findall(r"\{\{(\w+)\}\}", annotation["titleFormat"])))


def check_dashboard(problems):
    with open(os.path.join(GRAFANA, "dashboard.json"), encoding="utf-8") as file:
        dashboard = json.load(file)
    variables = {each["name"]: each["type"] for each in dashboard["templating"]["list"]}
    if variables.get("datasource") != "datasource":
        problems.append("dashboard.json: there is no variable for the data source")
    if not 36 <= dashboard["schemaVersion"] <= 39:
        problems.append(f"dashboard.json: its schema {dashboard['schemaVersion']} isn't that of Grafana 10")
    ids, cells = [panel["id"] for panel in dashboard["panels"]], set()
    if len(ids) != len(set(ids)):
        problems.append("dashboard.json: two panels have the same id")
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        taken = set(itertools.product(range(place["x"], place["x"] + place["w"]),
                                      range(place["y"], place["y"] + place["h"])))
        if cells & taken or place["x"] + place["w"] > 24:
            problems.append(f"dashboard.json: {panel['title']} covers another panel")
        cells |= taken
        for part in [panel, *panel.get("targets", [])]:
            if panel["type"] != "row" and part["datasource"]["uid"] != "${datasource}":
                problems.append(f"dashboard.json: {panel['title']} names a data source of its own")


FUNCTION_WORDS = {"by", "on", "and", "or", "unless", "without", "ignoring", "group_left", "group_right", "bool", "le"}


def selectors(query):
    """The metrics of a query with the matchers of each."""
    text = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: match[0].replace("{", "\0").replace("}", "\1"), query)
    # What stands in parentheses after `by` and the like are labels.
    text = re.sub(r"\b(by|on|without|ignoring|group_left|group_right) *\([^)]*\)", "", text)
    for match in re.finditer(r"(?<![\w\"$.])([a-zA-Z_]\w*)(\{[^}]*\})?(?! *\(|\w)", text):
        if match[1] in FUNCTION_WORDS or (re.fullmatch(r"[smhd]", match[1])):
            continue
        matchers = re.findall(r'(\w+) *(=~|!=|!~|=) *"((?:\\.|[^"\\])*)"', match[2] or "")
        yield match[1], matchers


def check_use(use, metrics, problems):
    """Whether everything that a query names is exposed."""
    labels = set(ADDED)
    for name, matchers in selectors(use.query):
        if name in ("up", "ALERTS"):
            continue
        base = name if name in metrics else re.sub(r"_(bucket|sum|count)$", "", name)
        if base not in metrics or (base != name and metrics[base].kind != "histogram"):
            problems.append(f"{use.place}: no program exposes {name}")
            continue
        known = metrics[base].labels
        labels |= set(known) | ({"le"} if name.endswith("_bucket") else set())
        for label, operator, value in matchers:
            if label in ADDED:
                continue
            if label not in known:
                problems.append(f"{use.place}: {name} has no label {label}")
            elif operator in ("=", "=~"):
                for each in value.split("|") if operator == "=~" else [value]:
                    if re.fullmatch(r"[\w-]+", each) and each not in known[label] and (label, each) not in EVENTS:
                        problems.append(f"{use.place}: {name} has no {label}=\"{each}\"")
    groups = re.findall(r"\b(?:by|on) *\(([^)]*)\)", use.query)
    for label in {label.strip() for group in groups for label in group.split(",")} - labels:
        problems.append(f"{use.place}: no metric of it has the label {label}")
    kept = [{label.strip() for label in group.split(",")} for group in re.findall(r"\bby *\(([^)]*)\)", use.query)]
    shown = set().union(*kept) if kept and " or " not in use.query else labels
    for label in use.shown - shown:
        problems.append(f"{use.place}: what it shows has no label {label}")


# MARK: The guide


def table(metrics, prefix):
    """The rows of the guide's table for the metrics with a prefix."""
    for name in sorted(metrics):
        if name.startswith(prefix):
            metric = metrics[name]
            labels = ", ".join(f"`{label}`" for label in metric.labels)
            yield f"| `{name}` | {metric.kind} | {labels} | {metric.help} |"


def tables(metrics):
    everything = {**metrics["gateway"], **metrics["matcher"]}
    both = {name: each for name, each in everything.items()
            if not any(name.startswith(prefix) for prefix in PREFIXES.values())}
    yield "both programs", list(table(both, ""))
    for program, prefix in PREFIXES.items():
        yield f"beacon-{program}", list(table(everything, prefix))


def check_guide(guide, metrics, problems):
    stated = [line for line in guide.split("\n") if re.match(r"\| `(beacon|process)_\w+` \|", line)]
    expected = [row for _, rows in tables(metrics) for row in rows]
    for row in expected:
        if row not in stated:
            problems.append(f"{GUIDE}: this row is missing: {row}")
    for row in stated:
        if row not in expected:
            problems.append(f"{GUIDE}: the programs expose something else than {row}")
    everything = {**metrics["gateway"], **metrics["matcher"]}
    for name in set(re.findall(r"\b(?:beacon_(?:gateway|matcher)|process)_\w+", guide)):
        if name not in everything and re.sub(r"_(bucket|sum|count)$", "", name) not in everything:
            problems.append(f"{GUIDE}: no program exposes {name}")


# MARK: Prometheus


def check_prometheus(site, problems):
    """Lets a real Prometheus scrape the programs and evaluate everything."""
    with open(os.path.join(GRAFANA, "prometheus.yml"), encoding="utf-8") as file:
        text = file.read()
    for port, own in ((9469, site.gateway), (9470, site.matcher)):
        text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{own}")
    text = text.replace("30s", "1s")
    site.write("prometheus.yml", text)
    shutil.copy(os.path.join(GRAFANA, "alerts.yml"), site.path("alerts.yml"))
    address = f"http://127.0.0.1:{site.prometheus}"
    site.start("prometheus", tool("prometheus"), "--config.file=" + site.path("prometheus.yml"),
               "--storage.tsdb.path=" + site.path("tsdb"), f"--web.listen-address=127.0.0.1:{site.prometheus}")

    def api(path, **query):
        status, body = get(f"{address}/api/v1/{path}?{urllib.parse.urlencode(query)}")
        answer = json.loads(body)
        if status != 200 or answer["status"] != "success":
            raise RuntimeError(answer.get("error", body))
        return answer["data"]

    def targets():
        found = api("targets")["activeTargets"]
        for each in found:
            if each["health"] == "down":
                raise RuntimeError(f"{each['labels']['job']}: {each['lastError']}")
        return len(found) == 2 and all(each["health"] == "up" for each in found)

    def evaluated():
        found = [rule for group in api("rules")["groups"] for rule in group["rules"]]
        for each in found:
            if each["health"] == "err":
                raise RuntimeError(f"{each['name']}: {each['lastError']}")
        return len(found) == len(rules()) and all(each["health"] == "ok" for each in found)

    try:
        await_("Prometheus scrapes both programs", targets)
        await_("Prometheus evaluates all rules", evaluated)
        for use in uses():
            query = use.query.replace("$gateway", ".*").replace("$matcher", ".*").replace("$__rate_interval", "30s")
            try:
                api("query", query=query)
            except RuntimeError as error:
                problems.append(f"{use.place}: Prometheus says: {error}")
    except RuntimeError as error:
        problems.append(f"Prometheus: {error}")


def main(options):
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        site = Site(directory, options.programs)
        try:
            site.start_broker()
            site.start_programs()
            metrics = collect(
                site, problems, lambda: None if options.table else check_prometheus(site, problems))
        except FileNotFoundError as error:
            print(f"error: cannot run {error.filename}\n  what to do: build the programs with `swift build`",
                  file=sys.stderr)
            return UNAVAILABLE
        except TimeoutError as error:
            print(f"error: {error}\n{site.logs()}", file=sys.stderr)
            return FAILED
        finally:
            site.finish()
    if options.table:
        for title, rows in tables(metrics):
            print(f"{title}\n\n| metric | kind | labels | meaning |\n|---|---|---|---|")
            print("\n".join(rows) + "\n")
        return 0
    with open(os.path.join(ROOT, GUIDE), encoding="utf-8") as file:
        guide = file.read()
    everything = {**metrics["gateway"], **metrics["matcher"]}
    for use in uses():
        check_use(use, everything, problems)
    check_dashboard(problems)
    check_rules(problems, guide)
    check_guide(guide, metrics, problems)
    for problem in dict.fromkeys(problems):
        print(f"error: {problem}")
    return FAILED if problems else 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="print the guide's tables, and check nothing")
    parser.add_argument(
        "--programs", metavar="DIRECTORY", default=os.path.join(ROOT, ".build", "debug"),
        help="where the programs are (default: .build/debug)")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main(parsed()))
    except SystemExit as end:
        # argparse exits with 2 for wrong usage.
        sys.exit(USAGE if end.code == 2 else end.code)
