#!/usr/bin/env python3
"""Checks the udev rules in deploy/udev: their form, and that they name the USB identities that the gateway opens.

udevadm before version 254 cannot verify a file of rules. A rule with a mistake is skipped by udev without a word to the
user.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RULES = "deploy/udev/60-beacon-gateway.rules"
SOURCE = "Sources/ModuleDialogues/SerialPortDescription.swift"

# Keys that compare and keys that assign, of udev(7), as far as these rules use them.
COMPARED = {"ACTION", "SUBSYSTEM", "SUBSYSTEMS", "ATTR", "ATTRS", "ENV", "KERNEL"}
ASSIGNED = {"ENV", "GOTO", "LABEL", "TAG", "GROUP", "MODE", "SYMLINK", "IMPORT"}
WITH_ATTRIBUTE = {"ATTR", "ATTRS", "ENV", "IMPORT"}
PAIR = re.compile(r'([A-Z]+)(\{[^{}"]+\})?(==|!=|\+=|=)"([^"]*)"(?:,\s*|$)')


def pairs(line):
    """The keys, attributes, operators and values of a rule; None if something is left."""
    found, position = [], 0
    while position < len(line):
        match = PAIR.match(line, position)
        if match is None:
            return None
        found.append((match[1], (match[2] or "")[1:-1], match[3], match[4]))
        position = match.end()
    return found


def mistakes():
    """What is wrong with the rules."""
    with open(os.path.join(ROOT, RULES), encoding="utf-8") as file:
        lines = [(number, line.strip()) for number, line in enumerate(file, 1)]
    labels, jumps, identities = {}, [], {"usb": set(), "tty": set()}
    part = "usb"
    for number, line in lines:
        if not line or line.startswith("#"):
            continue
        found = pairs(line)
        if found is None:
            yield f"{RULES}:{number}: cannot be read: {line}"
            continue
        ids = {}
        for key, attribute, operator, value in found:
            allowed = COMPARED if operator in ("==", "!=") else ASSIGNED
            if key not in allowed or bool(attribute) != (key in WITH_ATTRIBUTE):
                yield f"{RULES}:{number}: {key} cannot be used so"
            if key == "LABEL":
                labels[value] = number
                part = "tty" if value.endswith("tty") else part
            if key == "GOTO":
                jumps.append((number, value))
            if attribute in ("idVendor", "idProduct"):
                ids[attribute] = value
            if key == "SYMLINK" and value != "beacon/$env{ID_SERIAL_SHORT}":
                yield f"{RULES}:{number}: a name that a device can choose freely: {value}"
        if ids:
            identities[part].add(f"{ids.get('idVendor')}:{ids.get('idProduct')}")
    for number, label in jumps:
        if labels.get(label, 0) <= number:
            yield f"{RULES}:{number}: no label {label} follows"
    with open(os.path.join(ROOT, SOURCE), encoding="utf-8") as file:
        text = file.read()
    known = set(re.findall(r'"([0-9a-f]{4}:[0-9a-f]{4})"', text[text.index("ofModules"):].split("]")[0]))
    for name, listed in identities.items():
        if listed != known:
            yield f"{RULES}: {name} differs from USBIdentity.ofModules in {SOURCE}: {sorted(listed ^ known)}"


def main():
    found = list(mistakes())
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
