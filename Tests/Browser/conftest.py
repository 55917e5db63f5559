"""What the tests share: one browser, and one of each provider. Matchers are started by the tests' own fixtures."""

import collections
import signal

import pytest

from browser import Browser
from glewlwyd import Glewlwyd
from hostile_provider import HostileProvider
from matcher import Matcher, quick_matcher
from processes import free_ports
from screens import make_busy


def pytest_configure():
    """Ends a run that is terminated as Ctrl-C would: what it has started doesn't outlive it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser():
    with Browser() as browser:
        print(f"chromium {browser.version}")
        yield browser


@pytest.fixture(scope="session")
def address():
    """The page's public address, which the providers have to know before the matcher starts."""
    return f"http://127.0.0.1:{free_ports(1)[0]}"


@pytest.fixture(scope="session")
def campus(address):
    """A matcher with a small campus, at which people sign in with glewlwyd."""
    with Glewlwyd([f"{address}/sign-in/callback"], [f"{address}/", f"{address}/sign-in"]) as provider:
        with Matcher(address, provider) as matcher:
            matcher.fill()
            matcher.provider = provider
            yield matcher


@pytest.fixture
def distrusting():
    """A new matcher, whose provider can be told to be bad: nothing that it remembers is of another test."""
    address = f"http://127.0.0.1:{free_ports(1)[0]}"
    with HostileProvider([f"{address}/sign-in/callback"]) as provider, Matcher(address, provider) as matcher:
        matcher.provider = provider
        yield matcher


@pytest.fixture(scope="session")
def busy():
    """A matcher with the campus, where somebody is positive and all screens have something to show."""
    with quick_matcher() as matcher:
        make_busy(matcher)
        yield matcher


@pytest.fixture
def fresh():
    """A matcher with the campus, on which no test has worked yet."""
    with quick_matcher() as matcher:
        yield matcher


@pytest.fixture(scope="session")
def quick():
    """A matcher with the campus, at which tests sign in without a browser."""
    with quick_matcher() as matcher:
        yield matcher


@pytest.fixture
def without_lectures():
    """A new matcher whose configuration names no timetable and no roster."""
    with quick_matcher(has_lectures=False) as matcher:
        yield matcher


def pytest_terminal_summary(terminalreporter):
    """Ends the run with a table: what each file's tests took, and how many failed."""
    rows = collections.defaultdict(collections.Counter)
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            name = report.nodeid.partition("::")[0]
            rows[name][outcome] += 1
            rows[name]["seconds"] += report.duration
    # What fixtures took, which the first test of a file may wait long for.
    for report in terminalreporter.stats.get("", []):
        rows[report.nodeid.partition("::")[0]]["seconds"] += report.duration
    terminalreporter.write_line(f"{'FILE':<24}{'PASSED':>8}{'FAILED':>8}{'SKIPPED':>9}{'SECONDS':>9}")
    for name, row in sorted(rows.items()):
        failed = row["failed"] + row["error"]
        terminalreporter.write_line(f"{name:<24}{row['passed']:>8}{failed:>8}{row['skipped']:>9}{row['seconds']:>9.1f}")
