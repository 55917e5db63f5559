#!/usr/bin/python3
"""Compares captured messages with the contract: validate.py [--records] DOCS < LINES

A line is what `mosquitto_sub -F '%r %q %t %p' --retain-as-published` prints: 0 or 1 for retained, QoS, topic, payload. With
--records it is a record alone, as `beacon-gateway replay` prints it. Each mistake is a line of the output; the last
line says how many messages of which channel there were. Exit status: 0 when all is as documented, 1 otherwise.
"""

import collections
import datetime
import json
import sys

import contract


def problems(line, channels, validators, seen):
    """What is wrong with a captured line."""
    parts = line.split(" ", 3)
    if len(parts) < 3:
        return ["no captured message"]
    retained, qos, topic = parts[:3]
    payload = parts[3] if len(parts) > 3 else ""
    matching = [channel for channel in channels.values() if channel.matches(topic)]
    if len(matching) != 1:
        names = ", ".join(channel.name for channel in matching)
        return [f"topic {topic} matches {len(matching)} channels {names}".rstrip()]
    (channel,) = matching
    seen[channel.name] += 1
    found = []
    if int(qos) != channel.qos:
        found.append(f"QoS is {qos}, documented is {channel.qos}")
    if (retained == "1") != channel.retain:
        found.append(f"retained is {retained}, documented is {int(channel.retain)}")
    if payload == "":
        return found if channel.can_be_empty else found + ["the payload is empty"]
    return [f"{channel.name}: {each}" for each in found + mistakes(payload, validators[channel.name])]


def mistakes(payload, validator):
    """What is wrong with a payload."""
    try:
        value = json.loads(payload, object_pairs_hook=without_duplicates)
    except ValueError as error:
        return [f"no JSON: {error}"]
    found = [
        "/".join(["", *map(str, error.absolute_path)]) + ": " + error.message[:300]
        for error in validator.iter_errors(value)
    ]
    if found:
        return found
    if value.get("type") == "readings":
        return contradictions(value["data"])
    return contradictions_of_signals(value) if "number" in value and "subjects" in value else []


def contradictions_of_signals(data):
    """What signals may not say although each member is right alone."""
    found = contradictions_of_subjects(data)
    if datetime.datetime.fromisoformat(data["time"]).timestamp() % 1 != 0:
        found.append(f"{data['time']} isn't a whole second")
    if data["subjects"] and data["listenedSeconds"] == 0:
        found.append("received subjects without listening")
    return found


def contradictions_of_subjects(data):
    found = []
    subjects = []
    for group in data["subjects"]:
        names = group.get("minors", group.get("ids"))
        if not len(names) == len(group["counts"]) == len(group["rssi"]):
            found.append("columns of different lengths")
        subjects += [(group["kind"], group.get("uuid"), group.get("major"), name) for name in names]
    if len(subjects) > 500:
        found.append(f"{len(subjects)} subjects, more than 500")
    if len(set(subjects)) < len(subjects):
        found.append("a subject is there twice")
    return found


def contradictions(data):
    """What readings may not say although each member is right alone."""
    found = contradictions_of_subjects(data)
    start, end = (datetime.datetime.fromisoformat(data[name]) for name in ["startedAt", "endedAt"])
    interval = (end - start).total_seconds()
    if interval not in range(30, 121) or start.timestamp() % interval != 0:
        found.append(f"the interval from {data['startedAt']} to {data['endedAt']} isn't one of the clock")
    if any(each["listenedSeconds"] > interval for each in [data, *data.get("adapters", [])]):
        found.append("listened for longer than the interval")
    return found


def without_duplicates(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member is there twice")
    return dict(pairs)


def record_problems(line, validators, seen):
    """What is wrong with a record."""
    try:
        kind = json.loads(line)["type"].rsplit(".", 1)[0]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return [f"no record: {error!r}"]
    name = {"module": "module-event"}.get(kind, kind)
    if name not in validators:
        return [f"no channel for records of the type {kind}"]
    seen[name] += 1
    return [f"{name}: {each}" for each in mistakes(line, validators[name])]


def main(arguments):
    records = arguments[:1] == ["--records"]
    (directory,) = arguments[1:] if records else arguments
    channels = contract.channels(directory)
    validators = {name: contract.validator(channel.schema) for name, channel in channels.items()}
    seen = collections.Counter()
    wrong = 0
    for number, line in enumerate(sys.stdin.read().splitlines(), 1):
        found = record_problems(line, validators, seen) if records else problems(line, channels, validators, seen)
        for problem in found:
            print(f"line {number}: {problem}")
        wrong += bool(found)
    print(f"{wrong} wrong of {sum(seen.values())}: " + ", ".join(f"{name} {seen[name]}" for name in sorted(seen)))
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
