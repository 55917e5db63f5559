#!/usr/bin/env python3
"""Checks that each target imports only what its layer may use, and only what Package.swift says that it needs.

The layer of a target is the helper that Package.swift makes it with: pure, io, kit or app. A target may use its own layer and those
below it. A pure target may use no system library, no file, no clock and no logging either. A target outside of the layers (tests,
C libraries) may use everything that it declares.
"""

import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from check import ROOT  # noqa: E402  pylint: disable=wrong-import-position

LAYERS = ["pure", "io", "kit", "app"]
# What pure code may use of other packages: values in, values out.
PURE_PACKAGES = {"Crypto", "CryptoExtras", "DequeModule", "HTTPTypes", "HeapModule", "JWTKit", "Mustache", "RealModule"}
# Of these only single declarations: `import class FoundationEssentials.JSONDecoder`.
PURE_DECLARATIONS = {"FoundationEssentials": {"Data", "Date", "JSONDecoder", "JSONEncoder"}}
# Modules of the toolchain.
TOOLCHAIN = {"Glibc", "FoundationEssentials", "Foundation", "Synchronization", "Testing", "XCTest", "Swift", "Dispatch"}

HELPER = re.compile(r"^ *(pure|io|kit|app)\(\s*\"(\w+)\"", re.MULTILINE)
IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|private|fileprivate) +)?import +"
    r"(?:(?:class|struct|enum|func|protocol|typealias|var|let) +)?(\w+)(?:\.(\w+))?")
# Ways to the outside world that need no import.
OUTSIDE = re.compile(r"\b(ContinuousClock\(\)|ContinuousClock\.now|SuspendingClock|Date\(\)|Date\.now|Task\.sleep|Task\.detached|Task \{|readLine\()")


def manifest():
    """The targets of Package.swift by name, and the layer of those that have one."""
    text = subprocess.run(
        ["swift", "package", "--package-path", ROOT, "dump-package"], stdout=subprocess.PIPE, check=True).stdout
    targets = {target["name"]: target for target in json.loads(text)["targets"]}
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
        layers = {name: layer for layer, name in HELPER.findall(file.read())}
    return targets, layers


def folder(target):
    """Where a target's sources are, below the package's root."""
    tests = target["type"] == "test"
    return target.get("path") or os.path.join("Tests" if tests else "Sources", target["name"])


def declared(target):
    """The names of what a target depends on."""
    return {(dependency.get("byName") or dependency.get("product") or dependency["target"])[0]
            for dependency in target["dependencies"]}


def sources(target):
    """The Swift files of a target."""
    top = os.path.join(ROOT, folder(target))
    for directory, _, names in os.walk(top):
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.join(directory, name)


def mistakes_of_pure(place, line, module, declaration, layers):
    """Why a pure target can't have this line, if it can't."""
    if match := OUTSIDE.search(line):
        return [f"{place}: error: a pure target has no {match[0]}; pass in the time, and return what is to be done"]
    if not module or module in PURE_PACKAGES or layers.get(module) == "pure":
        return []
    if module in PURE_DECLARATIONS:
        allowed = PURE_DECLARATIONS[module]
        if declaration in allowed:
            return []
        return [f"{place}: error: a pure target imports of {module} only {', '.join(sorted(allowed))}, one by one"]
    return [f"{place}: error: a pure target can't import {module}; move what needs it to a target made with io() or kit()"]


def mistakes_of(target, targets, layers):
    """What is wrong with the imports of a target."""
    name, needs = target["name"], declared(target)
    layer, found, used = layers.get(name), [], set()
    for path in sources(target):
        with open(path, encoding="utf-8") as file:
            lines = [line.split("//")[0] for line in file]
        for number, line in enumerate(lines, 1):
            place = f"{os.path.relpath(path, ROOT)}:{number}"
            match = IMPORT.match(line)
            module, declaration = match.groups() if match else (None, None)
            mistakes = mistakes_of_pure(place, line, module, declaration, layers) if layer == "pure" else []
            found += mistakes
            if not module or mistakes:
                continue
            used.add(module)
            if layer and module == "Foundation":
                # The Debian packages have only a part of ICU's data: scripts/icu-data.py.
                found.append(f"{place}: error: {name} imports Foundation, and with it ICU; import FoundationEssentials")
            elif layer and module in layers and LAYERS.index(layers[module]) > LAYERS.index(layer):
                found.append(f"{place}: error: {name} ({layer}) can't import {module}, which is above it ({layers[module]})")
            elif module in targets and module not in needs:
                found.append(f"{place}: error: {name} imports {module}, which Package.swift doesn't say")
            elif layer and module not in needs and module not in TOOLCHAIN:
                found.append(f"{place}: error: {name} imports {module}, which is no dependency of it")
    if layer:
        superfluous = {need for need in needs - used if targets.get(need, {}).get("type") != "executable"}
        found += [f"Package.swift: error: {name} depends on {need}, but doesn't import it" for need in sorted(superfluous)]
    return found


def main():
    targets, layers = manifest()
    problems = []
    for layer in LAYERS:
        if layer not in layers.values():
            problems.append(f"Package.swift: error: no target is made with {layer}()")
    for target in targets.values():
        if target["name"] not in layers and folder(target).startswith("Sources/") and any(sources(target)):
            problems.append(f"Package.swift: error: {target['name']} is in no layer: make it with pure(), io(), kit() or app()")
        problems += mistakes_of(target, targets, layers)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
