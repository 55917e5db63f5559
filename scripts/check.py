#!/usr/bin/env python3
"""Runs checks phase by phase, and ends with one table of what took how long and what failed.

    check.py test       what every push has to pass
    check.py ci         the same, in a new clone before a change lands
    check.py all        everything at full scale; goes on where it was stopped, unless the sources have changed
    check.py PHASE...   these phases, and the builds that they need, at TEST_SCALE, from 1 (the default) to 100

The phases and plans are the tables below. Logs, times of all tests and the history of runs are in .build/check. The exit
status is 1 if a phase failed, 130 if the run was stopped.
"""

import collections
import concurrent.futures
import contextlib
import datetime
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from dataclasses import dataclass, field, replace

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, ".build", "check")
STATE = os.path.join(RESULTS, "all.json")
FULL_SCALE = 100
# Exit status of a command that cannot run on this machine (automake's convention).
SKIPPED = 77

# A phase that takes longer is ended: a test that blocks its thread can't be ended by its own time limit.
MINUTES = 60


# The tier of a test is the end of its target's name; what has none of these ends is a test of values.
def of(*tiers):
    return rf"^\w*({'|'.join(tiers)})Tests\."


# Tests of a bundle that run beside each other. Without a bound all would start at once, and wait for minutes on the few
# threads there are. With a sanitizer everything takes several times as long.
SOME, FEW, TWO = 16, 6, 2


@dataclass
class Phase:
    """A command, and what has to have run before it."""

    command: list
    needs: tuple = ()
    environment: dict = field(default_factory=dict)
    # Whether it is a test bundle, which tells its events.
    tests: bool = False
    # Whether what it makes may be out of date although the sources are the same.
    makes: bool = False
    # Whether its tests have their directories in memory: most tests of databases wait for the disk alone. Those of
    # delivery, which are about disks, keep it.
    in_memory: bool = False


def tests(
        *options, needs=("build",), at_once=1, package="beacon-gateway", scratch=".build", in_memory=False, **environment):
    """Tests of a package. Not by `swift test`, which doesn't run beside itself."""
    bundle = f"{ROOT}/{scratch}/debug/{package}PackageTests.xctest"
    if at_once == 1:
        options = ("--no-parallel", *options)
    else:
        environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = str(at_once)
    return Phase(
        [bundle, "--testing-library", "swift-testing", *options], needs, environment, tests=True, in_memory=in_memory)


def build(*options, needs=(), **environment):
    return Phase(["swift", "build", *options], needs, environment, makes=True)


def sanitized(name, *select, **environment):
    """The phases that build with a sanitizer and test with it."""
    scratch = f".build/{name}"
    common = {"needs": (f"build-{name}",), "scratch": scratch, **environment}
    return {
        f"build-{name}": build("--build-tests", f"--sanitize={name}", "--scratch-path", scratch),
        name: tests(*select, at_once=FEW, **common),
        f"{name}-delivery": tests("--filter", of("Delivery"), **common),
    }


def phases(scale):
    """All phases by name."""
    return {
        "format": Phase(
            ["swift", "format", "lint", "--strict", "--recursive", "--parallel", "Package.swift", "Sources", "Tests",
             "Benchmarks", "Fuzz"]),
        "tiers": Phase(["scripts/check-tiers.py"]),
        "layers": Phase(["scripts/check-layers.py"]),
        # Links, and that every example says how it is checked.
        "documents": Phase(["scripts/check-examples.py", "--no-programs"]),
        # systemd knows every line of the units, they are as confined as they were, and the udev rules can be read.
        "units": Phase(["scripts/check-units.sh"]),
        # What can be said of arm64 without a compiler for it: nothing depends on the sign of C's char.
        "portable": Phase(["scripts/check-portable.py"]),
        # Everything that the Containerfile and compose.yaml name exists.
        "container": Phase(["scripts/check-container.py"]),
        "build": build("--build-tests"),
        "values": tests("--skip", of("Integration", "Delivery", "Cluster", "Simulation", "VirtualRadio")),
        # At full scale it takes longest, and computes only: one after the other it would leave a core idle.
        "simulation": tests("--filter", of("Simulation"), at_once=TWO if scale == FULL_SCALE else 1),
        "integration": tests("--filter", of("Integration"), at_once=SOME, in_memory=True),
        # The matcher's tests again, on PostgreSQL instead of SQLite.
        "postgresql": tests(
            "--filter", r"^MatcherIntegrationTests\.", at_once=SOME, BEACON_TEST_BACKEND="postgreSQL",
            in_memory=True),
        # The full proofs run one after the other, as those with a sanitizer do.
        "delivery": tests("--filter", of("Delivery"), at_once=1 if scale == FULL_SCALE else TWO),
        "cluster": tests("--filter", of("Cluster")),
        "requests": Phase(["scripts/requests.sh"], ("build",)),
        # docs/guide/commands.md is what the programs' help says.
        "reference": Phase(["scripts/reference.py", "--check"], ("build",)),
        # The packages that were built are those of dependencies.lock.
        "dependencies": Phase(["scripts/dependencies.py", "--check"], ("build",)),
        # The manual pages have every command, option and key.
        "manual": Phase(["scripts/manual.py", "--check"], ("build",)),
        # The configurations of the container are valid.
        "container-toml": Phase(["scripts/check-container.py", "--programs", ".build/debug"], ("build",)),
        # The Debian packages, installed, upgraded, removed and purged in a root of their own.
        "deb": Phase(["scripts/deb.sh"], makes=True),
        "packages": Phase(["Tests/Packages/check.py"], ("deb", "build")),
        # The same packages in a virtual machine with systemd: setup, restart, upgrade, faults, purge.
        "system-machine": Phase(["Tests/SystemMachine/check.py"], ("deb", "build", "machine")),
        # Symbol links, comments of public declarations, and examples of the libraries' documentation.
        "libraries": Phase(["scripts/docs.py", "--check"], ("build",)),
        # The guide's tables have the keys of the configurations, with their ranges and defaults.
        "keys": Phase(["scripts/check-keys.py"], ("build",)),
        # What the programs expose, and what the dashboard, the alert rules and the guide say of it.
        "metrics": Phase(["scripts/check-metrics.py"], ("build",)),
        # The guide's commands print what the guide shows.
        "examples": Phase(["scripts/check-examples.py"], ("build",)),
        # 60 drawn test results are read without a wrong result.
        "pictures": Phase(["Tests/Pictures/check.py"], ("build",)),
        "demo": Phase(["scripts/demo.sh"], ("build",), {"DEMO_SECONDS": "60"}),
        # The matcher's page in chromium, with identity providers.
        "browser": Phase(["Tests/Browser/run.sh"], ("build",)),
        # Its screens and tasks again, on PostgreSQL instead of SQLite.
        "browser-postgresql": Phase(
            ["Tests/Browser/run.sh", "test_screens.py", "test_tasks.py", "test_uploads.py"], ("build",),
            {"BROWSER_STORE": "postgresql"}),
        # The programs under their units, by a systemd of its own.
        "service": Phase(["Tests/Units/run.sh"], ("build",)),
        "machine": Phase(["Tests/VirtualRadio/build-base.sh"], makes=True),
        "release": build("-c", "release", "--product", "beacon-gateway"),
        # Only an optimised program shows how much an emulated processor can take.
        "virtual-radio": tests(
            "--filter", of("VirtualRadio"), at_once=SOME,
            needs=("machine", "build") + (("release",) if scale == FULL_SCALE else ())),
        "build-benchmarks": build("--build-tests", BEACON_BUILD="benchmarks"),
        "benchmarks": tests(
            "--filter", r"^(Ingest|Accuracy|Places|ContactSimulation)Tests\.", needs=("build-benchmarks",)),
        "build-fuzz": Phase(["Fuzz/run.sh", "build"], makes=True),
        "fuzz": Phase(["Fuzz/run.sh"], ("build-fuzz",)),
        "model": Phase(["Tests/Models/check.sh"]),
        # Threads and tasks are in these tiers: tests of values have none.
        **sanitized(
            "thread", "--filter", of("Integration"),
            TSAN_OPTIONS=f"suppressions={ROOT}/Tests/race-suppressions.txt:print_suppressions=0"),
        # Pointers and C are everywhere.
        **sanitized(
            "address", "--skip", of("Delivery", "Cluster", "VirtualRadio"),
            LSAN_OPTIONS=f"suppressions={ROOT}/Tests/leak-suppressions.txt:print_suppressions=0"),
    }


# Names in a tuple run beside each other, at most AT_ONCE of them: many tests wait more than they compute. What takes
# longest begins first.
PLANS = {
    "lint": [("format", "tiers", "layers", "documents", "units", "portable", "container")],
    "test": ["lint", "build", "machine",
             ("delivery", "virtual-radio", "integration", "requests", "values", "examples", "demo", "simulation",
              "libraries", "metrics", "keys", "reference", "dependencies", "manual", "container-toml")],
    "ci": ["test"],
    "all": ["lint", "build", "machine",
            ("delivery", "simulation", "integration", "postgresql", "requests", "values", "examples", "demo",
             "pictures", "libraries", "metrics", "keys", "reference", "dependencies", "manual", "container-toml"),
            "virtual-radio", "service", "browser", "browser-postgresql", "cluster", "benchmarks",
            "packages", "system-machine",
            ("thread", "thread-delivery"), ("address", "address-delivery"), "fuzz", "model"],
}
AT_ONCE = 4
# Builds of the plan `all` that begin after the phase `build`, in this order, with what other phases leave of the
# processor: many phases wait more than they compute. Together they take two hours of one core.
BACKGROUND = ("deb", "build-thread", "build-address", "build-fuzz")
# Phases that measure time, and which the builds above would disturb however little they get.
UNDISTURBED = {"virtual-radio", "service", "benchmarks"}
# Always at scale 1: it finds what there is to find, or the sanitizer makes more too slow.
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
        return not self.has_passed and self.status != "skipped"

    @property
    def has_passed(self):
        return self.status in ("passed", "passed earlier")


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
        why.append(f"it was ended after {MINUTES} minutes")
    elif status < 0:
        why.append(f"it was killed by signal {-status}")
    if phase.tests:
        if not has_ended:
            why.append(f"the tests didn't come to their end (status {status})")
        elif result.passed + result.failed == 0:
            if result.skipped and status == 0:
                result.status = "skipped"
            else:
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

# Each phase is a session, by which its processes are found again.
sessions = set()
# Those of them that run in the background.
background_sessions = set()
# Runs a command with what others leave of the processor. Linux gives each session a share of it, whatever the priority
# of its processes: so that of the session counts, too.
IDLY = ["sh", "-c", "echo 19 >/proc/self/autogroup; exec chrt --idle 0 \"$@\"", "idly"]


def sweep(ended, number):
    """Sends a signal to all processes of these sessions, and says how many there were."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                # What follows the name: the state, the parent, the process group, the session.
                state, _, _, session = file.read().rpartition(")")[2].split()[:4]
            if int(session) in ended and state != "Z":
                os.kill(int(pid), number)
                found += 1
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            pass
    return found


def end(ended):
    """Ends everything that is left of these sessions."""
    deadline = time.monotonic() + 10
    number = signal.SIGTERM
    while sweep(ended, number) and time.monotonic() < deadline:
        number = 0
        time.sleep(0.1)
    sweep(ended, signal.SIGKILL)


MEMORY, ENOUGH_MEMORY = "/dev/shm", 4 << 30


@contextlib.contextmanager
def directory_in_memory(phase):
    """The environment that has the tests of a phase make their directories in memory, where there is enough of it."""
    try:
        state = os.statvfs(MEMORY)
    except OSError:
        state = None
    if not phase.in_memory or not state or state.f_bavail * state.f_frsize < ENOUGH_MEMORY:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="check-", dir=MEMORY, ignore_cleanup_errors=True) as directory:
        # The database's user looks into it, too.
        os.chmod(directory, 0o755)
        yield {"BEACON_TEST_DIRECTORY": directory}


def run(name, phase, scale, in_background=False):
    """Runs one phase. In the background it takes as long as it has to."""
    with directory_in_memory(phase) as environment:
        return run_with(environment, name, phase, scale, in_background)


def run_with(more, name, phase, scale, in_background):
    log = os.path.join(RESULTS, name + ".log")
    events = os.path.join(RESULTS, name + ".jsonl")
    if os.path.exists(events):
        os.remove(events)
    stream = ["--event-stream-output-path", events, "--event-stream-version", "0"]
    environment = {**os.environ, **phase.environment, **more, "TEST_SCALE": str(scale)}
    start = time.monotonic()
    is_late = False
    with open(log, "wb") as output:
        process = subprocess.Popen(
            (IDLY if in_background else []) + phase.command + (stream if phase.tests else []), cwd=ROOT,
            env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        sessions.add(process.pid)
        if in_background:
            background_sessions.add(process.pid)
        try:
            status = process.wait(timeout=None if in_background else MINUTES * 60)
        except subprocess.TimeoutExpired:
            is_late = True
            end({process.pid})
            status = process.wait()
        finally:
            # What a crashed test bundle has left.
            end({process.pid})
            sessions.discard(process.pid)
            background_sessions.discard(process.pid)
    result = Result(name, "passed", time.monotonic() - start)
    judge(phase, result, status, log, events, is_late)
    # Tests that wait for the same thing at the same time take no longer than the phase.
    result.suites = [(min(spent, result.seconds), suite, count) for spent, suite, count in result.suites]
    return result


class Background:
    """Phases that run one after the other beside all others, except those that they would disturb."""

    def __init__(self, names, work):
        self.names = names
        self.work = work
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.running = {}
        self.may_run = threading.Event()
        self.may_run.set()

    def begin(self):
        def work(name):
            self.may_run.wait()
            return self.work(name)

        self.running = {name: self.pool.submit(work, name) for name in self.names}

    @contextlib.contextmanager
    def held(self):
        """Holds them while something else runs."""
        self.may_run.clear()
        # A process that has just been made may be missed at first.
        for _ in range(2):
            sweep(set(background_sessions), signal.SIGSTOP)
        try:
            yield
        finally:
            self.may_run.set()
            sweep(set(background_sessions), signal.SIGCONT)

    def end(self):
        """Ends them: what is left of their processes is ended with their sessions."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.may_run.set()
        while background_sessions:
            sweep(set(background_sessions), signal.SIGCONT)
            end(set(background_sessions))


class Screen:
    """A line for each phase; on a terminal also for those that run."""

    def __init__(self):
        self.is_terminal = sys.stdout.isatty()
        self.running = {}
        self.begun = time.monotonic()

    def begin(self, name):
        now = time.monotonic()
        self.running[name] = now
        if not self.is_terminal:
            # In one piece: phases begin on threads of their own.
            print(f"{clock(now - self.begun)}  {name} ...\n", end="", flush=True)

    def tick(self):
        if self.is_terminal and self.running:
            now = time.monotonic()
            text = ", ".join(f"{name} {clock(now - start)}" for name, start in list(self.running.items()))
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
    """Says what is checked: the sources, the dependencies' versions and the compiler. None where that can't be told."""

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout

    try:
        digest = hashlib.sha256(git("rev-parse", "HEAD^{tree}") + git("diff", "HEAD"))
        digest.update(subprocess.run(["swift", "--version"], capture_output=True, check=True).stdout)
        others = git("ls-files", "--others", "--exclude-standard", "-z").split(b"\0")
        for name in [*others, b"Package.resolved"]:
            path = os.path.join(os.fsencode(ROOT), name)
            if name and os.path.isfile(path):
                with open(path, "rb") as file:
                    digest.update(name + b"\0" + file.read())
        return digest.hexdigest()
    except (OSError, subprocess.CalledProcessError):
        return None


def resolve():
    """Settles the dependencies' versions: those of dependencies.lock, so that a new clone is checked with them."""
    print("resolving dependencies ...", flush=True)
    with open(os.path.join(RESULTS, "resolve.log"), "wb") as log:
        # Where this fails, the build or the phase `dependencies` fails too, and says why.
        subprocess.run(
            ["scripts/dependencies.py", "--resolve"], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            check=False)


def earlier(table, sources):
    """The phases of a stopped run of the same sources that have passed. What was built may have been built anew since."""
    try:
        with open(STATE, encoding="utf-8") as file:
            kept = json.load(file)
    except (OSError, ValueError):
        return {}
    if sources is None or kept.get("sources") != sources:
        return {}
    results = [Result(**{**entry, "suites": [tuple(suite) for suite in entry["suites"]]}) for entry in kept["results"]]
    return {result.name: result for result in results if result.name in table and not table[result.name].makes}


class Stopped(Exception):
    """Somebody wants the run to end."""


def stop(*_):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


def beside(group, work, ended, tick, background):
    """Does work for each name of a group, at most AT_ONCE beside each other, and tells what came of each."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = set()
        try:
            waiting = {pool.submit(work, name) for name in group}
            while waiting:
                done, waiting = concurrent.futures.wait(
                    waiting, timeout=0.2, return_when=concurrent.futures.FIRST_COMPLETED)
                for each in done:
                    ended(each.result())
                tick()
        except Stopped:
            # First, since a phase may wait for it.
            background.end()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            while sessions - background_sessions or not all(each.done() for each in waiting):
                end(sessions - background_sessions)
                time.sleep(0.2)


def keep(sources, results):
    """Notes what has passed, for a run that goes on from here."""
    passed = [vars(result) for result in results.values() if result.has_passed]
    with open(STATE + ".new", "w", encoding="utf-8") as file:
        json.dump({"sources": sources, "results": passed}, file)
    os.replace(STATE + ".new", STATE)


def main(names):
    os.makedirs(RESULTS, exist_ok=True)
    is_all = "all" in names
    wanted = FULL_SCALE if is_all else int(os.environ.get("TEST_SCALE") or "1")
    table = phases(wanted)
    order = steps(names, table)
    if any(phase.makes for phase in (table[name] for group in order for name in group)):
        resolve()
    sources = fingerprint() if is_all else None
    kept = earlier(table, sources) if is_all else {}
    screen = Screen()
    results = {}

    def carry_out(name, in_background=False):
        screen.begin(name)
        try:
            return run(name, table[name], 1 if is_all and name in DAILY else wanted, in_background)
        except Exception as error:  # pylint: disable=broad-except
            return Result(name, "FAILED", failures=[f"check.py: {error!r}"])

    # What needs them has passed already where a stopped run goes on.
    wanted_by = {needed for name in table if name not in kept for needed in table[name].needs}
    background = Background(
        [name for name in BACKGROUND if is_all and name in wanted_by], lambda name: carry_out(name, True))

    def work(name):
        if name in background.running:
            return background.running[name].result()
        with background.held() if name in UNDISTURBED else contextlib.nullcontext():
            return carry_out(name)

    def ended(result):
        results[result.name] = result
        screen.end(result)
        if is_all:
            keep(sources, {**kept, **results})

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
                    ended(replace(kept[name], status="passed earlier"))
                elif missing:
                    ended(Result(name, "not run", failures=[f"{missing[0]} failed"]))
                else:
                    ready.append(name)
            beside(ready, work, ended, screen.tick, background)
            if "build" in group and not results["build"].is_red:
                background.begin()
        if is_all and fingerprint() != sources:
            ended(Result("sources", "FAILED", failures=["they were changed during the run; run it again"]))
        if is_all and not any(result.is_red for result in results.values()):
            # The next run begins anew.
            os.remove(STATE)
    except Stopped:
        is_stopped = True
        for name in screen.running:
            results[name] = Result(name, "stopped", failures=["it was running when the run was stopped"])
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
    print(f"{'all of them':<18}{clock(seconds):>7}")
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
    passed = sum(result.passed for result in results) + sum(result.has_passed for result in others)
    failed = sum(result.failed or result.is_red for result in results)
    skipped = sum(result.skipped for result in results) + sum(result.status == "skipped" for result in others)
    print(f"\n{passed} passed, {failed} failed, {skipped} skipped")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        names = f"phases: {', '.join([*PLANS, *phases(1)])}"
        # Names have hyphens, at which they must not be cut.
        print("\n" + textwrap.fill(names, shutil.get_terminal_size().columns, break_on_hyphens=False))
        sys.exit(0 if len(sys.argv) > 1 else 64)
    if not re.fullmatch(r"[1-9]\d?|100|", os.environ.get("TEST_SCALE", "")):
        print(f"error: TEST_SCALE is {os.environ['TEST_SCALE']}; it is from 1 to 100", file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1:]))
