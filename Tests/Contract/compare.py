#!/usr/bin/python3
"""Tells what breaks others between two versions of the contract: compare.py OLD NEW

For what a gateway sends, everything that is sent now has to be what the old schema allows: a consumer that was
written against that one goes on. For what it receives, the other way round. New members are no break; a member that
was documented and isn't any more is one. Each break is a line of the output. Exit status: 0 without any, else 1.
"""

import re
import sys

import contract

LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]
UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]
# Not understood, only compared.
OPAQUE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "format", "multipleOf", "uniqueItems",
          "dependentRequired", "propertyNames", "patternProperties", "prefixItems", "contains"]
EVERY_TYPE = {"object", "array", "string", "number", "integer", "boolean", "null"}


def resolved(root, node):
    while isinstance(node, dict) and "$ref" in node:
        target = root
        for key in node["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        node = target
    return {} if node is True else node


def types(node):
    named = node.get("type", sorted(EVERY_TYPE))
    found = set([named] if isinstance(named, str) else named)
    return found | ({"integer"} if "number" in found else set())


def values(node):
    return [node["const"]] if "const" in node else node.get("enum")


class Comparison:
    """Whether every value of `narrow` is one of `wide`, with the members of `old` still documented."""

    def __init__(self, old, new, is_sent):
        self.old, self.new, self.is_sent = old, new, is_sent
        self.breaks = []

    def run(self):
        self.compare(self.old, self.new, "")
        return self.breaks

    def say(self, path, text):
        self.breaks.append(f"{path or '/'}: {text}")

    def compare(self, old, new, path):
        old, new = resolved(self.old, old), resolved(self.new, new)
        if old is False or new is False:
            if old is not new:
                self.say(path, "was forbidden or is now")
            return
        narrow, wide = (new, old) if self.is_sent else (old, new)
        self.compare_values(old, new, path)
        for key in OPAQUE:
            if key in wide and narrow.get(key) != wide[key]:
                self.say(path, f"{key} changed")
        for name in sorted(set(wide.get("required", [])) - set(narrow.get("required", []))):
            self.say(path, f"{name} is " + ("no longer required" if self.is_sent else "required now"))
        for name, before in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                self.say(path, f"{name} is gone")
            else:
                self.compare(before, new["properties"][name], f"{path}/{name}")
        for key in ["items", "additionalProperties"]:
            if key in wide and key not in narrow:
                self.say(path, f"{key} changed")
            elif key in wide and isinstance(wide[key], dict) and isinstance(narrow[key], dict):
                self.compare(old[key], new[key], f"{path}/{key}")
            elif key in wide and wide[key] != narrow[key]:
                self.say(path, f"{key} changed")

    def compare_values(self, old, new, path):
        narrow, wide = (new, old) if self.is_sent else (old, new)
        word = "is possible now" if self.is_sent else "is no longer allowed"
        for name in sorted(types(narrow) - types(wide)):
            self.say(path, f"the type {name} {word}")
        some, all_ = values(narrow), values(wide)
        if all_ is not None:
            if some is None:
                self.say(path, f"any value {word}")
            for value in some or []:
                if value not in all_:
                    self.say(path, f"{value!r} {word}")
        if "pattern" in wide and narrow.get("pattern") != wide["pattern"]:
            if some is None or not all(isinstance(each, str) and re.search(wide["pattern"], each) for each in some):
                self.say(path, "the pattern changed")
        for keys, is_tighter in [(LOWER, lambda one, other: one >= other), (UPPER, lambda one, other: one <= other)]:
            for key in keys:
                if key in wide and some is None and not (key in narrow and is_tighter(narrow[key], wide[key])):
                    self.say(path, f"{key} was {old.get(key)} and is {new.get(key)}")


def breaks(old, new):
    """What breaks others between two sets of channels."""
    found = []
    for name, before in old.items():
        after = new.get(name)
        if after is None:
            found.append(f"{name}: the topic {before.address} is gone")
            continue
        for what in ["address", "qos", "retain", "action"]:
            if getattr(before, what) != getattr(after, what):
                found.append(f"{name}: {what} was {getattr(before, what)} and is {getattr(after, what)}")
        for parameter, described in before.parameters.items():
            now = after.parameters.get(parameter, {})
            if described.get("x-pattern") != now.get("x-pattern"):
                found.append(f"{name}: the levels of {{{parameter}}} changed")
            gone = set(described.get("enum", [])) - set(now.get("enum", []))
            found += [f"{name}: {{{parameter}}} can't be {each} any more" for each in sorted(gone)]
        if after.can_be_empty and not before.can_be_empty:
            found.append(f"{name}: it can be empty now")
        is_sent = before.action == "send"
        found += [name + each for each in Comparison(before.schema, after.schema, is_sent).run()]
    return found


def main(arguments):
    old, new = map(contract.channels, arguments)
    found = breaks(old, new)
    print("\n".join(found) if found else f"nothing that {len(old)} channels promised is broken")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
