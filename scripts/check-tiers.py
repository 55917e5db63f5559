#!/usr/bin/env python3
"""Checks that every folder of tests is a target of its tier, and that values are tested without I/O.

A folder that Package.swift doesn't name would never run. What starts programs, brokers and databases, and what makes files,
is in TestSupport: the tests of values and simulations can't do without it what belongs to another tier. Tests of values have no
tasks either, because ThreadSanitizer runs other tiers only.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TESTS = os.path.join(ROOT, "Tests")
# The function of Package.swift that makes a target with this end of its name, the longest first.
HELPERS = [("IntegrationTests", "integrationTests"), ("DeliveryTests", "deliveryTests"), ("ClusterTests", "clusterTests"),
           ("SimulationTests", "simulationTests"), ("Tests", "valueTests")]
WITHOUT_IO = ("valueTests", "simulationTests")



def mistakes(path, helper, subject):
    """What a file of tests without I/O has that belongs to another tier."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    hint = f"move what needs it to Tests/{subject}IntegrationTests"
    found = []
    for number, line in enumerate(lines, 1):
        place = f"{os.path.relpath(path, ROOT)}:{number}: error:"
        if re.match(r"\s*(@?\w+ +)*import +(\w+ +)?TestSupport\b", line):
            found.append(f"{place} tests of values and simulations have no TestSupport; {hint}")
        if helper == "valueTests" and re.search(r"\basync (throws )?(->.*)?\{|\bTask \{", line) and any(
                "@Test" in other for other in lines):
            found.append(f"{place} tests of values have no tasks; {hint}")
    return found


with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
    manifest = re.sub(r"//.*", "", file.read())
problems = []
for folder in sorted(os.listdir(TESTS)):
    if not folder.endswith("Tests"):
        continue
    end, helper = next(pair for pair in HELPERS if folder.endswith(pair[0]))
    subject = folder.removesuffix(end)
    if not re.search(rf'\b{helper}\(\s*"{subject}"', manifest):
        problems.append(f'error: Tests/{folder} never runs: Package.swift has no {helper}("{subject}", ...)')
    if helper not in WITHOUT_IO:
        continue
    for directory, _, names in os.walk(os.path.join(TESTS, folder)):
        for name in names:
            if name.endswith(".swift"):
                problems += mistakes(os.path.join(directory, name), helper, subject)
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
