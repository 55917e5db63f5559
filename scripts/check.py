#!/usr/bin/env python3
"""Runs checks phase by phase, and ends with one table of what took how long and what failed.

    check.py test       what every push has to pass
    check.py ci         the same, then ThreadSanitizer
    check.py all        everything at full scale; goes on where it was stopped, unless the sources have changed
    check.py PHASE...   these phases, and the builds that they need; TEST_SCALE=100 is their full scale

The phases and plans are the tables below. Logs, times of all tests and the history of runs are in .build/check. The exit
status is 1 if a phase failed.
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
FULL_SCALE = "100"

# The tier of a test is the end of its target's name; what has none of these ends is a test of values.
TIER = {tier: rf"^\w*{tier}Tests\." for tier in ("Integration", "Delivery", "Cluster", "Simulation", "VirtualRadio")}
VALUES = rf"^\w*({'|'.join(TIER)})Tests\."

# Without a bound every test of a tier would start at once, and wait for minutes on the few threads there are.
SOME_AT_ONCE = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "16"}


@dataclass
class Phase:
    """A command, and what has to have run before it."""

    command: list
    needs: tuple = ()
    environment: dict = field(default_factory=dict)
    # Whether it is `swift test`.
    tests: bool = False


def tests(*options, needs=("build",), at_once=None, **environment):
    """Tests of the package, by `swift test`; without `at_once` one after the other."""
    parallel = [] if at_once else ["--no-parallel"]
    return Phase(
        ["swift", "test", "--skip-build", *parallel, *options], needs, {**(at_once or {}), **environment}, tests=True)


def sanitized(name, select, **environment):
    """The phases that build with a sanitizer, and test with it one after the other: slowed tests would take the time
    from each other."""
    flags = [f"--sanitize={name}", "--scratch-path", f".build/{name}"]
    return {
        f"build-{name}": Phase(["swift", "build", "--build-tests", *flags]),
        name: tests(*flags, *select, needs=(f"build-{name}",), **environment),
    }


PHASES = {
    "format": Phase(
        ["swift", "format", "lint", "--strict", "--recursive", "--parallel", "Package.swift", "Sources", "Tests",
         "Benchmarks", "Fuzz"]),
    "tiers": Phase(["scripts/check-tiers.py"]),
    "build": Phase(["swift", "build", "--build-tests"]),
    "values": tests("--skip", VALUES),
    "simulation": tests("--filter", TIER["Simulation"]),
    "integration": tests("--filter", TIER["Integration"], at_once=SOME_AT_ONCE),
    # What stands on the store, which is SQLite otherwise, on PostgreSQL.
    "postgresql": tests(
        "--filter", r"^MatcherIntegrationTests\.", at_once=SOME_AT_ONCE, BEACON_TEST_BACKEND="postgreSQL"),
    "delivery": tests("--filter", TIER["Delivery"]),
    "cluster": tests("--filter", TIER["Cluster"]),
    "requests": Phase(["scripts/requests.sh"], ("build",)),
    "demo": Phase(["scripts/demo.sh"], ("build",), {"DEMO_SECONDS": "20"}),
    "machine": Phase(["Tests/VirtualRadio/build-base.sh"]),
    "release": Phase(["swift", "build", "-c", "release", "--product", "beacon-gateway"]),
    "virtual-radio": tests("--filter", TIER["VirtualRadio"], needs=("machine", "build"), at_once=SOME_AT_ONCE),
    "benchmarks": tests(
        "--package-path", "Benchmarks", "--scratch-path", ".build/benchmarks", needs=("build-benchmarks",)),
    "build-benchmarks": Phase(
        ["swift", "build", "--build-tests", "--package-path", "Benchmarks", "--scratch-path", ".build/benchmarks"]),
    "fuzz": Phase(["Fuzz/run.sh"]),
    # Threads and tasks are in these tiers: what tests values has none.
    **sanitized(
        "thread", ["--filter", TIER["Integration"], "--filter", TIER["Delivery"]],
        TSAN_OPTIONS=f"suppressions={ROOT}/Tests/race-suppressions.txt:print_suppressions=0"),
    # Pointers and C are everywhere.
    **sanitized(
        "address", ["--skip", TIER["Cluster"], "--skip", TIER["VirtualRadio"]],
        LSAN_OPTIONS=f"suppressions={ROOT}/Tests/leak-suppressions.txt:print_suppressions=0"),
}

# Names in a tuple run beside each other.
PLANS = {
    "lint": [("format", "tiers")],
    "test": ["lint", "build", ("values", "delivery", "machine"), ("simulation", "integration"),
             ("virtual-radio", "requests", "demo")],
    "ci": ["test", "build-thread", "thread"],
    "all": ["lint", "build", ("values", "simulation"), "integration", "postgresql", "delivery", "cluster", "demo",
            "requests", "release", "machine", "virtual-radio", "build-benchmarks", "benchmarks", "fuzz", "build-thread",
            "thread", "build-address", "address"],
}
# Of these the daily scale has all there is to find, or the sanitizer makes them too slow for more.
DAILY = {"thread", "address"}


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


# MARK: Reading what a phase left

FAILURE = re.compile(r"error: |Fatal error|ThreadSanitizer: |AddressSanitizer: |LeakSanitizer: ")


def told(path):
    """What a failed phase says of itself beside its tests: its errors, or its last lines."""
    with open(path, encoding="utf-8", errors="replace") as log:
        lines = log.read().splitlines()
    found = list(dict.fromkeys(line.strip()[:240] for line in lines if FAILURE.search(line)))
    return found[-15:] or [line[:240] for line in lines[-15:]]


def counted(path, result, is_serial):
    """Reads from the stream of events that `swift test` wrote how long each test took, and which failed.

    Where tests run beside each other, only the time of a parameterized test's cases is known: a test is said to begin
    before it has its turn."""
    if not os.path.exists(path):
        return
    functions, parameterized, ended, skipped, begun = set(), set(), set(), set(), {}
    issues = collections.defaultdict(list)
    seconds = collections.Counter()
    with open(path, encoding="utf-8") as stream:
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
    broken = set(issues) & functions
    for test in ({test for test, _ in begun} & functions) - ended:
        broken.add(test)
        issues[test].append("it didn't end")
    result.skipped = len(functions & skipped)
    result.failed = len(broken)
    result.passed = len((functions & ended) - skipped - broken)
    for test, texts in sorted(issues.items(), key=lambda item: str(item[0])):
        name = (test or "").rsplit("/", 1)[0] if test in functions else test
        result.failures += [f"{name}: {text}".replace("\n", " ")[:300] for text in texts[:3]]
    suites = collections.defaultdict(lambda: [0.0, 0])
    for test, spent in seconds.items():
        suites[test.split("/")[0]][0] += spent
        suites[test.split("/")[0]][1] += 1
    result.suites = [(spent, name, count) for name, (spent, count) in suites.items()]


# MARK: Running

processes = []
lock = threading.Lock()


def run(name, scale):
    """Runs one phase."""
    phase = PHASES[name]
    log = os.path.join(RESULTS, name + ".log")
    events = os.path.join(RESULTS, name + ".jsonl")
    if os.path.exists(events):
        os.remove(events)
    stream = ["--event-stream-output-path", events, "--event-stream-version", "0"]
    command = phase.command + (stream if phase.tests else [])
    environment = {**os.environ, **phase.environment, "TEST_SCALE": "1" if name in DAILY else scale}
    start = time.monotonic()
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        with lock:
            processes.append(process)
        status = process.wait()
    result = Result(name, "passed" if status == 0 else "FAILED", time.monotonic() - start)
    if phase.tests:
        counted(events, result, "--no-parallel" in command)
        if status == 0 and result.passed == 0:
            result.status = "FAILED"
            result.failures = ["no test ran"]
    if status != 0:
        result.failures = result.failures[:15] or told(log)
    return result


def stop(*_):
    """Ends what runs, with everything that it has started."""
    with lock:
        for process in processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
    raise KeyboardInterrupt


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
            print(f"\r\033[K{text}"[: os.get_terminal_size().columns + 4], end="", flush=True)

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
    if in_colour:
        status = f"\033[3{1 if result.failures else 2}m{status}\033[0m"
    return f"{result.name:<18}{clock(result.seconds):>7}{number[0]:>9}{number[1]:>9}{number[2]:>9}   {status}"


HEAD = f"{'phase':<18}{'time':>7}{'passed':>9}{'failed':>9}{'skipped':>9}"


# MARK: Plans

def steps(names):
    """The phases in order, each after what it needs, as tuples of those that run beside each other."""
    order, seen = [], set()

    def need(name):
        for needed in PHASES[name].needs:
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
            if name not in PHASES:
                sys.exit(f"error: there is no phase {name}; there are {', '.join([*PLANS, *PHASES])}")
            need(name)
        group = tuple(name for name in group if name not in seen)
        seen.update(group)
        if group:
            order.append(group)

    for name in names:
        add(name)
    return order


def fingerprint():
    """Says which sources are checked."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True).stdout

    digest = hashlib.sha256(git("rev-parse", "HEAD^{tree}") + git("diff", "HEAD"))
    for name in git("ls-files", "--others", "--exclude-standard", "-z").split(b"\0"):
        if name:
            with open(os.path.join(os.fsencode(ROOT), name), "rb") as file:
                digest.update(name + b"\0" + file.read())
    return digest.hexdigest()


def earlier(state):
    """The phases of a stopped run of the same sources that have passed."""
    try:
        with open(state, encoding="utf-8") as file:
            kept = json.load(file)
    except (OSError, ValueError):
        return {}
    if kept.get("sources") != fingerprint():
        return {}
    return {entry["name"]: Result(**{**entry, "suites": [tuple(suite) for suite in entry["suites"]]})
            for entry in kept["results"]}


def main(names):
    os.makedirs(RESULTS, exist_ok=True)
    order = steps(names)
    is_all = "all" in names
    scale = FULL_SCALE if is_all else os.environ.get("TEST_SCALE", "1")
    state = os.path.join(RESULTS, "all.json")
    kept = earlier(state) if is_all else {}
    sources = fingerprint() if is_all else ""
    screen = Screen()
    results = {}
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    is_stopped = False
    print(HEAD)
    try:
        for group in order:
            for name in group:
                if name in kept:
                    results[name] = kept[name]
                    results[name].status = "passed earlier"
                    screen.end(results[name])
            ready = []
            for name in group:
                if name in results:
                    continue
                missing = [needed for needed in PHASES[name].needs if results[needed].failures]
                if missing:
                    results[name] = Result(name, f"not run: {missing[0]} failed", failures=[f"{missing[0]} failed"])
                    screen.end(results[name])
                else:
                    ready.append(name)
            if not ready:
                continue
            screen.start(ready)

            def work(name):
                results[name] = run(name, scale)

            threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in ready]
            for thread in threads:
                thread.start()
            shown = set()
            while len(shown) < len(ready):
                for name in ready:
                    if name in results and name not in shown:
                        shown.add(name)
                        screen.end(results[name])
                screen.tick()
                time.sleep(0.2)
            if is_all:
                good = [vars(result) for result in results.values() if not result.failures]
                with open(state, "w", encoding="utf-8") as file:
                    json.dump({"sources": sources, "results": good}, file)
    except KeyboardInterrupt:
        is_stopped = True
    report(names, list(results.values()), time.monotonic() - screen.begun, is_stopped)
    return 130 if is_stopped else int(any(result.failures for result in results.values()))


def report(names, results, seconds, is_stopped):
    """Prints the table, the slowest suites, and last what failed."""
    print()
    print(HEAD)
    for result in results:
        print(row(result))
    total = {key: sum(getattr(result, key) for result in results) for key in ("passed", "failed", "skipped")}
    print(row(Result("total", "stopped" if is_stopped else "", sum(r.seconds for r in results), **total)))
    suites = sorted((suite + (result.name,) for result in results for suite in result.suites), reverse=True)
    if suites:
        print("\nslowest suites (beside others: only of parameterized tests)")
        for spent, name, count, phase in suites[:10]:
            print(f"{spent:>8.1f} s  {name} ({count} tests, {phase})")
    with open(os.path.join(RESULTS, "history.jsonl"), "a", encoding="utf-8") as history:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        phases = {r.name: [r.status, round(r.seconds, 1), r.passed, r.failed] for r in results}
        slow = [[name, round(spent, 1)] for spent, name, _, _ in suites[:10]]
        entry = {"time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "commit": commit,
                 "run": names, "seconds": round(seconds, 1), "phases": phases, "slowest": slow}
        history.write(json.dumps(entry) + "\n")
    print(f"\n{' '.join(names)}: {clock(seconds)}; logs in {os.path.relpath(RESULTS, ROOT)}")
    failed = [result for result in results if result.failures]
    if failed:
        print("\nWhat failed:")
    for result in failed:
        print(f"  {result.name} (.build/check/{result.name}.log)")
        for line in result.failures:
            print(f"    {line}")
    # A phase that isn't made of tests counts as one.
    others = [result for result in results if not result.passed + result.failed and not result.skipped]
    passed = total["passed"] + sum(not result.failures for result in others)
    broken = total["failed"] + sum(bool(result.failures) for result in others)
    print(f"\n{passed} passed, {broken} failed, {total['skipped']} skipped")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        print("\nphases: " + ", ".join(PHASES))
        sys.exit(0 if len(sys.argv) > 1 else 64)
    sys.exit(main(sys.argv[1:]))
