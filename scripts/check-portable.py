#!/usr/bin/env python3
"""Checks what differs between amd64 and arm64, of which only one can be built here: C's char is signed on one of them.

* Swift: a C character becomes a byte by `UInt8(truncatingIfNeeded:)`, which takes either kind. `bitPattern:` doesn't
  compile where CChar is UInt8, and `Int8` isn't what a pointer of C has there.
* C: compiled with a signed and with an unsigned char, the code of each file and of each header is the same.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from check import ROOT  # noqa: E402  pylint: disable=wrong-import-position

FOLDERS = ("Sources", "Tests", "Benchmarks", "Fuzz")
SWIFT = (
    (re.compile(r"\bU?Int8\(bitPattern: \$0\)"), "write UInt8(truncatingIfNeeded: $0)"),
    (re.compile(r"\bCChar\((bitPattern:|-|clamping:|exactly:)"), "compare bytes: UInt8(truncatingIfNeeded: character)"),
    (re.compile(r"Pointer<Int8>"), "write CChar"),
    (re.compile(r"\bCChar\b.*\bbitPattern\b|\bbitPattern\b.*\bCChar\b"), "write truncatingIfNeeded"),
)
# The C target's own name for pkg-config; none: the file needs no other headers.
LIBRARIES = {
    "CBluetooth": "bluez", "CCurl": "libcurl", "CDBus": "dbus-1", "CIcal": "libical", "CMosquitto": "libmosquitto",
    "CMosquittoGuard": "libmosquitto", "CPostgreSQL": "libpq", "CSQLite": "sqlite3", "CUdev": "libudev", "CYAML": "yaml-0.1",
    "PublishC": "libmosquitto",
}


def files(end):
    for folder in FOLDERS:
        yield from sorted(glob.glob(os.path.join(ROOT, folder, "**", "*" + end), recursive=True))


def swift_problems():
    for path in files(".swift"):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for pattern, remedy in SWIFT:
                    if pattern.search(line):
                        yield f"{os.path.relpath(path, ROOT)}:{number}: depends on the sign of C's char; {remedy}"


def library_flags(path):
    """The compiler's options for the library of a file; none if the library isn't installed."""
    for name in path.split(os.sep):
        if name in LIBRARIES:
            result = subprocess.run(
                ["pkg-config", "--cflags", LIBRARIES[name]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                check=False)
            return result.stdout.split() if result.returncode == 0 else None
    return []


def code(path, sign, flags, place):
    """The object code of a C file, or of all functions of a header."""
    output = os.path.join(place, "code.o")
    source = os.path.join(place, "code.c")
    with open(source, "w", encoding="utf-8") as file:
        # Functions that nothing calls are compiled too.
        used = "" if path.endswith(".c") else "#define inline inline __attribute__((used))\n"
        file.write(f'{used}#include "{path}"\n')
    result = subprocess.run(
        ["clang", "-c", "-O1", f"-f{sign}-char", "-DBEACON_COMMIT=\"\"", "-I", os.path.join(os.path.dirname(path), "include"),
         "-I", os.path.join(ROOT, "Sources", "CMosquitto"), "-w", *flags, source, "-o", output],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        return None, result.stdout
    with open(output, "rb") as file:
        return file.read(), ""


def c_problems():
    if not (shutil.which("clang") and shutil.which("pkg-config")):
        return
    with tempfile.TemporaryDirectory() as place:
        for path in [*files(".c"), *(path for path in files(".h") if os.sep + "LibFuzzer" + os.sep not in path)]:
            name = os.path.relpath(path, ROOT)
            flags = library_flags(path)
            if flags is None:
                continue
            signed, said = code(path, "signed", flags, place)
            unsigned, _ = code(path, "unsigned", flags, place)
            if signed is None or unsigned is None:
                yield f"{name}: does not compile by itself: {said.strip()[:400]}"
            elif signed != unsigned:
                yield f"{name}: its code depends on the sign of char; use unsigned char, or compare characters only for equality"


def main():
    problems = [*swift_problems(), *c_problems()]
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
