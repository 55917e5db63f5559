#!/usr/bin/python3
"""Whether validate.py and compare.py see what they are there for: each mistake is planted, alone."""

import collections
import copy
import json
import os
import sys
import unittest

import compare
import contract
import validate

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CHANNELS = contract.channels(os.path.join(ROOT, "docs"))
VALIDATORS = {name: contract.validator(channel.schema) for name, channel in CHANNELS.items()}
TOP = "beacons/v1/s/b/1/g/"
BEACON = TOP + "beacon/e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/1/"

with open(os.path.join(ROOT, "Tests/GatewayTests/Golden/visit.jsonl"), encoding="utf-8") as golden:
    ALL_RECORDS = [json.loads(line) for line in golden]
RECORDS = [record for record in ALL_RECORDS if record["type"] != "readings"]
with open(os.path.join(ROOT, "Tests/Contract/examples/readings.jsonl"), encoding="utf-8") as examples:
    READINGS = [record for record in ALL_RECORDS if record["type"] == "readings"]
    READINGS += [json.loads(line) for line in examples]
with open(os.path.join(ROOT, "Tests/Contract/examples/signals.jsonl"), encoding="utf-8") as examples:
    SIGNALS = [json.loads(line) for line in examples]


def found(topic, payload, retained=0, qos=1):
    text = payload if isinstance(payload, str) else json.dumps(payload)
    return validate.problems(f"{retained} {qos} {topic} {text}", CHANNELS, VALIDATORS, collections.Counter())


class Validation(unittest.TestCase):
    def test_right_messages_pass(self):
        for record in RECORDS:
            self.assertEqual(found(BEACON + "interaction", record), [])
        for record in READINGS:
            self.assertEqual(found(TOP + "readings", record), [])
        for message in SIGNALS:
            self.assertEqual(found(TOP + "signals", message, qos=0), [])
        self.assertEqual(found(TOP + "stored", {"boot": 3, "sequence": 120}, retained=1), [])
        self.assertEqual(found(TOP + "command/reset", {"module": "m0", "correlation": 7}), [])
        self.assertEqual(found(BEACON + "presence", "", retained=1), [])

    def test_what_the_golden_records_have_not_passes_too(self):
        failed = dict(copy.deepcopy(RECORDS[0]), type="module.failed")
        data = failed["data"]
        failed["data"] = {key: data[key] for key in ["beacon", "place", "boot", "sequence", "historical", "clock"]} | {
            "module": "m0", "port": "/dev/ttyUSB0", "state": "failed", "error": "it answers nothing", "remedy": "replug it"}
        topic = TOP + "module/m0/event"
        self.assertEqual(found(topic, failed), [])
        recovered = copy.deepcopy(failed)
        recovered["type"] = "module.recovered"
        del recovered["data"]["error"], recovered["data"]["remedy"], recovered["data"]["port"]
        self.assertEqual(found(topic, recovered), [])
        del failed["data"]["error"]
        self.assertIn("'error' is a required property", found(topic, failed)[0])
        outbox = {
            "records": 0, "bytes": 0, "capacityBytes": 256000000, "oldestAgeSeconds": None, "oldest": None,
            "secondsLeft": None, "waitingForConsumer": 0, "evicted": {"updated": 0, "started": 0, "ended": 0},
            "expired": 0, "refused": 0, "damaged": 0, "trouble": None}
        health = {
            "boot": 1, "time": RECORDS[0]["time"], "radio": "hearing", "radios": [], "reports": 1, "reportsPerSecond": 0.1,
            "kinds": {"ibeacon": 1}, "drops": {}, "outbox": outbox, "cpuSeconds": 0.1, "residentBytes": 1}
        self.assertEqual(found(TOP + "health", health, qos=0), [])
        outbox.update(oldestAgeSeconds=3.5, oldest={"boot": 1, "sequence": 7}, secondsLeft=60, trouble="the disk is full")
        self.assertEqual(found(TOP + "health", health, qos=0), [])
        outbox["oldest"]["further"] = 1
        self.assertNotEqual(found(TOP + "health", health, qos=0), [])

    def test_planted_mistakes_are_found(self):
        def without(*path):
            def change(record):
                for key in path[:-1]:
                    record = record[key]
                del record[path[-1]]
            return change

        def to(value, *path):
            def change(record):
                for key in path[:-1]:
                    record = record[key]
                record[path[-1]] = value
            return change

        mistakes = {
            "missing member": without("id"), "missing member below": without("data", "boot"),
            "wrong type": to("4", "data", "samples"), "null": to(None, "data", "distance"),
            "unknown member": to(1, "further"), "unknown member below": to(1, "data", "place", "further"),
            "unknown type": to("interaction.paused", "type"), "out of range": to(1.2, "data", "probabilityWithin", "3m"),
            "no such day": to("2026-02-30T09:00:00.000Z", "time"), "no milliseconds": to("2026-02-01T09:00:00Z", "time"),
            "upper case": to("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "data", "beacon", "uuid"),
            "an end at the start": to("departed", "data", "endReason"), "not a whole number": to(1.5, "data", "sequence"),
            "65536": to(65536, "data", "beacon", "minor"),
        }
        for name, change in mistakes.items():
            with self.subTest(name):
                record = copy.deepcopy(RECORDS[0])
                change(record)
                self.assertNotEqual(found(BEACON + "interaction", record), [])
        ended = copy.deepcopy(RECORDS[-1])
        self.assertEqual(ended["type"], "interaction.ended")
        del ended["data"]["endReason"]
        self.assertNotEqual(found(BEACON + "interaction", ended), [])

    def test_mistakes_in_readings_are_found(self):
        def change(name, value):
            def planted(data):
                if name in data:
                    data[name] = value
                else:
                    data["subjects"][0][name] = value
            return planted

        right = next(record for record in READINGS if len(record["data"]["subjects"]) > 2)
        first = right["data"]["subjects"][0]
        mistakes = {
            "a column is shorter": change("counts", first["counts"][:-1]),
            "a mean is missing": change("rssi", first["rssi"][1:]),
            "more names than counts": change("minors", first["minors"] + [1]),
            "nobody's count": change("counts", [0] * len(first["counts"])),
            "too great a count": change("counts", [10000] * len(first["counts"])),
            "a beacon with pseudonyms": change("ids", ["0" * 32]), "a phone with minors": change("kind", "herald"),
            "longer than any interval": change("listenedSeconds", 121), "nothing of all": lambda data: data.pop("subjects"),
            "longer than this interval": change("listenedSeconds", 60.1),
            "a subject twice": lambda data: data["subjects"].append(copy.deepcopy(first)),
            "too many": lambda data: data["subjects"].append(
                {"kind": "herald", "ids": [f"{number:032x}" for number in range(500)], "counts": [1] * 500,
                 "rssi": [None] * 500}),
        }
        for name, planted in mistakes.items():
            with self.subTest(name):
                record = copy.deepcopy(right)
                planted(record["data"])
                self.assertNotEqual(found(TOP + "readings", record), [])

    def test_mistakes_in_signals_are_found(self):
        first = SIGNALS[0]["subjects"][0]
        mistakes = {
            "no number": lambda data: data.pop("number"), "number 0": lambda data: data.update(number=0),
            "no place": lambda data: data.pop("place"), "longer than a second": lambda data: data.update(listenedSeconds=1.1),
            "not a whole second": lambda data: data.update(time="2020-11-15T12:00:00.500Z"),
            "deaf with subjects": lambda data: data.update(listenedSeconds=0),
            "a column is shorter": lambda data: data["subjects"][0]["counts"].pop(),
            "a subject twice": lambda data: data["subjects"].append(copy.deepcopy(first)),
            "a member that is not there": lambda data: data.update(sequence=1),
        }
        for name, planted in mistakes.items():
            with self.subTest(name):
                message = copy.deepcopy(SIGNALS[0])
                planted(message)
                self.assertNotEqual(found(TOP + "signals", message, qos=0), [])
        self.assertNotEqual(found(TOP + "signals", SIGNALS[0], qos=1), [])
        self.assertNotEqual(found(TOP + "signals", SIGNALS[0], qos=0, retained=1), [])

    def test_wrong_topics_qos_retain_and_payloads_are_found(self):
        record = RECORDS[0]
        for topic in [TOP + "interaction", BEACON + "interactions", BEACON.upper() + "interaction", TOP + "command/dance",
                      "beacons/v2/s/b/1/g/status", "beacons/v1/s/b/1/g//status"]:
            self.assertIn("matches 0 channels", found(topic, record)[0])
        self.assertIn("QoS", found(BEACON + "interaction", record, qos=0)[0])
        self.assertIn("retained", found(BEACON + "interaction", record, retained=1)[0])
        self.assertIn("empty", found(BEACON + "interaction", "")[0])
        self.assertIn("no JSON", found(BEACON + "interaction", "{")[0])
        self.assertIn("twice", found(TOP + "stored", '{"boot":1,"boot":2,"sequence":1}', retained=1)[0])
        self.assertEqual(validate.problems("nonsense", CHANNELS, VALIDATORS, {}), ["no captured message"])


class Documentation(unittest.TestCase):
    def test_every_member_is_described_and_every_schema_has_a_title(self):
        def undescribed(root, node, path):
            if isinstance(node, dict):
                for name, member in node.get("properties", {}).items():
                    if isinstance(member, dict) and "type" in node:
                        if "description" not in member and "description" not in compare.resolved(root, member):
                            yield f"{path}/{name}"
                for key, value in node.items():
                    yield from undescribed(root, value, f"{path}/{key}")
            elif isinstance(node, list):
                for index, value in enumerate(node):
                    yield from undescribed(root, value, f"{path}/{index}")

        for name, channel in CHANNELS.items():
            self.assertEqual(list(undescribed(channel.schema, channel.schema, name)), [])
            self.assertTrue(channel.schema["title"] and channel.schema["description"])


SCHEMA = {
    "type": "object", "required": ["kind", "name"],
    "properties": {
        "kind": {"enum": ["a", "b"]}, "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9},
        "power": {"$ref": "#/$defs/power"}, "list": {"type": "array", "minItems": 1, "items": {"type": "string"}},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        "fixed": {"const": 1}, "none": {"type": ["string", "null"]},
    },
    "if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["power"]},
    "$defs": {"power": {"type": "integer", "minimum": -127, "maximum": 20}},
}


def changed(change):
    schema = copy.deepcopy(SCHEMA)
    change(schema)
    return schema


def set_(value, *path):
    def change(schema):
        for key in path[:-1]:
            schema = schema[key]
        schema[path[-1]] = value
    return change


def remove(*path):
    def change(schema):
        for key in path[:-1]:
            schema = schema[key]
        del schema[path[-1]]
    return change


class Compatibility(unittest.TestCase):
    # Each makes more values possible: a break of what is sent, and none of what is received.
    WIDENINGS = {
        "a member is no longer required": set_(["kind"], "required"),
        "nothing is required": remove("required"),
        "a type is wider": set_(["string", "null"], "properties", "name", "type"),
        "any type": remove("properties", "none", "type"),
        "a whole number becomes a number": set_("number", "$defs", "power", "type"),
        "another value": set_(["a", "b", "c"], "properties", "kind", "enum"),
        "any value": remove("properties", "kind", "enum"),
        "a constant is one of two": set_({"enum": [1, 2]}, "properties", "fixed"),
        "no pattern": remove("properties", "name", "pattern"),
        "a lower minimum": set_(-128, "$defs", "power", "minimum"),
        "a higher maximum": set_(21, "$defs", "power", "maximum"),
        "no maximum": remove("$defs", "power", "maximum"),
        "longer": set_(10, "properties", "name", "maxLength"),
        "fewer": set_(0, "properties", "list", "minItems"),
        "wider items": set_(["string", "integer"], "properties", "list", "items", "type"),
        "any items": remove("properties", "list", "items"),
        "wider values of a map": set_("number", "properties", "counts", "additionalProperties", "type"),
        "no condition": lambda schema: (schema.pop("if"), schema.pop("then")),
    }
    # The other way round.
    NARROWINGS = {
        "another member is required": set_(["kind", "name", "list"], "required"),
        "a narrower type": set_("string", "properties", "none", "type"),
        "fewer values": set_(["a"], "properties", "kind", "enum"),
        "a higher minimum": set_(-100, "$defs", "power", "minimum"),
        "a new limit": set_(5, "properties", "list", "maxItems"),
        "a new pattern": set_("^x", "properties", "none", "pattern"),
        "shorter": set_(8, "properties", "name", "maxLength"),
    }
    # Nobody can go on.
    CHANGES = {
        "another type": set_("integer", "properties", "name", "type"),
        "another pattern": set_("^[a-z0-9]+$", "properties", "name", "pattern"),
        "a documented member is gone": remove("properties", "power"),
        "other values": set_(["a", "c"], "properties", "kind", "enum"),
        "another constant": set_({"const": 2}, "properties", "fixed"),
    }
    HARMLESS = {
        "the same": lambda schema: None,
        "a new optional member": set_({"type": "string"}, "properties", "further"),
        "another description": set_("Other words.", "description"),
        "a definition has another name": lambda schema: (
            schema["$defs"].update(dBm=schema["$defs"].pop("power")),
            schema["properties"].update(power={"$ref": "#/$defs/dBm"})),
    }

    def assert_breaks(self, change, is_sent, expected, name):
        with self.subTest(name, is_sent=is_sent):
            found = compare.Comparison(SCHEMA, changed(change), is_sent).run()
            self.assertEqual(bool(found), expected, found)

    def test_what_can_be_sent_must_not_grow_and_what_is_taken_must_not_shrink(self):
        for name, change in self.WIDENINGS.items():
            self.assert_breaks(change, True, True, name)
            self.assert_breaks(change, False, False, name)
        for name, change in self.NARROWINGS.items():
            self.assert_breaks(change, True, False, name)
            self.assert_breaks(change, False, True, name)

    def test_changes_break_both_and_additions_none(self):
        for is_sent in [True, False]:
            for name, change in self.CHANGES.items():
                self.assert_breaks(change, is_sent, True, name)
            for name, change in self.HARMLESS.items():
                self.assert_breaks(change, is_sent, False, name)

    def test_topics_are_kept(self):
        def broken(name, change, count=1):
            new = copy.deepcopy(CHANNELS)
            change(new)
            with self.subTest(name):
                self.assertEqual(len(compare.breaks(CHANNELS, new)), count, compare.breaks(CHANNELS, new))

        broken("gone", lambda new: new.pop("status"))
        broken("address", lambda new: setattr(new["status"], "address", "{prefix}/v1/status"))
        broken("QoS", lambda new: setattr(new["interaction"], "qos", 0))
        broken("retain", lambda new: setattr(new["presence"], "retain", False))
        broken("direction", lambda new: setattr(new["stored"], "action", "send"))
        broken("a level", lambda new: new["status"].parameters["site"].update({"x-pattern": ".+"}), len(CHANNELS))
        broken("a command", lambda new: new["command"].parameters["command"]["enum"].remove("reset"))
        broken("empty", lambda new: setattr(new["status"], "can_be_empty", True))
        added = dict(CHANNELS, further=CHANNELS["status"])
        self.assertEqual(compare.breaks(CHANNELS, added), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
