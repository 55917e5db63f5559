#!/usr/bin/env python3
"""Checks the tables of configuration keys in the guide against the programs.

    check-keys.py            prints what differs, and exits with status 1 if something does
    check-keys.py --list     prints the keys of both programs and their ranges, as the programs state them

The programs must be built first: `swift build`. They are asked by `run --check`: an unknown key makes a program list
the keys of its table, and a wrong value makes it state the allowed range.

* Every key of a program is in a table of its page, and every key of a table is one of the program.
* The range in a row is the program's: `5 s to 1 h`, `1 to 1000`.
* Where an example says `# default`, the row has the same default. Tests compare these examples with the code.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAILED, USAGE, UNAVAILABLE = 1, 64, 69
# An unknown key, and values that are wrong: of another type, of no form, too small, too large.
UNKNOWN = "zzz"
WRONG = ("[[]]", '"\\u0001"', "-1e300", "-1000000000", "1e300")
PROBLEM = re.compile(r"^  [^:]+:(?:\d+:\d+:)? ([\w.\[\]-]+): (.*)$")
KNOWN = re.compile(r"is unknown; the keys of this table are (.*)")
RANGE = re.compile(r"from (\S+) to (\S+?)(?=[\s:;,]|$)")


@dataclass
class Program:
    """A program, the pages with its examples, and the page with its tables."""

    name: str
    examples: tuple
    tables: str
    # TOML besides the examples, for keys that are read only with others.
    variants: tuple
    keys: set = field(default_factory=set)
    ranges: dict = field(default_factory=dict)


PROGRAMS = (
    Program("beacon-gateway", ("docs/guide/configuration.md",), "docs/guide/configuration.md", (
        '[mqtt.tls]\npsk-identity = "gw-3a"\n[[remote-receivers]]\n',)),
    Program("beacon-matcher", ("docs/guide/matcher/install.md", "docs/guide/matcher/attendance.md"),
            "docs/guide/matcher/configuration.md", (
                '[mqtt.tls]\npsk-identity = "gw-3a"\n[mqtt]\n[store]\n[localisation]\n[mail]\n',
                '[api]\nlisten = "127.0.0.1:8480"\n[page]\nbase-url = "http://127.0.0.1:8480"\n'
                '[login]\n[[roles]]\n[[lecturers]]\n[commands]\n[pictures]\n')),
)


def text_of(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def examples_of(page):
    """The blocks of TOML of a page, without indentation."""
    found = re.findall(r"(?ms)^( *)```toml\n(.*?)^\1```", text_of(page))
    return [re.sub(f"(?m)^{indentation}", "", block) for indentation, block in found]


def problems_of(directory, program, text):
    """What a program says of a configuration: keys and problems."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "c.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = subprocess.run(
            [os.path.join(directory, program), "run", "--check", "--config", path], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=60, check=False, text=True)
    return [match.groups() for line in result.stdout.split("\n") if (match := PROBLEM.match(line))]


def without_index(key):
    return re.sub(r"\[\d+\]", "", key)


def probed(text):
    """An example with an unknown key in each of its tables."""
    text = re.sub(r"(?m)^# (?=[\w-]+ = )", "", text)
    text = re.sub(r"(?m)^(\[.*?\]+)(.*)$", rf"\1\2\n{UNKNOWN} = 1", text)
    text = re.sub(r"(?m)^([\w-]+ = \{.*?) \}", rf"\1, {UNKNOWN} = 1 }}", text)
    return f"{UNKNOWN} = 1\n" + text


def learn(directory, program):
    """Asks a program for its keys and their ranges."""
    blocks = [block for page in program.examples for block in examples_of(page)] + list(program.variants)
    for text in blocks:
        for key, said in problems_of(directory, program.name, probed(text)):
            if match := KNOWN.search(said):
                table = without_index(key).removesuffix(UNKNOWN)
                program.keys |= {table + name for name in match[1].split(", ")}
    for block, wrong in itertools.product(blocks, WRONG):
        text = re.sub(r"(?m)^(?:# )?([\w-]+) = .*$", lambda match, value=wrong: f"{match[1]} = {value}", block)
        for key, said in problems_of(directory, program.name, text):
            if match := RANGE.search(said):
                # `m` is minutes in durations, and metres elsewhere.
                unit = "min" if "100ms" in said else "m"
                program.ranges[without_index(key)] = (quantity(match[1], unit), quantity(match[2], unit))
    # Tables are keys of the tables around them.
    program.keys = {key for key in program.keys
                    if not any(other.startswith(key + ".") for other in program.keys)}


# MARK: Quantities

UNITS = {
    "ms": 0.001, "s": 1, "min": 60, "h": 3600, "day": 86_400, "days": 86_400, "kB": 1000, "MB": 1_000_000,
    "GB": 1_000_000_000, "TB": 1_000_000_000_000, "m": 1, "dB": 1, "dBm": 1, "": 1,
}


def quantity(text, metre_or_minute="min"):
    """A value as the programs and their files write it: `5m`, `256MB`, `0.5`."""
    match = re.fullmatch(r"(-?[\d.]+)(ms|s|m|h|kB|MB|GB|TB)?", text.strip('"'))
    if not match:
        return text.strip('"')
    unit = metre_or_minute if match[2] == "m" else match[2] or ""
    return round(float(match[1]) * UNITS[unit], 9)


def stated(text):
    """A value as the guide writes it: `5 min`, `256 MB`, `-59 dBm`."""
    text = text.replace("`", "").replace(",", "").strip().strip('"')
    match = re.fullmatch(r"(-?[\d.]+) ?([a-zA-Z]*)", text)
    if not match or match[2] not in UNITS:
        return text
    return round(float(match[1]) * UNITS[match[2]], 9)


def ranges_in(text):
    """The ranges that a text states."""
    found, units = [], "ms|s|min|h|days?|kB|MB|GB|TB|dBm?|m"
    for low, low_unit, high, high_unit in re.findall(
            rf"(-?[\d.,]*\d) ?({units})? to (-?[\d.,]*\d)(?: ({units})\b)?", text):
        found.append((stated(f"{low} {low_unit or high_unit}"), stated(f"{high} {high_unit}")))
    return found


# MARK: The guide


@dataclass
class Row:
    """A row of a table of keys."""

    line: int
    keys: list
    # None where the table has no defaults.
    default: str | None
    meaning: str


def rows_of(page):
    """The rows of the tables of keys. A heading names the table, unless the keys do."""
    found, table, is_keys = [], "", False
    for number, line in enumerate(text_of(page).split("\n"), 1):
        if match := re.match(r"#+ .*?`\[+([\w.-]+)\]+`", line):
            table = match[1]
        elif line.startswith("#"):
            table = ""
        if match := re.match(r"\| key(?: of `\[+([\w.-]+)\]+`)? \| (default|range) \| meaning \|", line):
            is_keys, prefix, column = True, match[1] or table, match[2]
        elif not line.startswith("|"):
            is_keys = False
        elif is_keys and not line.startswith("|---") and not line.startswith("| ---"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
            names = re.findall(r"`\[*([\w.-]+)\]*`", cells[0])
            default, meaning = (cells[1], cells[2]) if column == "default" else (None, " ".join(cells[1:]))
            found.append(Row(number, [(prefix, name) for name in names], default, meaning))
    return found


def resolved(prefix, name, keys):
    """The key that a row means: with or without the name of its table."""
    candidates = [f"{prefix}.{name}" if prefix else name, name]
    return next((each for each in candidates if each in keys or any(key.startswith(each + ".") for key in keys)), None)


def defaults_of(program):
    """What the examples say is a default, by key."""
    found = {}
    for page in program.examples:
        for block in examples_of(page):
            table = ""
            for line in block.split("\n"):
                if match := re.match(r"\[+([\w.-]+)\]+", line):
                    table = match[1] + "."
                elif match := re.match(r"([\w-]+) = (.*?) +# default(?:[;,]|$)", line):
                    found[table + match[1]] = quantity(match[2])
    return found


def check(program, problems):
    named = set()
    defaults = defaults_of(program)
    for row in rows_of(program.tables):
        where = f"{program.tables}:{row.line}"
        for prefix, name in row.keys:
            key = resolved(prefix, name, program.keys)
            if key is None:
                problems.append(f"{where}: {program.name} has no key {name}")
                continue
            named.add(key)
            if key in defaults and row.default and len(row.keys) == 1 and stated(row.default) != defaults[key]:
                problems.append(f"{where}: the default of {key} is {row.default}, and {defaults[key]} in the example")
            expected = program.ranges.get(key)
            if expected and len(row.keys) == 1 and expected not in ranges_in(row.meaning):
                problems.append(f"{where}: {key} is from {expected[0]} to {expected[1]}; the row says {row.meaning}")
    for key in sorted(program.keys):
        if not any(key == each or key.startswith(each + ".") for each in named):
            problems.append(f"{program.tables}: the key {key} of {program.name} is in no table")


def main(options):
    problems = []
    for program in PROGRAMS:
        try:
            learn(options.programs, program)
        except OSError as error:
            print(f"error: cannot run {program.name}: {error.strerror}\n"
                  "  what to do: build the programs with `swift build`", file=sys.stderr)
            return UNAVAILABLE
        if options.list:
            print(program.name)
            for key in sorted(program.keys):
                print(" ", key, program.ranges.get(key, ""))
        else:
            check(program, problems)
    for problem in problems:
        print(f"error: {problem}")
    return FAILED if problems else 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the keys, and check nothing")
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
