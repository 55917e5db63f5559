#!/usr/bin/env python3
"""Writes the part of ICU's data that the Debian packages keep, and a C file that defines ICU's symbol as this part.

    icu-data.py DIRECTORY    writes DIRECTORY/icu-data.h and DIRECTORY/icu-data.bin

Swift's Foundation has ICU inside, with 34 MB of data: languages, regions, calendars, code pages. GRDB and swift-mustache
import Foundation, so both programs would have all of it. They are in English and use no locale, no formatter and no code
page of Foundation. What is kept is the part of ICU that needs no language: time zones, numbers, plurals and calendars of
the root locale and of English, normalization, and the rules by which text is cut into words. So Foundation answers as it
does for a language that ICU doesn't know, instead of failing. `BEACON_ICU_DATA` names the C file for Package.swift.

The format is ICU's common data, formatVersion 1: a header, then a table of contents that is sorted by name.
"""

import argparse
import glob
import os
import re
import shutil
import struct
import sys

USAGE, UNAVAILABLE, SOFTWARE = 64, 69, 70
# Magic number, size of UDataInfo, this byte order, ASCII, UTF-16, and the name of the format.
HEAD = bytes.fromhex("da27 1400 0000 0000 0200") + b"CmnD\x01"
KEPT = re.compile(r"""
    (root|en|en_001|en_US|en_US_POSIX|res_index|pool)\.res
    | (curr|zone)/(root|en|en_001|res_index|pool)\.res
    | brkitr/((root|en|res_index)\.res|(char|line|sent|title|word)\.brk)
    | (dayPeriods|icustd|icuver|keyTypeData|likelySubtags|metadata|metaZones|numberingSystems|plurals
       |supplementalData|timezoneTypes|zoneinfo64)\.res
    | (nfkc|nfkc_cf)\.nrm
    """, re.VERBOSE)


class Failure(Exception):
    """An error for the person who runs the script."""

    def __init__(self, text, remedy, status):
        super().__init__(f"error: {text}\n  what to do: {remedy}")
        self.status = status


def archive():
    """Foundation's static ICU of the toolchain that `swift` is of."""
    swift = shutil.which("swift")
    if swift is None:
        raise Failure("there is no swift", "install the toolchain, see docs/guide/install.md", UNAVAILABLE)
    runtime = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(swift))), "lib", "swift_static", "linux")
    path = os.path.join(runtime, "lib_FoundationICU.a")
    if not os.path.isfile(path):
        found = ", ".join(sorted(map(os.path.basename, glob.glob(os.path.join(runtime, "*.a"))))) or "no archive"
        raise Failure(
            f"there is no {path}; there is {found}", "use a toolchain with the static runtime, such as that of swift.org",
            UNAVAILABLE)
    return path


def items_of(content):
    """The name of the data, and its items by name: positions in the content."""
    found = content.find(HEAD)
    if found < 2 or content.find(HEAD, found + 1) >= 0:
        raise Failure(
            "the toolchain's ICU has no data, or several, of the form that this script reads",
            "compare the script with ICU's udata.h, or build with BEACON_ICU_DATA unset", SOFTWARE)
    start = found - 2
    table = start + struct.unpack_from("<H", content, start)[0]
    count, = struct.unpack_from("<I", content, table)
    entries = [struct.unpack_from("<II", content, table + 4 + 8 * index) for index in range(count)]
    names = [content[table + name:content.index(b"\0", table + name)].decode() for name, _ in entries]
    places = [table + data for _, data in entries]
    # Where the last item ends isn't written: it isn't one that is kept.
    ends = [*places[1:], places[-1]]
    package = names[0].split("/")[0]
    return package, {name.removeprefix(package + "/"): (place, end) for name, place, end in zip(names, places, ends)}


def part(content):
    """The symbol of the data, and the data with what is kept."""
    package, items = items_of(content)
    kept = sorted(name for name in items if KEPT.fullmatch(name))
    if "root.res" not in kept or "zoneinfo64.res" not in kept:
        raise Failure(
            f"the toolchain's ICU ({package}) has no root.res or no zoneinfo64.res", "correct KEPT in this script",
            SOFTWARE)
    header = struct.pack("<H", 32) + HEAD + bytes(32 - 2 - len(HEAD))
    names = [f"{package}/{name}".encode() + b"\0" for name in kept]
    head = 4 + 8 * len(kept)
    data_start = (head + sum(map(len, names)) + 15) // 16 * 16
    table, texts, data = struct.pack("<I", len(kept)), b"", b""
    for name, text in zip(kept, names):
        begin, end = items[name]
        table += struct.pack("<II", head + len(texts), data_start + len(data))
        texts += text
        data += content[begin:end]
        data += bytes(-len(data) % 16)
    body = table + texts
    return re.sub(r"[lbe]$", "_dat", package), header + body + bytes(data_start - len(body)) + data


def main(directory):
    path = archive()
    with open(path, "rb") as file:
        symbol, data = part(file.read())
    os.makedirs(directory, exist_ok=True)
    binary = os.path.join(os.path.abspath(directory), "icu-data.bin")
    if re.search(r'["\\\n]', binary):
        raise Failure(f"{binary} has a quotation mark or a backslash", "build in another directory", USAGE)
    with open(binary, "wb") as file:
        file.write(data)
    with open(os.path.join(directory, "icu-data.h"), "w", encoding="utf-8") as file:
        file.write(f"""\
/* Written by scripts/icu-data.py. */
__asm__(
    ".section .rodata.{symbol},\\"a\\",%progbits\\n"
    ".balign 16\\n"
    ".globl {symbol}\\n"
    ".type {symbol}, %object\\n"
    ".size {symbol}, {len(data)}\\n"
    "{symbol}:\\n"
    ".incbin \\"{binary}\\"\\n"
    ".previous\\n");
""")
    print(f"{symbol}: {len(data) / 1e6:.1f} MB kept")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", metavar="DIRECTORY", help="where the files are written")
    try:
        sys.exit(main(parser.parse_args().directory))
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(failure.status)
    except SystemExit as end:
        sys.exit(USAGE if end.code == 2 else end.code)
