#!/usr/bin/env python3
"""Writes the manual pages of the Debian packages, from the help texts of the built programs and the guide's tables of keys.

    manual.py DIRECTORY    writes beacon-gateway.1, beacon-matcher.1, beacon-gateway.toml.5 and beacon-matcher.toml.5
    manual.py --check      writes nothing; exits with status 1 if a page lacks a command, an option or a key, or if man
                           warns of a page

The programs must be built first: `swift build`. --programs names another directory than .build/debug.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass

sys.dont_write_bytecode = True
import reference  # noqa: E402  pylint: disable=wrong-import-position
from reference import FAILED, PROGRAMS, ROOT, USAGE, Failure  # noqa: E402  pylint: disable=wrong-import-position

VERSION = os.path.join(ROOT, "Sources/OperatorText/ProductVersion.swift")


@dataclass
class Configuration:
    """A configuration file, and the page of the guide that describes it."""

    program: str
    file: str
    page: str


CONFIGURATIONS = (
    Configuration("beacon-gateway", "/etc/beacon-gateway/gateway.toml", "docs/guide/configuration.md"),
    Configuration("beacon-matcher", "/etc/beacon-matcher/matcher.toml", "docs/guide/matcher/configuration.md"),
)


# MARK: From Markdown to roff


def plain(text):
    """Text with what roff would interpret quoted."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga")
    return text.replace("'", "\\(aq")


def protected(line):
    """A line that doesn't begin as a request of roff does."""
    return "\\&" + line if line.startswith(".") else line


def inline(text):
    """A line of Markdown: code and what is strong become bold, links their text, quoted characters themselves."""
    out = []
    for index, piece in enumerate(re.split(r"(`[^`]+`)", text)):
        if index % 2:
            out.append(f"\\fB{plain(piece[1:-1])}\\fR")
            continue
        piece = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", piece)
        for strength, part in enumerate(re.split(r"\*\*(.+?)\*\*", piece)):
            part = plain(re.sub(r"\\([\\*<>|~_#+.)\[\]-])", r"\1", part))
            out.append(f"\\fB{part}\\fR" if strength % 2 and part else part)
    # A link around code is in three pieces.
    return protected(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", "".join(out)))


def cells(line):
    """The cells of a row of a table."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def entry(head, row):
    """A row of a table: its first cell as a tag, the others below it."""
    said = []
    for name, value in zip(head[1:], row[1:]):
        if name.lower() == "meaning":
            said.insert(0, value)
        elif value and name.lower() == "default":
            said.append("Required." if value == "required" else f"Default: {value.removeprefix('default: ')}.")
        elif value:
            said.append(f"{name[:1].upper()}{name[1:]}: {value}." if not value.endswith(".") else f"{name}: {value}")
    return [".TP", inline(row[0]), inline(" ".join(said)) or "\\&"]


def roff(markdown, section):
    """The lines of a page from Markdown. Headings of the level `section` become sections, lower ones subsections."""
    lines = re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.DOTALL).split("\n")
    out, paragraph = [], []
    index = 0

    def end_paragraph():
        if paragraph:
            out.extend([".PP", inline(" ".join(paragraph))])
            paragraph.clear()

    while index < len(lines):
        line = lines[index]
        index += 1
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            end_paragraph()
            request = ".SH" if len(heading[1]) <= section else ".SS"
            title = inline(heading[2].replace("`", ""))
            out.append(f'{request} "{title}"')
        elif re.match(r" *```", line):
            end_paragraph()
            block = []
            while index < len(lines) and not re.match(r" *```", lines[index]):
                block.append(lines[index])
                index += 1
            index += 1
            out += example(block)
        elif line.startswith("|"):
            end_paragraph()
            head = cells(line)
            if head[0].startswith("key of "):
                out += [".PP", inline(f"Keys of {head[0].removeprefix('key of ')}:")]
            index += 1
            while index < len(lines) and lines[index].startswith("|"):
                out += entry(head, cells(lines[index]))
                index += 1
        elif re.match(r"- ", line):
            end_paragraph()
            item = [line[2:]]
            while index < len(lines) and re.match(r" +\S", lines[index]):
                item.append(lines[index].strip())
                index += 1
            out += [".IP \\(bu 2", inline(" ".join(item))]
        elif re.match(r"    \S", line) and not paragraph:
            block = [line]
            while index < len(lines) and (lines[index].startswith("    ") or not lines[index].strip()):
                block.append(lines[index])
                index += 1
            out += example(block)
        elif line.strip():
            paragraph.append(line.strip())
        else:
            end_paragraph()
    end_paragraph()
    return out


def example(block):
    text = textwrap.dedent("\n".join(line.rstrip() for line in block)).strip("\n")
    return [".PP", ".RS 4", ".EX", *(protected(plain(line)) for line in text.split("\n")), ".EE", ".RE"]


# MARK: Pages


def title(name, section, version):
    return [
        '.\\" Written by scripts/manual.py.', f'.TH "{plain(name.upper())}" {section} "" "{version}" "Beacon Gateway"',
        # Long options and addresses can't be spread over the line.
        ".ad l", ".nh"]


def version_of():
    with open(VERSION, encoding="utf-8") as file:
        return re.search(r'number = "(.*)"', file.read())[1]


def page_of_program(program, command, configuration):
    common = {each["valueName"] for each in command["arguments"]} & {"help", "version"}
    name = plain(program)
    abstract = command["abstract"].rstrip(".")
    out = title(program, 1, version_of())
    out += [
        ".SH NAME", f"{name} \\- {plain(abstract[:1].lower() + abstract[1:])}", ".SH SYNOPSIS",
        f"\\fB{name}\\fR \\fIsubcommand\\fR [\\fIoptions\\fR]", ".br", f"\\fB{name}\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR",
        ".SH DESCRIPTION"]
    out += roff("\n\n".join("\n".join(block) for block in reference.discussion(command.get("discussion") or "")), 1)
    out += [
        ".PP", "Each subcommand also accepts:", ".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Shows its help.", ".TP",
        "\\fB\\-\\-version\\fR", "Shows the version of the program.", ".SH COMMANDS"]
    for each in reference.shown(command):
        blocks = reference.chapters(each, f"{program} {each['commandName']}", 2, common)
        # A command's own table of subcommands has links.
        out += roff("\n\n".join("\n".join(block) for block in blocks), 1)
    out += [
        ".SH FILES", ".TP", f"\\fI{plain(configuration.file)}\\fR", "The configuration of the service.", ".TP",
        f"\\fI{plain(f'/usr/share/doc/{program}/examples/')}\\fR", "A configuration to begin with, and files for brokers.",
        ".TP", f"\\fI{plain(f'/var/lib/{program}/')}\\fR", "The state.",
        ".SH SEE ALSO", f"\\fB{name}.toml\\fR(5), \\fBjournalctl\\fR(1), \\fBsystemctl\\fR(1)"]
    return out


def page_of_configuration(configuration):
    with open(os.path.join(ROOT, configuration.page), encoding="utf-8") as file:
        markdown = file.read()
    # The heading, and the list of contents.
    markdown = re.sub(r"\A# .*\n", "", markdown)
    markdown = re.sub(r"(?m)^- \[[^\]]*\]\(#[^)]*\)\n", "", markdown)
    name = plain(configuration.program)
    return [
        *title(configuration.program + ".toml", 5, version_of()),
        ".SH NAME", f"{name}.toml \\- configuration of {name}", ".SH SYNOPSIS", f"\\fI{plain(configuration.file)}\\fR",
        ".SH DESCRIPTION", *roff(markdown, 2), ".SH SEE ALSO", f"\\fB{name}\\fR(1)"]


def pages(programs):
    """The text of all pages by the names of their files."""
    found = {}
    for configuration in CONFIGURATIONS:
        program = configuration.program
        command = reference.help_of(programs, program)
        found[f"{program}.1"] = page_of_program(program, command, configuration)
        found[f"{program}.toml.5"] = page_of_configuration(configuration)
    return {name: "\n".join(lines) + "\n" for name, lines in found.items()}


# MARK: Checks


def bare(text):
    """The words of a page, without roff's marks."""
    text = re.sub(r"\\f[BIR]|\\&", "", text)
    for mark, character in (("\\-", "-"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\(ga", "`"), ("\\(aq", "'"), ("\\e", "\\")):
        text = text.replace(mark, character)
    return text


def missing_of_program(program, command, page):
    """The commands and options that a page doesn't have, each in the command's own part."""
    parts = {}
    for part in re.split(r"(?m)^\.S[SH] ", bare(page)):
        parts[part.split("\n")[0].strip('"')] = part
    missing = []

    def look(each, path):
        part = parts.get(path) if path != program else parts["DESCRIPTION"]
        if part is None:
            missing.append(f"the command {path}")
        else:
            for argument in each.get("arguments", []):
                if not argument["shouldDisplay"]:
                    continue
                names = [reference.spelling(name) for name in argument.get("names", [])] or [f"<{argument['valueName']}>"]
                for name in names:
                    own = re.escape(name)
                    if name not in ("-h", "--help", "--version") and not re.search(rf"(?<![\w-]){own}(?![\w-])", part):
                        missing.append(f"{name} of {path}")
        for subcommand in reference.shown(each):
            look(subcommand, f"{path} {subcommand['commandName']}")

    look(command, program)
    return missing


def missing_of_configuration(configuration, page):
    """The keys in the guide's tables that a page doesn't have."""
    with open(os.path.join(ROOT, configuration.page), encoding="utf-8") as file:
        rows = [line for line in file if line.startswith("|") and not line.startswith(("| key", "|---"))]
    keys = {key for row in rows for key in re.findall(r"`([^`]+)`", cells(row)[0])}
    tags = "\n".join(re.findall(r"(?m)^\.TP\n(.*)$", bare(page)))
    return [f"the key {key}" for key in sorted(keys) if not re.search(rf"(?<![\w.-]){re.escape(key)}(?![\w-])", tags)]


def warnings(name, page):
    """What man says about a page."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
        try:
            result = subprocess.run(
                ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], env=environment, check=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)
        except OSError as error:
            raise Failure(f"cannot run man: {error.strerror}", "install man-db: `make test-packages`", 69) from error
    return [line.replace(path, name) for line in result.stderr.split("\n") if line]


def check(programs):
    problems = []
    found = pages(programs)
    for configuration in CONFIGURATIONS:
        program = configuration.program
        command = reference.help_of(programs, program)
        page = found[f"{program}.1"]
        problems += [f"{program}.1 lacks {what}" for what in missing_of_program(program, command, page)]
        page = found[f"{program}.toml.5"]
        problems += [f"{program}.toml.5 lacks {what}" for what in missing_of_configuration(configuration, page)]
    for name, page in found.items():
        problems += warnings(name, page)
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return FAILED if problems else 0


def main(options):
    if options.check:
        return check(options.programs)
    os.makedirs(options.directory, exist_ok=True)
    for name, page in pages(options.programs).items():
        with open(os.path.join(options.directory, name), "w", encoding="utf-8") as file:
            file.write(page)
    return 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("directory", metavar="DIRECTORY", nargs="?", help="where the pages are written")
    what.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument(
        "--programs", metavar="DIRECTORY", default=os.path.join(ROOT, ".build", "debug"),
        help="where the programs are (default: .build/debug)")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main(parsed()))
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(failure.status)
    except SystemExit as end:
        # argparse exits with 2 for wrong usage.
        sys.exit(USAGE if end.code == 2 else end.code)
