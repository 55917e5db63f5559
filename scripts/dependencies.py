#!/usr/bin/env python3
"""Compares the Swift packages that a build uses with dependencies.lock.

    dependencies.py --check      prints what differs, and exits with status 1 if something does
    dependencies.py --resolve    has SwiftPM use the versions of dependencies.lock
    dependencies.py --write      writes dependencies.lock from the last build

Each line of dependencies.lock is one package: name, version, tree, address. The tree is git's hash of the files: it is
the same in every copy of a repository, also in one with commits of its own, and tells when a tag was moved.
Package.resolved is SwiftPM's and isn't committed: its format follows the toolchain, and it has commits only.

--scratch names another build directory than .build.
"""

import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCK = os.path.join(ROOT, "dependencies.lock")
FAILED, USAGE, DATA, UNAVAILABLE = 1, 64, 65, 69
HEAD = """\
# Swift packages that releases are built from: name, version, tree, address. Written by scripts/dependencies.py --write.
"""
LINE = re.compile(r"(?P<name>[a-z0-9._-]+) (?P<version>\d+\.\d+\.\d+\S*) (?P<tree>[0-9a-f]{40}) (?P<address>https://\S+)")


class Failure(Exception):
    """An error for the person who runs the script."""

    def __init__(self, text, remedy, status):
        super().__init__(f"error: {text}\n  what to do: {remedy}")
        self.status = status


def locked():
    """The packages of dependencies.lock by name."""
    try:
        with open(LOCK, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except FileNotFoundError as error:
        raise Failure(
            "there is no dependencies.lock", "build, then run scripts/dependencies.py --write", UNAVAILABLE) from error
    packages = {}
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if not match or match["name"] in packages:
            raise Failure(
                f"dependencies.lock:{number}: found \"{line}\". Expected name, version, tree and address, each name once.",
                "correct the line, or run scripts/dependencies.py --write after a build", DATA)
        packages[match["name"]] = match.groupdict()
    return packages


def git(path, *arguments):
    """What git says of a checkout; the user's settings don't matter."""
    result = subprocess.run(["git", "-C", path, *arguments], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failure(
            f"git cannot read {path}: {result.stderr.strip()}", f"delete {path}, and build again", UNAVAILABLE)
    return result.stdout.strip()


def resolved(scratch):
    """The packages of the last build by name."""
    path = os.path.join(scratch, "workspace-state.json")
    try:
        with open(path, encoding="utf-8") as file:
            dependencies = json.load(file)["object"]["dependencies"]
        packages = {}
        for dependency in dependencies:
            reference, state = dependency["packageRef"], dependency["state"].get("checkoutState", {})
            checkout = os.path.join(scratch, "checkouts", dependency["subpath"])
            changes = git(checkout, "status", "--porcelain")
            packages[reference["identity"]] = {
                "name": reference["identity"], "version": state.get("version", ""), "address": reference["location"],
                "tree": "changed" if changes else git(checkout, "rev-parse", "HEAD^{tree}"), "checkout": dependency["subpath"]}
        return packages
    except FileNotFoundError as error:
        raise Failure(f"there is no {path}", "build first: `make build`", UNAVAILABLE) from error
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(
            f"{path} is of another format than this script reads: {error!r}",
            "adapt scripts/dependencies.py to this version of SwiftPM", DATA) from error


def shown(package):
    return f"{package['version'] or 'no version'} (tree {package['tree'][:12]})" if package else "no package"


def plain(address):
    """An address as SwiftPM compares it. Several packages ask for one, with and without .git: whose address the build
    notes depends on which of them SwiftPM reads first."""
    return address.lower().removesuffix("/").removesuffix(".git")


def same(expected, found):
    return plain(expected["address"]) == plain(found["address"]) and all(
        expected[key] == found[key] for key in ("name", "version", "tree"))


def differences(expected, found):
    """The names of packages that aren't in both, or differ in what dependencies.lock says of them."""
    return [name for name in sorted({*expected, *found})
            if name not in expected or name not in found or not same(expected[name], found[name])]


def check(scratch):
    expected, found = locked(), resolved(scratch)
    different = differences(expected, found)
    for name in different:
        was, now = expected.get(name), found.get(name)
        addresses = f", from {was['address']} and {now['address']}" if was and now and plain(was["address"]) != plain(now["address"]) else ""
        print(f"{name}: dependencies.lock has {shown(was)}, the build {shown(now)}{addresses}")
    if not different:
        return 0
    print(
        "error: the build does not use the versions of dependencies.lock\n"
        "  what to do: run scripts/dependencies.py --resolve and build again; or, to change the versions, run\n"
        "  scripts/dependencies.py --write after the tests have passed, and commit dependencies.lock", file=sys.stderr)
    return FAILED


def resolve(scratch):
    def package(*arguments):
        command = ["swift", "package", "--scratch-path", scratch, *arguments]
        if subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False).returncode != 0:
            raise Failure(
                f"`{' '.join(command)}` failed", "correct what it says; the versions are in dependencies.lock", UNAVAILABLE)

    expected = locked()
    if os.path.exists(os.path.join(scratch, "workspace-state.json")) and not differences(expected, resolved(scratch)):
        return 0
    package("resolve")
    found = resolved(scratch)
    for name in differences(expected, found):
        if name in expected and name in found and expected[name]["version"] != found[name]["version"]:
            package("resolve", name, "--version", expected[name]["version"])
    return check(scratch)


def write(scratch):
    packages = resolved(scratch)
    lines = [f"{each['name']} {each['version']} {each['tree']} {each['address']}" for _, each in sorted(packages.items())]
    for line in lines:
        if not LINE.fullmatch(line):
            raise Failure(
                f"the build has the package \"{line}\". Expected a version, unchanged files and an https address.",
                "let Package.swift ask for a released version", DATA)
    with open(LOCK, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(line + "\n" for line in lines))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    for name, action in (("check", check), ("resolve", resolve), ("write", write)):
        what.add_argument(f"--{name}", dest="action", action="store_const", const=action)
    parser.add_argument("--scratch", metavar="DIRECTORY", default=os.path.join(ROOT, ".build"))
    options = parser.parse_args()
    return options.action(options.scratch)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(failure.status)
    except SystemExit as end:
        sys.exit(USAGE if end.code == 2 else end.code)
