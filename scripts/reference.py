#!/usr/bin/env python3
"""Writes docs/guide/commands.md, the reference of all commands, from the help texts of the built programs.

    reference.py            writes the file
    reference.py --check    prints what differs, and exits with status 1 if the file is out of date

The programs must be built first: `swift build`. --programs names another directory than .build/debug.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/guide/commands.md"
PROGRAMS = ("beacon-gateway", "beacon-matcher")
FAILED, USAGE, UNAVAILABLE, SOFTWARE = 1, 64, 69, 70
WIDTH = 120
# Longest difference that --check prints.
SHOWN = 40
# From so many options on, the usage line does not list the optional ones (ArgumentParser's UsageGenerator).
CROWDED = 13

INTRODUCTION = """\
# Commands

<!-- Written by scripts/reference.py from the programs' help texts. Change those, then run the script. -->

This page lists every command of both programs, with its arguments, options and defaults. `--help` prints the same text for one
command.

Each command also accepts `-h` or `--help`, which shows its help, and `--version`, which shows the program's version.
"""

DEFAULT = re.compile(r"\s*\(default: ([^()]+)\)")
OPTION = re.compile(r"(?<![\w`-])--[a-z][a-z0-9-]*")
# What Markdown would take for a list, a heading or a quotation at the beginning of a line.
BLOCK_START = re.compile(r"^(\d+)([.)])(?=\s|$)|^([-+#>])(?=\s|$)")


def help_of(directory, program):
    """The command tree of a program, as ArgumentParser describes it."""
    path = os.path.join(directory, program)
    try:
        output = subprocess.run([path, "--experimental-dump-help"], stdout=subprocess.PIPE, check=True, timeout=60).stdout
        tool = json.loads(output)
    except OSError as error:
        raise Failure(f"cannot run {path}: {error.strerror}", "build the programs with `swift build`", UNAVAILABLE) from error
    except (subprocess.SubprocessError, ValueError) as error:
        raise Failure(
            f"{path} does not describe its commands: {error}", "build the programs again with `swift build`",
            SOFTWARE) from error
    if tool.get("serializationVersion") != 0:
        raise Failure(
            f"{path} describes its commands in version {tool.get('serializationVersion')}. Expected version 0.",
            f"adapt {os.path.relpath(__file__, ROOT)} to ArgumentParser's new ToolInfo", SOFTWARE)
    return tool["command"]


class Failure(Exception):
    """An error for the person who runs the script."""

    def __init__(self, text, remedy, status):
        super().__init__(f"error: {text}\n  what to do: {remedy}")
        self.status = status


# MARK: Text


def escaped(text):
    """Text with the characters quoted that Markdown would interpret; options and what is in backticks become code."""
    parts = re.split(r"(`[^`]+`)", text)
    for index in range(0, len(parts), 2):
        pieces, end = [], 0
        for match in OPTION.finditer(parts[index]):
            pieces += [quoted(parts[index][end:match.start()]), f"`{match[0]}`"]
            end = match.end()
        parts[index] = "".join([*pieces, quoted(parts[index][end:])])
    return "".join(parts)


def quoted(text):
    # An underscore inside of a word has no meaning, one at its edge has.
    return re.sub(r"[\\*<|~]|(?<!\w)_|_(?!\w)", lambda match: "\\" + match[0], text)


def paragraph(text):
    """Wrapped lines of prose."""
    lines = textwrap.wrap(escaped(text), WIDTH, break_long_words=False, break_on_hyphens=False)
    return [BLOCK_START.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", line) for line in lines]


def code(lines):
    """A code block, without the indentation that all of its lines have."""
    return ["```text", *textwrap.dedent("\n".join(line.rstrip() for line in lines)).split("\n"), "```"]


def discussion(text):
    """The blocks of a help text: prose, and as code what is indented, aligned in columns, or an example."""
    blocks, prose, literal = [], [], []

    def end_prose():
        if prose:
            blocks.append(paragraph(" ".join(prose)))
            prose.clear()

    def end_literal():
        if literal:
            blocks.append(code(literal))
            literal.clear()

    in_example = False
    for line in text.split("\n"):
        example = re.match(r"(?i)examples?: *(?=\S)", line)
        if not line.strip():
            end_prose()
            end_literal()
            in_example = False
        elif example:
            end_prose()
            if not in_example:
                end_literal()
                blocks.append(["Example:"])
            in_example = True
            literal.append(" " * example.end() + line[example.end():])
        elif re.match(r"\s", line) or re.search(r"\S {2,}\S", line):
            end_prose()
            literal.append(line)
        else:
            end_literal()
            in_example = False
            prose.append(line)
            # A line that ends within a sentence was wrapped by hand.
            if re.search(r"[.:!?]$", line):
                end_prose()
    end_prose()
    end_literal()
    return blocks


# MARK: Commands


def spelling(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def synopsis(argument):
    """An argument as it is typed."""
    value = f"<{argument['valueName']}>"
    if argument["kind"] == "positional":
        text = value
    else:
        text = spelling(argument["preferredName"])
        if argument["kind"] == "option":
            text += f" {value}"
    return text + (" ..." if argument["isRepeating"] else "")


def usage(name, arguments, has_subcommands):
    """The usage line, as the program prints it, wrapped between arguments."""
    items = [f"[{synopsis(each)}]" if each["isOptional"] else synopsis(each) for each in arguments]
    if has_subcommands:
        items = [*items, "<subcommand>"]
    elif len(arguments) >= CROWDED:
        kept = [item for item, each in zip(items, arguments) if each["kind"] == "positional" or not each["isOptional"]]
        items = ["[<options>]", *kept] if 0 < len(kept) < CROWDED else ["<options>"]
    lines, indentation = [name], " " * (len(name) + 1)
    for item in items:
        if len(lines[-1]) + 1 + len(item) > 100 and lines[-1].strip() != name:
            lines.append(indentation + item)
        else:
            lines[-1] += " " * (lines[-1] != indentation) + item
    return code(lines)


def row(argument):
    """A line of a table: how the argument is typed, what it means, and its default."""
    others = [spelling(name) for name in argument.get("names", []) if name != argument["preferredName"]]
    typed = ", ".join([*others, synopsis(argument)]).replace("|", "\\|")
    meaning = argument.get("abstract", "")
    default = argument.get("defaultValue")
    default = f"`{default}`" if default is not None else ""
    if not default and (match := DEFAULT.search(meaning)):
        meaning = meaning[:match.start()] + meaning[match.end():]
        default = escaped(match[1])
    if not default and not argument["isOptional"]:
        default = "required"
    meaning = " ".join(meaning.split())
    values = argument.get("allValues", [])
    if not all(re.search(rf"\b{re.escape(value)}\b", meaning) for value in values):
        meaning += f" Values: {', '.join(values)}."
    return [f"| `{typed}` | {escaped(meaning)} | {default} |".replace("  |", " |")]


def tables(arguments):
    """The arguments, the sections that have a title, and the other options, in the order of --help."""
    sections = {}
    for argument in arguments:
        title = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "Options")
        sections.setdefault(title, []).append(argument)
    order = sorted(sections, key=lambda title: {"Arguments": 0, "Options": 2}.get(title, 1))
    blocks = []
    for title in order:
        if len(order) > 1:
            blocks.append([f"{escaped(title)}:"])
        head = "Argument" if title == "Arguments" else "Option"
        lines = [f"| {head} | Meaning | Default |", "| --- | --- | --- |"]
        for argument in sections[title]:
            lines += row(argument)
        blocks.append(lines)
    return blocks


def shown(command):
    """The subcommands that help lists. `help` itself is one of every program."""
    return [each for each in command.get("subcommands", []) if each["shouldDisplay"] and each["commandName"] != "help"]


def arguments_of(command, common):
    return [each for each in command.get("arguments", [])
            if each["shouldDisplay"] and each["valueName"] not in common]


def anchor(name):
    """The address that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")


def summary(command, name):
    """A table of the commands below one, each with its subcommands."""
    lines = ["| Command | Meaning |", "| --- | --- |"]

    def add(parent, prefix):
        for each in shown(parent):
            path = f"{prefix} {each['commandName']}"
            meaning = escaped(each.get("abstract", ""))
            if parent.get("defaultSubcommand") == each["commandName"]:
                meaning += f" Default of `{prefix.removeprefix(name + ' ')}`."
            lines.append(f"| [`{path.removeprefix(name + ' ')}`](#{anchor(path)}) | {meaning} |")
            add(each, path)

    add(command, name)
    return lines


def chapters(command, name, level, common):
    """The blocks of a command and of those below it."""
    subcommands = shown(command)
    arguments = arguments_of(command, common)
    blocks = [[f"{'#' * level} {name}"]]
    if command.get("abstract"):
        blocks.append(paragraph(command["abstract"]))
    blocks.append(usage(name, arguments, bool(subcommands)))
    blocks += discussion(command.get("discussion") or "")
    blocks += tables(arguments)
    if subcommands:
        blocks.append(summary(command, name))
    for each in subcommands:
        blocks += chapters(each, f"{name} {each['commandName']}", min(level + 1, 4), common)
    return blocks


def page(directory):
    """The whole page."""
    blocks = [INTRODUCTION.rstrip("\n").split("\n")]
    for program in PROGRAMS:
        command = help_of(directory, program)
        common = {each["valueName"] for each in command["arguments"]} & {"help", "version"}
        blocks += chapters(command, program, 2, common)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def main(options):
    written = page(options.programs)
    path = os.path.join(ROOT, PAGE)
    if not options.check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(written)
        return 0
    try:
        with open(path, encoding="utf-8") as file:
            current = file.read()
    except FileNotFoundError:
        current = ""
    if current == written:
        return 0
    difference = list(difflib.unified_diff(
        current.splitlines(), written.splitlines(), PAGE, "the programs' help", n=1, lineterm=""))
    print("\n".join(difference[:SHOWN]))
    if len(difference) > SHOWN:
        print(f"... and {len(difference) - SHOWN} more lines")
    print(f"error: {PAGE} is out of date\n  what to do: run scripts/reference.py and commit the result", file=sys.stderr)
    return FAILED


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
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
