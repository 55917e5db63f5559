#!/usr/bin/env python3
"""Checks the documentation against the programs: links, command lines, and what the examples show.

    check-examples.py                  checks everything; the programs must be built first: `swift build`
    check-examples.py --no-programs    checks links, directives and the tests that they name
    check-examples.py PAGE...          checks these pages only

Every link of every page must resolve, anchors included. In README.md and docs/guide, every command line of
beacon-gateway and beacon-matcher must be one that the program accepts: its subcommand, options, values and required
arguments exist. Every block of commands or output must say by a comment in front of it how it is checked:

    <!-- example: run -->               Its commands are run, and print what the block shows.
    <!-- example: output -->            It shows what the commands of the last `run` block printed.
    <!-- example: file NAME -->         It is written to NAME, for the commands of the page.
    <!-- example: tested PATH "NAME" -->  The test of that name in PATH checks it.
    <!-- example: not run: REASON -->   It can't be run here. Its command lines are checked as all are.

Further lines of a comment qualify `run` and `output`:

    prepare: COMMAND    is run first, and isn't shown
    serve: COMMAND      is started first, and runs until the end of the page
    capture: FILE BEACON DBM   is a btsnoop file of 25 s of a simulated iBeacon, for the commands
    terminal: COLUMNS   is the width of a terminal on which the commands print
    input: TEXT         is typed when a command asks
    status: N           is the exit status of the last command (default: 0)
    varies: REGEX       what isn't compared: a time, a random number

In a block with `$ ` in front of commands, the other lines are output; without, every line is a command. A line `...`
stands for any lines. Text of `varies` is compared by its kind only: each match counts as equal to every other. The
commands of a page run one after the other in one empty directory, which is also their /tmp. What they name below
Tests is copied there. A block that is marked as TOML, Python or systemd's INI needs no comment.
"""

import argparse
import glob
import json
import os
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = ("beacon-gateway", "beacon-matcher")
# Written from the programs' help by scripts/reference.py.
GENERATED = "docs/guide/commands.md"
FAILED, USAGE, UNAVAILABLE = 1, 64, 69
# Languages of blocks that are neither commands nor output.
DATA = {"toml", "python", "ini"}
SECONDS = 120
KINDS = {"run", "output", "file", "tested", "not run"}
QUALIFIERS = {"prepare", "serve", "capture", "terminal", "input", "status", "varies"}


@dataclass
class Block:
    """A block of code, and what its comment says."""

    page: str
    line: int
    language: str
    lines: list
    kind: str = ""
    value: str = ""
    qualifiers: list = field(default_factory=list)

    def all(self, name):
        return [value for key, value in self.qualifiers if key == name]

    @property
    def has_prompts(self):
        return any(line.startswith("$ ") for line in self.lines)

    def parts(self):
        """The commands, each with the lines that it is shown to print; None where the block has no output."""
        found = []
        continues = False
        for line in self.lines:
            if continues:
                found[-1][0] += "\n" + line
            elif not self.has_prompts:
                if line.strip():
                    found.append([line, None])
            elif line.startswith("$ "):
                found.append([line[2:], []])
            elif found:
                found[-1][1].append(line)
            else:
                # What comes before the first command.
                found.append(["", [line]])
            continues = found and line.endswith("\\") and (continues or found[-1][1] in (None, []))
        return found


# MARK: Reading pages


def text_of(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def blocks_of(page, problems):
    """The blocks of a page: fenced ones, and indented ones after an empty line."""
    lines = text_of(page).split("\n")
    blocks, comment, index = [], None, 0
    while index < len(lines):
        line = lines[index]
        if match := re.match(r" *<!-- example: ?(.*)", line):
            start, body = index, [match[1]]
            while "-->" not in body[-1]:
                index += 1
                body.append(lines[index])
            body[-1] = body[-1].partition("-->")[0]
            comment = (start + 1, [part.strip() for part in body if part.strip()])
            index += 1
            continue
        block = None
        if match := re.match(r"( *)```(\w*)\s*$", line):
            end = index + 1
            while lines[end].strip() != "```":
                end += 1
            content = [each.removeprefix(match[1]) for each in lines[index + 1:end]]
            block, after = Block(page, index + 1, match[2], content), end + 1
        elif re.match(r" {4,}(?![-*] |\d+\. )\S", line) and not lines[index - 1].strip() and is_code(lines, index):
            end = index
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            indentation = len(line) - len(line.lstrip())
            block, after = Block(page, index + 1, "", [each[indentation:] for each in lines[index:end]]), end
        elif comment and line.strip():
            problems.append(f"{page}:{comment[0]}: no block follows this comment")
            comment = None
        if block:
            if comment:
                read_comment(block, comment, problems)
                comment = None
            blocks.append(block)
            index = after
        else:
            index += 1
    return blocks


def is_code(lines, index):
    """Whether an indented line begins a block of code and not a paragraph of a list."""
    indentation = len(lines[index]) - len(lines[index].lstrip())
    for line in reversed(lines[:index]):
        if not line.strip() or line.lstrip().startswith("<!--"):
            continue
        if item := re.match(r"( *)(?:[-*]|\d+\.) +", line):
            return indentation >= len(item[0]) + 4
        if not line.startswith("  "):
            return True
    return True


def read_comment(block, comment, problems):
    number, (first, *others) = comment
    where = f"{block.page}:{number}"
    match = re.match(r"(run|output|file|tested|not run)(?:\s*:\s*|\s+|$)(.*)", first)
    if not match:
        problems.append(f"{where}: {first!r} is none of {', '.join(sorted(KINDS))}")
        return
    block.kind, block.value = match[1], match[2]
    if block.kind in ("file", "tested", "not run") and not block.value:
        problems.append(f"{where}: `{block.kind}` says nothing more")
    for line in others:
        name, separator, value = line.partition(":")
        if not separator or name not in QUALIFIERS:
            problems.append(f"{where}: {line!r} is none of {', '.join(sorted(QUALIFIERS))}")
        else:
            block.qualifiers.append((name, value.strip()))


# MARK: Links


def anchors_of(page):
    """The addresses that GitHub gives to the headings of a page."""
    found, seen, in_code = set(), {}, False
    for line in text_of(page).split("\n"):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        match = re.match(r"#+ +(.*?) *#*$", line)
        if match and not in_code:
            title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match[1])
            name = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
            count = seen.get(name, 0)
            seen[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
    return found


def check_links(page, problems):
    text = re.sub(r"(?ms)^ *```.*?^ *```", lambda match: "\n" * match[0].count("\n"), text_of(page))
    text = re.sub(r"`[^`\n]*`", lambda match: "`" + " " * (len(match[0]) - 2) + "`", text)
    for match in re.finditer(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", text):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        where = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if not os.path.exists(os.path.join(ROOT, path)):
            problems.append(f"{where}: {match[1]} doesn't exist")
        elif anchor and path.endswith(".md") and anchor not in anchors_of(path):
            problems.append(f"{where}: {path} has no heading #{anchor}")


# MARK: Command lines


def tree_of(directory, program):
    """The commands of a program, as ArgumentParser describes them."""
    path = os.path.join(directory, program)
    output = subprocess.run([path, "--experimental-dump-help"], stdout=subprocess.PIPE, check=True, timeout=60).stdout
    return json.loads(output)["command"]


def words_of(command):
    """Simple commands of a shell line, each as its words."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars="|;&<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    found = [[]]
    for word in lexer:
        if word and set(word) <= set("|;&"):
            found.append([])
        else:
            found[-1].append(word)
    return [words for words in found if words]


def is_placeholder(word):
    return bool(re.search(r"[A-Z]{2,}|\.\.\.|^[A-Z]$", word)) or "$" in word


def invalid(words, tree, is_whole):
    """What is wrong with a command line, or nothing. Of a part of one, nothing has to be there."""
    command, path = tree, [tree["commandName"]]
    scopes = [tree]
    given, positionals, index = set(), [], 1
    while index < len(words):
        word = words[index]
        index += 1
        if word in (">", "<", ">>"):
            index += 1
            continue
        if word.isdigit() and words[index:index + 1] == [">"]:
            continue
        children = {each["commandName"]: each for each in command.get("subcommands", [])}
        if word.startswith("-") and len(word) > 1 and not re.match(r"-\d", word):
            name, separator, value = word.partition("=")
            argument = None
            for scope in reversed([*scopes, *default_of(command)]):
                argument = argument or option_of(scope, name)
            if argument is None:
                return f"`{' '.join(path)}` has no option {name}"
            given.add(argument["valueName"])
            if argument["kind"] == "option":
                if not separator:
                    if index == len(words):
                        return f"{name} has no value" if is_whole else None
                    value = words[index]
                    index += 1
                if wrong := invalid_value(argument, value):
                    return f"{name} can't be {value}: {wrong}"
        elif word in children and not positionals:
            command = children[word]
            scopes.append(command)
            path.append(word)
        else:
            positionals.append(word)
    if default := default_of(command):
        command = default[0]
    if command.get("subcommands") and not positionals and is_whole and not given & {"help", "version"}:
        own = [each for each in command.get("arguments", []) if each["valueName"] not in ("help", "version")]
        if not own:
            return f"`{' '.join(path)}` needs a subcommand"
    places = [each for each in command.get("arguments", []) if each["kind"] == "positional"]
    if len(positionals) > len(places) and not any(each["isRepeating"] for each in places):
        return f"`{' '.join(path)}` has no subcommand or argument {positionals[len(places)]}"
    for place, word in zip(places, positionals):
        if wrong := invalid_value(place, word):
            return f"{place['valueName']} can't be {word}: {wrong}"
    if is_whole and not given & {"help", "version"}:
        required = [each for each in places if not each["isOptional"]]
        if len(positionals) < len(required):
            return f"`{' '.join(path)}` needs {required[len(positionals)]['valueName']}"
        for each in command.get("arguments", []):
            if each["kind"] != "positional" and not each["isOptional"] and each["valueName"] not in given:
                return f"`{' '.join(path)}` needs --{each['valueName']}"
    return None


def default_of(command):
    name = command.get("defaultSubcommand")
    return [each for each in command.get("subcommands", []) if each["commandName"] == name]


def option_of(command, word):
    for argument in command.get("arguments", []):
        for name in argument.get("names", []):
            if ("--" if name["kind"] == "long" else "-") + name["name"] == word:
                return argument
    return None


def invalid_value(argument, value):
    values = argument.get("allValues", [])
    if values and value not in values and not is_placeholder(value):
        return f"it is one of {', '.join(values)}"
    return None


def check_commands(page, blocks, trees, problems):
    """Every command line of the programs in blocks and in the text."""
    def check(command, where, is_whole):
        try:
            simple = words_of(command)
        except ValueError as error:
            if is_whole:
                problems.append(f"{where}: {command}: {error}")
            return
        for words in simple:
            for program in PROGRAMS:
                place = words.index(program) if program in words else None
                if place == 0 or place and (words[:place] == ["sudo"] or "systemd-run" in words[:place]):
                    wrong = invalid(words[place:], trees[program], is_whole)
                    if wrong:
                        problems.append(f"{where}: {' '.join(words)}\n    {wrong}")

    for block in blocks:
        if block.language in DATA:
            continue
        for command, _ in block.parts():
            if block.kind != "output" and any(program in command for program in PROGRAMS):
                check(command, f"{page}:{block.line}", True)
    text = re.sub(r"(?ms)^ *```.*?^ *```", lambda match: "\n" * match[0].count("\n"), text_of(page))
    for match in re.finditer(r"`((?:sudo )?beacon-(?:gateway|matcher) [^`]+)`", text):
        line = text.count("\n", 0, match.start()) + 1
        check(" ".join(match[1].split()), f"{page}:{line}", False)
    arguments = [each for tree in trees.values() for command in commands_below(tree)
                 for each in command.get("arguments", [])]
    known = {name["name"] for each in arguments for name in each.get("names", []) if name["kind"] == "long"}
    known |= options_of_scripts()
    for match in re.finditer(r"`(--[a-z][a-z-]+)[^`]*`", text):
        if match[1][2:] not in known:
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{page}:{line}: no program has an option {match[1]}")


def commands_below(command):
    yield command
    for each in command.get("subcommands", []):
        yield from commands_below(each)


def options_of_scripts():
    """Options of the scripts in deploy, and of other programs that the guide names."""
    # Of bluetoothd, docker, and the benchmark of contacts.
    found = {"experimental", "net", "longest"}
    for path in glob.glob(os.path.join(ROOT, "deploy/**/*"), recursive=True):
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                found.update(re.findall(r"[\"'](?:--)([a-z][a-z-]+)[\"']", file.read()))
    return found


# MARK: What is shown


def check_kinds(page, blocks, problems):
    """That every block says how it is checked, and that the tests exist which are named."""
    for block in blocks:
        where = f"{page}:{block.line}"
        if not block.kind and block.language not in DATA:
            problems.append(f"{where}: no comment says how this block is checked: <!-- example: ... -->")
        if block.kind == "tested":
            match = re.fullmatch(r"(\S+) \"(.+)\"", block.value)
            path = os.path.join(ROOT, match[1]) if match else ""
            if not match or not os.path.exists(path):
                problems.append(f"{where}: {block.value}: there is no such file")
                continue
            source = text_of(match[1])
            if f"\"{match[2]}\"" not in source and f"`{match[2]}`" not in source:
                problems.append(f"{where}: {match[1]} has no test \"{match[2]}\"")


class Session:
    """The commands of one page."""

    def __init__(self, page, programs):
        self.page = page
        self.directory = tempfile.mkdtemp(prefix="examples-")
        self.servers = []
        self.printed = ""
        # users.py writes the machine's file of users if it isn't told another.
        wrapper = os.path.join(self.directory, "bin/users.py")
        os.mkdir(os.path.dirname(wrapper))
        with open(wrapper, "w", encoding="utf-8") as file:
            users = f"{ROOT}/deploy/mosquitto/users.py --file {self.directory}/users.json --keep-owner"
            file.write(f'#!/bin/sh\nexec {users} "$@"\n')
        os.chmod(wrapper, 0o755)
        self.environment = {
            **os.environ, "PATH": f"{self.directory}/bin:{programs}:{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": self.directory, "COLUMNS": "80",
        }
        for name in ("NO_COLOR", "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY"):
            self.environment.pop(name, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            os.killpg(server.pid, signal.SIGTERM)
        for server in self.servers:
            try:
                server.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()
        shutil.rmtree(self.directory)

    def own(self, text):
        """Text with this session's directory instead of /tmp."""
        return re.sub(r"(?<![\w.])/tmp/", self.directory + "/", text)

    def shown(self, text):
        return text.replace(self.directory + "/", "/tmp/").replace(self.directory, "/tmp")

    def write(self, name, lines):
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.own("\n".join(lines) + "\n"))

    def copy(self, command):
        """Copies the directories below Tests that a command names."""
        for name in re.findall(r"(?<![\w/])(Tests/[\w/.-]+)", command):
            source = os.path.dirname(name)
            target = os.path.join(self.directory, source)
            if os.path.exists(target):
                continue
            os.makedirs(target)
            for each in os.listdir(os.path.join(ROOT, source)):
                path = os.path.join(ROOT, source, each)
                if os.path.isfile(path):
                    shutil.copy(path, target)
                    if each.endswith(".toml"):
                        self.write(os.path.join(source, each), text_of(os.path.join(source, each)).split("\n")[:-1])

    def serve(self, command):
        log = open(os.path.join(self.directory, ".served"), "ab")
        self.copy(command)
        self.servers.append(subprocess.Popen(
            ["bash", "-c", "exec " + self.own(command)], cwd=self.directory, env=self.environment,
            stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True))
        # What it links is there once it runs.
        for path in re.findall(r"--link (\S+)", self.own(command)):
            deadline = time.monotonic() + SECONDS
            while not os.path.exists(path) and time.monotonic() < deadline:
                time.sleep(0.02)

    @staticmethod
    def await_prompt(process, output):
        """Waits until a command has printed a line that isn't ended."""
        deadline = time.monotonic() + SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            size = os.fstat(output).st_size
            if size and os.pread(output, 1, size - 1) not in b"\r\n":
                return
            time.sleep(0.02)

    def run(self, command, typed=None, columns=None):
        """Runs a command, and returns its status and what it printed."""
        self.copy(command)
        words = ["bash", "-c", self.own(command)]
        if columns:
            inner = f"stty cols {columns} rows 50; {words[2]}"
            words = ["script", "--quiet", "--return", "--command", inner, "/dev/null"]
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                words, cwd=self.directory, env=self.environment,
                stdin=subprocess.PIPE if typed else subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
            try:
                if typed:
                    self.await_prompt(process, output.fileno())
                process.communicate((typed + "\n").encode() if typed else None, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return 124, f"it was ended after {SECONDS} s"
            output.seek(0)
            printed = output.read().decode(errors="replace")
            if columns:
                printed = screen(printed)
            return process.returncode, self.shown(printed)


def matches(shown, printed):
    """Whether lines are those that are shown; a shown `...` stands for any lines."""
    possible = {0}
    for line in shown:
        following = set()
        if line.strip() == "...":
            following = set(range(min(possible), len(printed) + 1))
        else:
            following = {place + 1 for place in possible if place < len(printed) and printed[place] == line}
        if not following:
            return False
        possible = following
    return len(printed) in possible


def comparable(lines, varying):
    """Lines with a sign for each match of what varies, without spaces at their ends and without empty lines around."""
    lines = [line.rstrip() for line in lines]
    for pattern in varying:
        lines = [re.sub(pattern, "*", line) for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def compare(block, command, shown, printed, problems):
    varying = block.all("varies")
    one, other = comparable(shown, varying), comparable(printed.split("\n"), varying)
    if not matches(one, other):
        problems.append("\n".join([
            f"{block.page}:{block.line}: {command} prints something else", "    shown:",
            *(f"    | {line}" for line in one), "    printed:", *(f"    | {line}" for line in other)]))


def screen(text):
    """What stands on a terminal at the end: the programs go up some lines and write them again."""
    lines, row = [""], 0
    for piece in re.split(r"(\x1b\[[0-9;?]*[A-Za-z]|\r\n|\n|\r)", text):
        if up := re.fullmatch(r"\x1b\[(\d*)A", piece):
            row = max(0, row - int(up[1] or 1))
            lines[row:] = [""]
        elif piece in ("\r\n", "\n"):
            row += 1
            lines.append("")
        elif piece != "\r" and not piece.startswith("\x1b"):
            lines[row] += piece
    return "\n".join(lines)


def capture_of(beacon, power):
    """A capture (btsnoop, HCI H4) of an iBeacon that says -59 dBm at 1 m, with a mean RSSI in dBm."""
    name, major, minor = beacon.split("/")
    payload = bytes.fromhex(name.replace("-", "")) + struct.pack(">HHb", int(major), int(minor), -59)
    data = bytes.fromhex("0201061aff4c000215") + payload
    packets = [b"btsnoop\0" + struct.pack(">II", 1, 1002)]
    # Microseconds since the year 0; 2020-11-15T12:00:00Z.
    start = 0x00DCDDB30F2F8000 + 1_605_441_600_000_000
    noise = random.Random(beacon)
    for index in range(250):
        rssi = power + round(noise.gauss(0, 3))
        event = bytes.fromhex("020103015544332211c0") + bytes([len(data)]) + data + struct.pack("b", rssi)
        packet = b"\x04\x3e" + bytes([len(event)]) + event
        packets.append(struct.pack(">IIIIQ", len(packet), len(packet), 3, 0, start + index * 100_000) + packet)
    return b"".join(packets)


def run_page(page, blocks, programs, problems):
    """Runs the commands of a page."""
    runnable = [block for block in blocks if block.kind in ("run", "file", "output")]
    if not any(block.kind == "run" for block in runnable):
        return
    with Session(page, programs) as session:
        for block in runnable:
            where = f"{page}:{block.line}"
            if block.kind == "file":
                session.write(block.value, block.lines)
                continue
            for command in block.all("prepare"):
                status, printed = session.run(command)
                if status != 0:
                    problems.append(f"{where}: {command} ended with {status}: {printed}")
            for command in block.all("serve"):
                session.serve(command)
            for capture in block.all("capture"):
                name, beacon, power = capture.split()
                with open(os.path.join(session.directory, name), "wb") as file:
                    file.write(capture_of(beacon, int(power)))
            if block.kind == "output":
                compare(block, "the block before", block.lines, session.printed, problems)
                continue
            session.printed = ""
            parts = block.parts()
            expected = [0] * (len(parts) - 1) + [int((block.all("status") or ["0"])[0])]
            for (command, shown), wanted in zip(parts, expected):
                status, printed = session.run(
                    command, (block.all("input") or [None])[0], (block.all("terminal") or [None])[0])
                session.printed += printed
                if status != wanted:
                    problems.append(f"{where}: {command} ended with {status} instead of {wanted}:\n{printed}")
                elif shown is not None:
                    compare(block, command, shown, printed, problems)


def pages():
    found = [path for pattern in ("*.md", "docs/**/*.md", "deploy/**/*.md", "firmware-scripts/**/*.md",
                                  "Sources/**/*.md", "Tests/**/*.md")
             for path in glob.glob(pattern, root_dir=ROOT, recursive=True)]
    return sorted(set(found))


def has_examples(page):
    return page == "README.md" or page.startswith("docs/guide/") and page != GENERATED


def main(options):
    problems = []
    chosen = [os.path.relpath(os.path.abspath(page), ROOT) for page in options.pages] or pages()
    trees = {}
    if not options.no_programs:
        try:
            trees = {program: tree_of(options.programs, program) for program in PROGRAMS}
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            print(f"error: the programs don't describe their commands: {error}\n"
                  "  what to do: build them with `swift build`", file=sys.stderr)
            return UNAVAILABLE
    for page in chosen:
        if ".docc/" not in page:
            check_links(page, problems)
        if has_examples(page):
            blocks = blocks_of(page, problems)
            check_kinds(page, blocks, problems)
            if trees:
                check_commands(page, blocks, trees, problems)
                run_page(page, blocks, os.path.abspath(options.programs), problems)
    for problem in problems:
        print(f"error: {problem}")
    if problems:
        print(f"{len(problems)} problems; scripts/check-examples.py --help describes the comments", file=sys.stderr)
    return FAILED if problems else 0


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="pages to check (default: all)")
    parser.add_argument("--no-programs", action="store_true", help="check only what needs no programs")
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
