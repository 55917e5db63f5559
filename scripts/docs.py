#!/usr/bin/env python3
"""Makes the documentation of the libraries with DocC, and checks it.

    docs.py            writes .build/documentation/NAME.doccarchive, and checks
    docs.py --check    checks only

The modules must be built first: `swift build`. It fails if a link to a symbol doesn't resolve, if a public declaration
has no documentation comment, or if the example of a catalogue isn't the code of a test. To read an archive, run
`docc preview` on the catalogue, or serve the archive with any web server.
"""

import argparse
import glob
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = ("Advertisement", "HCI", "Proximity", "ModuleDialogues")
# Their interfaces consist of its types. It is no product, and has no catalogue.
COMMON = "BeaconModel"
FAILED, USAGE, UNAVAILABLE = 1, 64, 69
# Kinds of symbols that the compiler makes, or whose meaning is that of what they implement.
IMPLIED = re.compile(
    r"init\(rawValue:\)|init\(from:\)|encode\(to:\)|hash\(into:\)|[!=<>]=?\(_:_:\)|rawValue|description")


def symbol_graph(name, modules, directory):
    """Extracts the public declarations of a module, and returns the path of the file."""
    # Modules of C that others import: swift build has their headers only in the sources of the packages.
    headers = glob.glob(os.path.join(ROOT, ".build/checkouts/swift-numerics/Sources/_NumericsShims/include"))
    result = subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", name, *(f"-I{each}" for each in (modules, *headers)),
         "-target", f"{platform.machine()}-unknown-linux-gnu", "-output-dir", directory, "-skip-synthesized-members",
         "-module-cache-path", os.path.join(directory, "cache")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    path = os.path.join(directory, f"{name}.symbols.json")
    if result.returncode or not os.path.exists(path):
        print(f"error: the module {name} cannot be read\n{result.stdout.rstrip()}\n"
              "  what to do: build it with `swift build`", file=sys.stderr)
        sys.exit(UNAVAILABLE)
    return path


def undocumented(path):
    """The public declarations of this repository without an abstract."""
    with open(path, encoding="utf-8") as file:
        symbols = json.load(file)["symbols"]
    for symbol in symbols:
        lines = symbol.get("docComment", {}).get("lines", [])
        begins = next((line["text"] for line in lines if line["text"].strip()), "- ")
        name = symbol["pathComponents"][-1]
        if begins.startswith("- ") and "location" in symbol and not IMPLIED.fullmatch(name):
            file = symbol["location"]["uri"].partition("/Sources/")[2]
            line = symbol["location"]["position"]["line"] + 1
            yield f"Sources/{file}:{line}: {'.'.join(symbol['pathComponents'])} is not documented"


def unlisted(name, path):
    """The public types of a module that its catalogue doesn't list."""
    page = f"Sources/{name}/{name}.docc/{name}.md"
    with open(path, encoding="utf-8") as file, open(os.path.join(ROOT, page), encoding="utf-8") as catalogue:
        symbols, text = json.load(file)["symbols"], catalogue.read()
    for symbol in symbols:
        if len(symbol["pathComponents"]) == 1 and f"- ``{symbol['pathComponents'][0]}``" not in text:
            yield f"{page}: {symbol['pathComponents'][0]} is in no topic"


def code_lines(text):
    """Lines of code, without imports, comments and indentation."""
    stripped = [line.strip() for line in text.split("\n")]
    return [line for line in stripped if line and not line.startswith(("import ", "//"))]


def untested(name):
    """The examples of a catalogue that no test has."""
    tests = []
    for path in glob.glob(os.path.join(ROOT, "Tests", name + "Tests", "**/*.swift"), recursive=True):
        with open(path, encoding="utf-8") as file:
            tests.append("\n".join(code_lines(file.read())))
    page = f"Sources/{name}/{name}.docc/{name}.md"
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        examples = re.findall(r"(?ms)^```swift\n(.*?)^```", file.read())
    for example in examples:
        wanted = "\n".join(code_lines(example))
        if not any(wanted in test for test in tests):
            yield f"{page}: its example is in no test below Tests/{name}Tests"
    if not examples:
        yield f"{page}: it has no example"


def convert(name, graphs, output):
    """Runs DocC on a catalogue, and returns its warnings and errors."""
    result = subprocess.run(
        [shutil.which("docc") or os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift") or "")), "docc"),
         "convert", os.path.join(ROOT, "Sources", name, name + ".docc"), "--additional-symbol-graph-dir", graphs,
         "--fallback-display-name", name, "--fallback-bundle-identifier", f"beacon-gateway.{name}",
         "--ide-console-output", "--output-path", output],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    # Only parameters that need it are documented.
    said = [line.replace(ROOT + "/", "") for line in result.stdout.split("\n")
            if re.search(r"\b(warning|error):", line) and "is missing documentation" not in line]
    if result.returncode and not said:
        said = result.stdout.rstrip().split("\n")[-10:]
    return said


def main(options):
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        problems += undocumented(symbol_graph(COMMON, os.path.abspath(options.modules), directory))
    for name in LIBRARIES:
        with tempfile.TemporaryDirectory() as directory:
            graph = symbol_graph(name, os.path.abspath(options.modules), directory)
            shutil.rmtree(os.path.join(directory, "cache"), ignore_errors=True)
            problems += undocumented(graph)
            problems += unlisted(name, graph)
            problems += untested(name)
            archive = os.path.join(directory, name + ".doccarchive")
            problems += convert(name, directory, archive)
            if not options.check:
                kept = os.path.join(ROOT, ".build", "documentation", name + ".doccarchive")
                shutil.rmtree(kept, ignore_errors=True)
                os.makedirs(os.path.dirname(kept), exist_ok=True)
                shutil.move(archive, kept)
                print(os.path.relpath(kept, ROOT))
    for problem in problems:
        print(problem)
    return FAILED if problems else 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="check, and write nothing")
    parser.add_argument(
        "--modules", metavar="DIRECTORY", default=os.path.join(ROOT, ".build", "debug", "Modules"),
        help="where the modules are (default: .build/debug/Modules)")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main(parsed()))
    except SystemExit as end:
        # argparse exits with 2 for wrong usage.
        sys.exit(USAGE if end.code == 2 else end.code)
