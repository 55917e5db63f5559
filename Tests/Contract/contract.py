"""The contract in docs/: channels of the AsyncAPI document, and the schemas of their payloads."""

import datetime
import json
import os
import re

import yaml
from jsonschema import Draft202012Validator, FormatChecker


class Channel:
    """A topic of the contract, and how it is published."""

    def __init__(self, name, address, parameters, qos, retain, action, can_be_empty, schema):
        self.name = name
        self.address = address
        self.parameters = parameters
        self.qos = qos
        self.retain = retain
        self.action = action
        self.can_be_empty = can_be_empty
        self.schema = schema
        self.pattern = re.compile(
            "".join(
                "(?:" + self._pattern(part[1:-1]) + ")" if part.startswith("{") else re.escape(part)
                for part in re.split(r"(\{[a-z]+\})", address)
            )
        )

    def _pattern(self, parameter):
        described = self.parameters[parameter]
        if "enum" in described:
            return "|".join(map(re.escape, described["enum"]))
        return described["x-pattern"]

    def matches(self, topic):
        return self.pattern.fullmatch(topic) is not None


def channels(directory):
    """The channels of `directory`/asyncapi.yaml, by name."""
    with open(os.path.join(directory, "asyncapi.yaml"), encoding="utf-8") as file:
        document = yaml.safe_load(file)
    operations = {}
    for operation in document["operations"].values():
        operations[operation["channel"]["$ref"].rsplit("/", 1)[1]] = operation
    result = {}
    for name, channel in document["channels"].items():
        parameters = {
            parameter: resolve(document, described) for parameter, described in channel["parameters"].items()
        }
        (message,) = channel["messages"].values()
        payload = resolve(document, message)["payload"]
        with open(os.path.join(directory, payload["schema"]["$ref"]), encoding="utf-8") as file:
            schema = json.load(file)
        Draft202012Validator.check_schema(schema)
        mqtt = operations[name]["bindings"]["mqtt"]
        result[name] = Channel(
            name, channel["address"], parameters, mqtt["qos"], mqtt["retain"], operations[name]["action"],
            channel.get("x-can-be-empty", False), schema)
    return result


def resolve(document, node):
    """What a reference within the document stands for."""
    while "$ref" in node:
        target = document
        for key in node["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        node = target
    return node


def strict(schema):
    """The schema for ourselves: a member that isn't described is a mistake."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: strict(value) for key, value in schema.items()}
    types = schema.get("type", [])
    # Conditions (`if`) have properties without a type: they look at an object that is described elsewhere.
    if "object" in ([types] if isinstance(types, str) else types) and "additionalProperties" not in schema:
        result["additionalProperties"] = False
    return result


FORMATS = FormatChecker(formats=["uuid"])


@FORMATS.checks("date-time", raises=ValueError)
def is_time(value):
    """Debian's jsonschema checks no date-time without further packages."""
    return not isinstance(value, str) or datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) is not None


def validator(schema):
    """Checks payloads strictly."""
    return Draft202012Validator(strict(schema), format_checker=FORMATS)
