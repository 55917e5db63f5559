#!/usr/bin/env python3
"""Checks that every test runs, and that it is in the tier of what it uses.

A test outside of all test targets never runs. Tests of values and simulations must not import TestSupport, which starts
programs, brokers and databases. Tests of values have no threads and tasks, because ThreadSanitizer doesn't run them.
"""

import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from check import ROOT, of  # noqa: E402  pylint: disable=wrong-import-position

IMPORTS_SUPPORT = re.compile(r"\s*(@?\w+ +)*import +(\w+ +)?TestSupport\b")
CONCURRENT = re.compile(r"\basync\b|\bTask\b|\b(DedicatedThread|WakeupPipe|ChildProcess|PseudoTerminal|pthread_\w+)\b")


def test_targets():
    """The folders of all test targets, and their names."""
    manifest = json.loads(subprocess.run(
        ["swift", "package", "--package-path", ROOT, "dump-package"], stdout=subprocess.PIPE,
        env={**os.environ, "BEACON_BUILD": "benchmarks"}, check=True).stdout)
    return {
        target.get("path") or f"Tests/{target['name']}": target["name"]
        for target in manifest["targets"] if target["type"] == "test"
    }


def mistakes(path, targets):
    """What is wrong with a file of tests."""
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        lines = [line.split("//")[0] for line in file]
    has_tests = any("@Test" in line for line in lines)
    target = next((name for folder, name in targets.items() if path.startswith(folder + "/")), None)
    if target is None:
        return [f"{path}: error: no test target has this file, its tests never run"] if has_tests else []
    if re.match(of("Integration", "Delivery", "Cluster", "VirtualRadio"), target + "."):
        return []
    is_simulation = re.match(of("Simulation"), target + ".")
    hint = f"move what needs it to {target.removesuffix('Tests').removesuffix('Simulation')}IntegrationTests"
    found = []
    for number, line in enumerate(lines, 1):
        if IMPORTS_SUPPORT.match(line):
            found.append(f"{path}:{number}: error: tests of values and simulations don't import TestSupport; {hint}")
        if has_tests and not is_simulation and (match := CONCURRENT.search(line)):
            found.append(f"{path}:{number}: error: tests of values have no {match[0]}; {hint}")
    return found


def main():
    targets = test_targets()
    problems = []
    for top in ("Tests", "Benchmarks/Tests"):
        for directory, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if name.endswith(".swift"):
                    problems += mistakes(os.path.relpath(os.path.join(directory, name), ROOT), targets)
    if not targets:
        problems.append("error: Package.swift has no test targets")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
