/// What several schemas have in common, as members of their `$defs`, indented as they stand there.
enum ContractDefinitions {
    static func list(_ definitions: String...) -> String { definitions.joined(separator: ",\n") }

    static let time = #"""
            "time": {
              "description": "A point in time: RFC 3339, UTC, with milliseconds.",
              "type": "string",
              "format": "date-time",
              "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
            }
        """#

    static let uuid = #"""
            "uuid": {
              "description": "A proximity UUID in lower case.",
              "type": "string",
              "format": "uuid",
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
            }
        """#

    static let level = #"""
            "level": {
              "description": "A level of a topic: a-z, 0-9 and hyphens.",
              "type": "string",
              "pattern": "^[a-z0-9-]+$"
            }
        """#

    static let number16 = #"""
            "number16": {
              "description": "A major or a minor number.",
              "type": "integer",
              "minimum": 0,
              "maximum": 65535
            }
        """#

    static let boot = #"""
            "boot": {
              "description": "Which run of the gateway it is; a later run has a greater number, and no two gateways have the same one. Below 2^53, so that it is exact as a double too.",
              "type": "integer",
              "minimum": 1
            }
        """#

    static let count = #"""
            "count": {
              "description": "A number of things since the gateway's start; it never decreases in one boot.",
              "type": "integer",
              "minimum": 0
            }
        """#

    static let beacon = #"""
            "beacon": {
              "title": "Beacon",
              "description": "The identity of an iBeacon.",
              "type": "object",
              "required": ["uuid", "major", "minor"],
              "properties": {
                "uuid": { "$ref": "#/$defs/uuid", "description": "The proximity UUID, in lower case." },
                "major": { "$ref": "#/$defs/number16", "description": "The major number, 0 to 65535." },
                "minor": { "$ref": "#/$defs/number16", "description": "The minor number, 0 to 65535." }
              }
            }
        """#

    static let place = #"""
            "place": {
              "title": "Place",
              "description": "Where the gateway is.",
              "type": "object",
              "required": ["site", "building", "floor", "gateway"],
              "properties": {
                "site": { "$ref": "#/$defs/level", "description": "The site, as in the topic." },
                "building": { "$ref": "#/$defs/level", "description": "The building, as in the topic." },
                "floor": { "$ref": "#/$defs/level", "description": "The floor, as in the topic." },
                "gateway": { "$ref": "#/$defs/level", "description": "The gateway's name, unique on its floor, as in the topic." },
                "room": { "type": "string", "description": "The room, in the operator's words. Left out when it isn't configured." },
                "position": {
                  "description": "In metres from the origin of the floor's plan. Left out when it isn't configured.",
                  "type": "object",
                  "required": ["x", "y", "z"],
                  "properties": {
                    "x": { "type": "number", "description": "Metres." },
                    "y": { "type": "number", "description": "Metres." },
                    "z": { "type": "number", "description": "Metres, upwards." }
                  }
                },
                "beacon": {
                  "$ref": "#/$defs/beacon",
                  "description": "The gateway's own fixed beacon. Left out when it isn't configured, and of a remote ear."
                },
                "ear": { "$ref": "#/$defs/level", "description": "The remote ear that heard, which is at this room and position. Left out when the gateway itself did." }
              }
            }
        """#

    static let distance = #"""
            "distance": {
              "title": "Distance",
              "description": "A distance with its error, in metres to the centimetre.",
              "type": "object",
              "required": ["metres", "lower", "upper"],
              "properties": {
                "metres": { "type": "number", "minimum": 0, "description": "As likely greater as smaller, in metres." },
                "lower": { "type": "number", "minimum": 0, "description": "Lower end of the 90 % interval, in metres." },
                "upper": { "type": "number", "minimum": 0, "description": "Upper end of the 90 % interval, in metres." }
              }
            }
        """#

    static let proximity = #"""
            "proximity": {
              "description": "How near, in the words of Apple's CLProximity: immediate (to 0.5 m), near (to 3 m), far, or unknown.",
              "type": "string",
              "enum": ["unknown", "immediate", "near", "far"]
            }
        """#

    static let clock = #"""
            "clock": {
              "description": "Whether the gateway's clock was synchronized; the times of one that wasn't may be wrong by any amount.",
              "type": "string",
              "enum": ["synchronized", "unsynchronized"]
            }
        """#

    static let moduleCondition = #"""
            "moduleCondition": {
              "description": "absent: not plugged in. provisioning: it is being made to advertise. advertising: and it is heard. unverified: it says that it advertises, and nobody can hear whether it does. not-heard: others are heard, and it isn't. failed: see error.",
              "type": "string",
              "enum": ["absent", "provisioning", "advertising", "unverified", "not-heard", "failed"]
            }
        """#

    static let radioCondition = #"""
            "radioCondition": {
              "description": "starting: not opened yet. hearing: something was heard in the last seconds. quiet: the controller scans, and nothing is on the air. deaf: what is on the air isn't known.",
              "type": "string",
              "enum": ["starting", "hearing", "quiet", "deaf"]
            }
        """#

    static let radioReason = #"""
            "radioReason": {
              "description": "Why an adapter is deaf.",
              "type": "string",
              "enum": ["removed", "no-such-adapter", "down", "blocked", "not-answering", "hardware-error", "scan-stopped", "silent", "not-permitted", "busy", "no-service", "failed"]
            }
        """#

    static let hearing = #"""
            "hearing": {
              "description": "The best of the adapters: hearing, quiet, deaf, or off while none has been opened.",
              "type": "string",
              "enum": ["off", "hearing", "quiet", "deaf"]
            }
        """#

    static let counts = #"""
            "counts": {
              "description": "How often each has happened since the gateway's start, by name. New names may be added.",
              "type": "object",
              "additionalProperties": { "$ref": "#/$defs/count" }
            }
        """#

    /// Every consumer is told so at the head of each schema.
    static let openness =
        "A consumer has to ignore members that it doesn't know: they may be added without another version."

    /// What a signed message has at its end.
    static let tag = #"""
        { "type": "string", "pattern": "^[A-Za-z0-9_-]{22}$", "description": "Of a signed message: base64url of the first 16 bytes of HMAC-SHA256, by a key of the gateway's own, over the exact bytes of the message without this member, which is its last. Left out where nothing is signed." }
        """#

    /// The attributes of a CloudEvent beside `type` and `data`, as members of `properties`.
    static let eventAttributes = #"""
            "specversion": { "const": "1.0", "description": "The version of CloudEvents." },
            "id": {
              "description": "<site>/<building>/<floor>/<gateway>/<boot>/<sequence>: unique for ever, and the same when the same record comes again. Deduplicate by it.",
              "type": "string",
              "pattern": "^[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+/[0-9]+/[0-9]+$"
            },
            "source": {
              "description": "The gateway: /<site>/<building>/<floor>/<gateway>.",
              "type": "string",
              "pattern": "^/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+$"
            },
            "time": { "$ref": "#/$defs/time", "description": "When it was decided, in the time of the data." },
            "datacontenttype": { "const": "application/json", "description": "Of data." },
            "tag": \#(tag)
        """#

    /// What numbers the records of a gateway, as members of the `properties` of `data`.
    static let numbering = #"""
                "boot": { "$ref": "#/$defs/boot" },
                "sequence": {
                  "description": "Counts the records of this boot, of all types together, from 1 without gaps: a consumer notices a missing one.",
                  "type": "integer",
                  "minimum": 1
                },
                "historical": { "type": "boolean", "description": "Whether the record waited out an outage of the broker: it isn't news." },
                "clock": { "$ref": "#/$defs/clock" }
        """#
}
