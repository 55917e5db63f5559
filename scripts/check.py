#!/usr/bin/env python3
"""Runs checks phase by phase, and ends with one table of what took how long and what failed.

    check.py test       what every push has to pass
    check.py ci         the same, then ThreadSanitizer
    check.py all        everything at full scale; goes on where it was stopped, unless the sources have changed
    check.py PHASE...   these phases, and the builds that they need; TEST_SCALE=100 is their full scale

The phases and plans are the tables below. Logs, times of all tests and the history of runs are in .build/check. The exit
status is 1 if a phase failed, 130 if the run was stopped.
"""

import collections
import datetime
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, ".build", "check")
STATE = os.path.join(RESULTS, "all.json")
FULL_SCALE = 100
# What a command ends with that has nothing to do on this machine, by automake's convention.
SKIPPED = 77

# The tier of a test is the end of its target's name; what has none of these ends is a test of values.
TIER = {tier: rf"^\w*{tier}Tests\." for tier in ("Integration", "Delivery", "Cluster", "Simulation", "VirtualRadio")}
NO_VALUES = rf"^\w*({'|'.join(TIER)})Tests\."

# Without a bound every test of a tier would start at once, and wait for minutes on the few threads there are.
SOME_AT_ONCE = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "16"}
# With a sanitizer everything takes several times as long.
FEWER_AT_ONCE = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "6"}


@dataclass
class Phase:
    """A command, and what has to have run before it."""

    command: list
    needs: tuple = ()
    environment: dict = field(default_factory=dict)
    # Whether it is a test bundle, which tells its events.
    tests: bool = False
    # A phase that takes longer is ended: a test that blocks its thread can't be ended by its own time limit.
    minutes: int = 60
    # Whether what it makes may be out of date although the sources are the same.
    makes: bool = False


def tests(*options, needs=("build",), at_once=None, package="beacon-gateway", scratch=".build", **environment):
    """Tests of a package; without `at_once` one after the other. Not by `swift test`, which doesn't run beside itself."""
    bundle = f"{ROOT}/{scratch}/debug/{package}PackageTests.xctest"
    parallel = [] if at_once else ["--no-parallel"]
    return Phase(
        [bundle, "--testing-library", "swift-testing", *parallel, *options], needs,
        {**(at_once or {}), **environment}, tests=True)


def build(*options, needs=()):
    return Phase(["swift", "build", *options], needs, makes=True)


def sanitized(name, *select, **environment):
    """The phases that build with a sanitizer and test with it; proofs of delivery by themselves, as without one."""
    scratch = f".build/{name}"
    common = {"needs": (f"build-{name}",), "scratch": scratch, **environment}
    return {
        f"build-{name}": build("--build-tests", f"--sanitize={name}", "--scratch-path", scratch),
        name: tests(*select, at_once=FEWER_AT_ONCE, **common),
        f"{name}-delivery": tests("--filter", TIER["Delivery"], **common),
    }


def phases(scale):
    """All phases by name."""
    return {
        "format": Phase(
            ["swift", "format", "lint", "--strict", "--recursive", "--parallel", "Package.swift", "Sources", "Tests",
             "Benchmarks", "Fuzz"]),
        "tiers": Phase(["scripts/check-tiers.py"]),
        "build": build("--build-tests"),
        "values": tests("--skip", NO_VALUES),
        "simulation": tests("--filter", TIER["Simulation"]),
        "integration": tests("--filter", TIER["Integration"], at_once=SOME_AT_ONCE),
        # What stands on the store, which is SQLite otherwise, on PostgreSQL.
        "postgresql": tests(
            "--filter", r"^MatcherIntegrationTests\.", at_once=SOME_AT_ONCE, BEACON_TEST_BACKEND="postgreSQL"),
        "delivery": tests("--filter", TIER["Delivery"]),
        "cluster": tests("--filter", TIER["Cluster"]),
        "requests": Phase(["scripts/requests.sh"], ("build",)),
        "demo": Phase(["scripts/demo.sh"], ("build",), {"DEMO_SECONDS": "20"}),
        "machine": Phase(["Tests/VirtualRadio/build-base.sh"], makes=True),
        "release": build("-c", "release", "--product", "beacon-gateway"),
        # How much an emulated processor can take is only told by an optimised program.
        "virtual-radio": tests(
            "--filter", TIER["VirtualRadio"], at_once=SOME_AT_ONCE,
            needs=("machine", "build") + (("release",) if scale >= FULL_SCALE else ())),
        "build-benchmarks": build(
            "--build-tests", "--package-path", "Benchmarks", "--scratch-path", ".build/benchmarks"),
        "benchmarks": tests(needs=("build-benchmarks",), package="benchmarks", scratch=".build/benchmarks"),
        "fuzz": Phase(["Fuzz/run.sh"]),
        # Threads and tasks are in these tiers: tests of values have none.
        **sanitized(
            "thread", "--filter", TIER["Integration"],
            TSAN_OPTIONS=f"suppressions={ROOT}/Tests/race-suppressions.txt:print_suppressions=0"),
        # Pointers and C are everywhere.
        **sanitized(
            "address", "--skip", r"^\w*(Delivery|Cluster|VirtualRadio)Tests\.",
            LSAN_OPTIONS=f"suppressions={ROOT}/Tests/leak-suppressions.txt:print_suppressions=0"),
    }


# Names in a tuple run beside each other. Proofs of delivery have the machine for themselves.
PLANS = {
    "lint": [("format", "tiers")],
    "test": ["lint", "build", "machine", "delivery", ("values", "integration"), ("virtual-radio", "simulation",
             "requests", "demo")],
    "ci": ["test", "thread", "thread-delivery"],
    "all": ["lint", "build", "machine", "delivery", ("values", "integration"), ("postgresql", "simulation"), "cluster",
            ("virtual-radio", "requests", "demo"), "benchmarks", "fuzz", "thread", "thread-delivery", "address",
            "address-delivery"],
}
# Of these the daily scale has all there is to find, or the sanitizer makes them too slow for more.
DAILY = {"thread", "thread-delivery", "address", "address-delivery"}


@dataclass
class Result:
    """What became of a phase."""

    name: str
    status: str
    seconds: float = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list = field(default_factory=list)
    suites: list = field(default_factory=list)

    @property
    def is_red(self):
        return self.status not in ("passed", "passed earlier", "skipped")


# MARK: Reading what a phase left

CRASH = re.compile(
    r"Fatal error|Program crashed|unexpected signal|ThreadSanitizer: |AddressSanitizer: |LeakSanitizer: ")
ERROR = re.compile(r"error: ")


def lines_of(path, pattern):
    """The lines of a log that match, each once."""
    with open(path, encoding="utf-8", errors="replace") as log:
        return list(dict.fromkeys(line.strip()[:240] for line in log if pattern.search(line)))


def last_lines(path):
    with open(path, encoding="utf-8", errors="replace") as log:
        return [line.rstrip()[:240] for line in log if line.strip()][-15:]


def counted(path, result, is_serial):
    """Reads from the stream of events of a test bundle how long each test took, and which failed.

    Where tests run beside each other, only the time of a parameterized test's cases is known: a test is said to begin
    before it has its turn. Returns what was recorded of failed tests, the tests that didn't end, and whether the run
    ended."""
    functions, parameterized, ended, skipped, begun = set(), set(), set(), set(), {}
    issues = collections.defaultdict(list)
    seconds = collections.Counter()
    has_ended = False
    if not os.path.exists(path):
        return [], [], False
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            try:
                record = json.loads(line)
            except ValueError:
                # The last line of a process that was killed.
                continue
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    functions.add(payload["id"])
                    if payload["isParameterized"]:
                        parameterized.add(payload["id"])
                continue
            test, kind = payload.get("testID"), payload["kind"]
            case = (test, json.dumps(payload.get("_testCase")))
            instant = payload["instant"]["absolute"]
            if kind in ("testCaseStarted", "testStarted"):
                begun[case] = instant
            elif kind in ("testCaseEnded", "testEnded"):
                spent = instant - begun.pop(case, instant)
                if kind == "testCaseEnded" or (is_serial and test in functions - parameterized):
                    seconds[test] += spent
                if kind == "testEnded":
                    ended.add(test)
            elif kind == "testSkipped":
                skipped.add(test)
            elif kind == "issueRecorded" and not payload["issue"].get("isKnown"):
                if payload["issue"].get("severity", "error") == "error":
                    place = payload["issue"].get("sourceLocation") or {}
                    text = " ".join(message["text"] for message in payload["messages"][:2])
                    issues[test].append(f"{place.get('fileID', '')}:{place.get('line', '')}: {text}")
            elif kind == "runEnded":
                has_ended = True
    open_tests = sorted(({test for test, _ in begun} & functions) - ended)
    broken = set(issues) & functions
    result.skipped = len(functions & skipped)
    result.failed = len(broken)
    result.passed = len((functions & ended) - skipped - broken)
    recorded = []
    for test, texts in sorted(issues.items(), key=lambda item: str(item[0])):
        name = test.rsplit("/", 1)[0] if test in functions else test or "outside of a test"
        recorded += [f"{name}: {text}".replace("\n", " ")[:300] for text in texts[:3]]
        if len(texts) > 3:
            recorded.append(f"{name}: ... and {len(texts) - 3} more")
    suites = collections.defaultdict(lambda: [0.0, 0])
    for test, spent in seconds.items():
        suites[test.split("/")[0]][0] += spent
        suites[test.split("/")[0]][1] += 1
    result.suites = [(spent, name, count) for name, (spent, count) in suites.items()]
    return recorded, [test.rsplit("/", 1)[0] for test in open_tests], has_ended


def judge(phase, result, status, log, events, is_late):
    """Says whether the phase failed, and why: what a person needs first comes first."""
    recorded, open_tests, has_ended = [], [], True
    if phase.tests:
        recorded, open_tests, has_ended = counted(events, result, "--no-parallel" in phase.command)
    if status == SKIPPED and not phase.tests:
        result.status = "skipped"
        return
    why = []
    if is_late:
        why.append(f"it was ended after {phase.minutes} minutes")
    elif status < 0:
        why.append(f"it was killed by signal {-status}")
    if phase.tests:
        if not has_ended:
            why.append(f"the tests didn't come to their end (status {status})")
        elif result.passed + result.failed + result.skipped == 0:
            why.append("no test ran")
    if status != 0 or why:
        crashes = lines_of(log, CRASH)[:8]
        pending = open_tests if len(open_tests) <= 5 else open_tests[:5] + [f"and {len(open_tests) - 5} more"]
        why = why + crashes + recorded + [f"didn't end: {test}" for test in pending]
        if not phase.tests or not (crashes or recorded or open_tests):
            why += lines_of(log, ERROR)[-15:] or last_lines(log)
        result.status = "FAILED"
        shown = why[:25] + ([f"... and {len(why) - 25} lines more in the log"] if len(why) > 25 else [])
        result.failures = shown or [f"status {status}"]


# MARK: Running

sessions = set()


def sweep(number):
    """Sends a signal to all that the phases started; a test bundle's children have groups of their own, but its session."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) in sessions:
                os.kill(int(pid), number)
                found += 1
        except (ProcessLookupError, PermissionError):
            pass
    return found


def end_all():
    """Ends everything that is left of the phases."""
    deadline = time.monotonic() + 10
    number = signal.SIGTERM
    while sweep(number) and time.monotonic() < deadline:
        number = 0
        time.sleep(0.1)
    sweep(signal.SIGKILL)


def run(name, phase, scale):
    """Runs one phase."""
    log = os.path.join(RESULTS, name + ".log")
    events = os.path.join(RESULTS, name + ".jsonl")
    if os.path.exists(events):
        os.remove(events)
    stream = ["--event-stream-output-path", events, "--event-stream-version", "0"]
    environment = {**os.environ, **phase.environment, "TEST_SCALE": str(scale)}
    start = time.monotonic()
    is_late = False
    with open(log, "wb") as output:
        process = subprocess.Popen(
            phase.command + (stream if phase.tests else []), cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        sessions.add(process.pid)
        try:
            status = process.wait(timeout=phase.minutes * 60)
        except subprocess.TimeoutExpired:
            is_late = True
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
    result = Result(name, "passed", time.monotonic() - start)
    judge(phase, result, status, log, events, is_late)
    # Tests that wait for the same thing at the same time take no longer than the phase.
    result.suites = [(min(spent, result.seconds), suite, count) for spent, suite, count in result.suites]
    return result


class Screen:
    """A line for each phase; on a terminal also for those that run."""

    def __init__(self):
        self.is_terminal = sys.stdout.isatty()
        self.running = {}
        self.begun = time.monotonic()

    def start(self, names):
        now = time.monotonic()
        self.running = {name: now for name in names}
        if not self.is_terminal:
            print(f"{clock(now - self.begun)}  {', '.join(names)} ...", flush=True)

    def tick(self):
        if self.is_terminal and self.running:
            now = time.monotonic()
            text = ", ".join(f"{name} {clock(now - start)}" for name, start in self.running.items())
            print(f"\r\033[K{text[: os.get_terminal_size().columns - 1]}", end="", flush=True)

    def end(self, result):
        self.running.pop(result.name, None)
        if self.is_terminal:
            print("\r\033[K", end="")
        print(row(result, self.is_terminal), flush=True)


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def row(result, in_colour=False):
    number = [str(n) if n else "" for n in (result.passed, result.failed, result.skipped)]
    status = result.status
    if in_colour and status:
        status = f"\033[3{1 if result.is_red else 2}m{status}\033[0m"
    return f"{result.name:<18}{clock(result.seconds):>7}{number[0]:>9}{number[1]:>9}{number[2]:>9}   {status}".rstrip()


HEAD = f"{'phase':<18}{'time':>7}{'passed':>9}{'failed':>9}{'skipped':>9}"


# MARK: Plans


def steps(names, table):
    """The phases in order, each after what it needs, as tuples of those that run beside each other."""
    order, seen = [], set()

    def need(name):
        for needed in table[name].needs:
            if needed not in seen:
                need(needed)
                seen.add(needed)
                order.append((needed,))

    def add(entry):
        group = entry if isinstance(entry, tuple) else (entry,)
        if len(group) == 1 and group[0] in PLANS:
            for inner in PLANS[group[0]]:
                add(inner)
            return
        for name in group:
            if name not in table:
                print(f"error: there is no phase {name}\n  there are {', '.join([*PLANS, *table])}", file=sys.stderr)
                sys.exit(64)
            need(name)
        group = tuple(name for name in group if name not in seen)
        seen.update(group)
        if group:
            order.append(group)

    for name in names:
        add(name)
    return order


def fingerprint():
    """Says which sources are checked; nil where that can't be told."""

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout

    try:
        digest = hashlib.sha256(git("rev-parse", "HEAD^{tree}") + git("diff", "HEAD"))
        for name in git("ls-files", "--others", "--exclude-standard", "-z").split(b"\0"):
            path = os.path.join(os.fsencode(ROOT), name)
            if name and os.path.isfile(path):
                with open(path, "rb") as file:
                    digest.update(name + b"\0" + file.read())
        return digest.hexdigest()
    except (OSError, subprocess.CalledProcessError):
        return None


def earlier(table):
    """The phases of a stopped run of the same sources that have passed. What was built may have been built anew since."""
    try:
        with open(STATE, encoding="utf-8") as file:
            kept = json.load(file)
    except (OSError, ValueError):
        return {}
    if kept.get("sources") is None or kept["sources"] != fingerprint():
        return {}
    results = [Result(**{**entry, "suites": [tuple(suite) for suite in entry["suites"]]}) for entry in kept["results"]]
    return {result.name: result for result in results if result.name in table and not table[result.name].makes}


class Stopped(Exception):
    """Somebody wants the run to end."""


def stop(*_):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


def beside(group, table, scale, results, screen):
    """Runs phases beside each other until all have ended."""

    def work(name):
        try:
            results[name] = run(name, table[name], scale(name))
        except Exception as error:  # pylint: disable=broad-except
            results[name] = Result(name, "FAILED", failures=[f"check.py: {error!r}"])

    for name in group:
        threading.Thread(target=work, args=(name,), daemon=True).start()
    shown = set()
    while len(shown) < len(group):
        for name in group:
            if name in results and name not in shown:
                shown.add(name)
                screen.end(results[name])
        screen.tick()
        time.sleep(0.2)
    # What a crashed test bundle has left.
    end_all()
    sessions.clear()


def main(names):
    os.makedirs(RESULTS, exist_ok=True)
    is_all = "all" in names
    wanted = FULL_SCALE if is_all else int(os.environ.get("TEST_SCALE") or "1")
    table = phases(wanted)
    order = steps(names, table)
    kept = earlier(table) if is_all else {}
    sources = fingerprint() if is_all else None
    screen = Screen()
    results = {}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    is_stopped = False
    print(HEAD)
    try:
        for group in order:
            ready = []
            for name in group:
                missing = [needed for needed in table[name].needs if results[needed].is_red]
                if name in kept:
                    results[name] = kept[name]
                    results[name].status = "passed earlier"
                elif missing:
                    results[name] = Result(name, "not run", failures=[f"{missing[0]} failed"])
                else:
                    ready.append(name)
                    continue
                screen.end(results[name])
            if not ready:
                continue
            screen.start(ready)
            beside(ready, table, lambda name: 1 if is_all and name in DAILY else wanted, results, screen)
            if is_all and sources is not None and fingerprint() == sources:
                good = [vars(result) for result in results.values() if not result.is_red]
                with open(STATE, "w", encoding="utf-8") as file:
                    json.dump({"sources": sources, "results": good}, file)
    except Stopped:
        is_stopped = True
        end_all()
        for name in screen.running:
            results[name] = Result(name, "stopped", failures=["it was running when the run was stopped"])
    if is_all and not is_stopped and not any(result.is_red for result in results.values()):
        # The next run begins anew.
        if os.path.exists(STATE):
            os.remove(STATE)
    report(names, list(results.values()), time.monotonic() - screen.begun)
    if is_stopped:
        return 130
    return int(any(result.is_red for result in results.values()))


def report(names, results, seconds):
    """Prints the table, the slowest suites, and last what failed."""
    print()
    print(HEAD)
    for result in results:
        print(row(result))
    total = {key: sum(getattr(result, key) for result in results) for key in ("passed", "failed", "skipped")}
    print(row(Result("all of them", "", seconds, **total)))
    suites = sorted((suite + (result.name,) for result in results for suite in result.suites), reverse=True)
    if suites:
        print("\nslowest suites (of tests beside each other: those with parameters)")
        for spent, name, count, phase in suites[:10]:
            print(f"{spent:>8.1f} s  {name} ({count} tests, {phase})")
    with open(os.path.join(RESULTS, "history.jsonl"), "a", encoding="utf-8") as history:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()
        entry = {
            "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "commit": commit,
            "run": names, "seconds": round(seconds, 1),
            "phases": {r.name: [r.status, round(r.seconds, 1), r.passed, r.failed, r.skipped] for r in results},
            "slowest": [[name, round(spent, 1)] for spent, name, _, _ in suites[:10]],
        }
        history.write(json.dumps(entry) + "\n")
    print(f"\n{' '.join(names)}: {clock(seconds)}; logs in {os.path.relpath(RESULTS, ROOT)}")
    red = [result for result in results if result.is_red]
    if red:
        print("\nWhat failed:")
    for result in red:
        print(f"  {result.name}: {result.status} (.build/check/{result.name}.log)")
        for line in result.failures:
            print(f"    {line}")
    # A phase that isn't made of tests counts as one, and so does one whose tests didn't tell why it failed.
    others = [result for result in results if result.passed + result.failed + result.skipped == 0]
    passed = total["passed"] + sum(result.status.startswith("passed") for result in others)
    failed = total["failed"] + sum(result.is_red and result.failed == 0 for result in results)
    skipped = total["skipped"] + sum(result.status == "skipped" for result in others)
    print(f"\n{passed} passed, {failed} failed, {skipped} skipped")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        print("\nphases: " + ", ".join([*PLANS, *phases(1)]))
        sys.exit(0 if len(sys.argv) > 1 else 64)
    sys.exit(main(sys.argv[1:]))
