#!/usr/bin/python3
"""Has beacon-matcher read 60 synthetic test results, and counts what it suggests.

    check.py [PROGRAM]    default: .build/debug/beacon-matcher

A wrong result or day fails. So do fewer right ones than the table below has. A number of an order may be misread: it is
compared with expected numbers, characters that are read for each other counted as equal.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
NEEDED = ["/usr/bin/bwrap", "/usr/bin/tesseract", "/usr/bin/zbarimg"]
# At least so many right results, days and numbers of 12 pictures of a kind.
LEAST = {
    "scan": (12, 12, 11), "photo": (12, 12, 8), "bad-photo": (8, 4, 0), "screenshot": (12, 12, 9),
    "turned": (12, 12, 9),
}
FOLDED = str.maketrans("SOILB", "50118")


def folded(number):
    return "".join(filter(str.isalnum, number.upper())).translate(FOLDED)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, ".build/debug/beacon-matcher")
    if missing := [path for path in NEEDED if not os.path.exists(path)]:
        print("not installed: " + ", ".join(missing))
        return SKIPPED
    counts = {kind: collections.Counter() for kind in LEAST}
    mistakes = []
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "Tests/Pictures/make.py"), directory], check=True)
        with open(os.path.join(directory, "truth.json"), encoding="utf-8") as file:
            truths = json.load(file)
        for name, truth in sorted(truths.items()):
            output = subprocess.run(
                [program, "read-picture", os.path.join(directory, name), "--json"], stdout=subprocess.PIPE, check=True,
                timeout=120).stdout
            found, count = json.loads(output), counts[truth["kind"]]
            for key, expected in (("result", truth["result"]), ("testDate", truth["date"])):
                if key not in found:
                    continue
                if found[key] != expected:
                    mistakes.append(f"{name}: {key} {found[key]} instead of {expected}")
                count[key] += found[key] == expected
            count["orderNumber"] += folded(found.get("orderNumber", "")) == folded(truth["order"])
            count["all"] += 1
    print(f"{'kind':12}{'pictures':>10}{'result':>8}{'day':>8}{'number':>8}")
    for kind, least in LEAST.items():
        count = counts[kind]
        right = (count["result"], count["testDate"], count["orderNumber"])
        print(f"{kind:12}{count['all']:10}" + "".join(f"{number:8}" for number in right))
        if any(number < bound for number, bound in zip(right, least)):
            mistakes.append(f"{kind}: {right} right results, days and numbers, expected at least {least}")
    print("".join(f"error: {mistake}\n" for mistake in mistakes), end="")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
