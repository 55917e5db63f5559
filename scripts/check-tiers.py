#!/usr/bin/env python3
"""Checks that every folder of tests is a target of its tier, and that values are tested without I/O.

A folder that Package.swift doesn't name would never run. What starts programs, brokers and databases, and what makes files,
is in TestSupport: the tests of values and simulations can't do without it what belongs to another tier.
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

with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
    manifest = file.read()
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
            path = os.path.join(directory, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                for number, line in enumerate(file, 1):
                    if name.endswith(".swift") and re.match(r"(@testable )?import TestSupport\b", line):
                        problems.append(
                            f"{os.path.relpath(path, ROOT)}:{number}: error: tests of values and simulations have no "
                            f"TestSupport; move what needs it to Tests/{subject}IntegrationTests")
print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
