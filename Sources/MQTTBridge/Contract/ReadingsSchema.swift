extension ContractSchemas {
    static let readings = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Readings record",
          "description": "What one receiver heard of everybody whom it follows, in one interval of the clock (30 s to 2 min, configured; by default a minute): a CloudEvent 1.0 in structured JSON. It comes for every interval, also when nobody was heard. More than 500 subjects are in several records of the same interval, boot and time, each complete by itself, with different subjects. A gateway that is stopped gives what it has of the interval, and its next boot the rest: counts and seconds of different boots add up. Records may come more than once and, after an outage, late. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["specversion", "id", "source", "type", "time", "datacontenttype", "data"],
          "properties": {
        \#(ContractDefinitions.eventAttributes),
            "type": { "const": "readings", "description": "What kind of record it is." },
            "data": { "$ref": "#/$defs/readings" }
          },
          "$defs": {
            "readings": {
              "title": "Readings",
              "description": "How long the receiver listened, and whom it heard.",
              "type": "object",
              "required": ["place", "boot", "sequence", "startedAt", "endedAt", "listenedSeconds", "subjects", "historical", "clock"],
              "properties": {
                "place": { "$ref": "#/$defs/place" },
        \#(ContractDefinitions.numbering),
                "startedAt": { "$ref": "#/$defs/time", "description": "When the interval began: a whole number of intervals since midnight, UTC." },
                "endedAt": { "$ref": "#/$defs/time", "description": "When it ended: always an interval after startedAt." },
                "listenedSeconds": { "$ref": "#/$defs/seconds", "description": "Seconds of the interval in which at least one adapter listened, to a tenth, as far as it is known. With 0 the receiver was deaf; near the interval's length, whoever isn't in the record wasn't heard." },
                "adapters": {
                  "description": "The adapters that there were. Left out of a remote ear.",
                  "type": "array",
                  "items": { "$ref": "#/$defs/adapter" }
                },
                "subjects": {
                  "description": "Who was heard, in a fixed order; empty when nobody was. At most 500 subjects.",
                  "type": "array",
                  "items": { "$ref": "#/$defs/group" }
                }
              }
            },
            "adapter": {
              "title": "Adapter",
              "description": "How long one adapter listened.",
              "type": "object",
              "required": ["name", "listenedSeconds"],
              "properties": {
                "name": { "type": "string", "description": "The number that it has: hci0." },
                "listenedSeconds": { "$ref": "#/$defs/seconds", "description": "Seconds of the interval in which it listened, to a tenth." }
              }
            },
            "group": {
              "title": "Group",
              "description": "Beacons of one UUID and major number, or phones of one kind. minors or ids, counts and rssi have the same length, and what is at the same place in them is about the same subject.",
              "type": "object",
              "required": ["kind", "counts", "rssi"],
              "properties": {
                "kind": {
                  "description": "beacon, or the contact-tracing protocol by which phones are heard.",
                  "type": "string",
                  "enum": ["beacon", "exposure-notification", "ble-proximity", "further", "c19x", "herald"]
                },
                "uuid": { "$ref": "#/$defs/uuid", "description": "The proximity UUID of all of them, in lower case. Only of beacons." },
                "major": { "$ref": "#/$defs/number16", "description": "The major number of all of them, 0 to 65535. Only of beacons." },
                "minors": {
                  "description": "The minor number of each. Only of beacons.",
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 500,
                  "items": { "$ref": "#/$defs/number16" }
                },
                "ids": {
                  "description": "The pseudonym of each, as in interaction records of the day (UTC) of startedAt. Only of phones.",
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 500,
                  "items": { "type": "string", "pattern": "^[0-9a-f]{32}$", "description": "32 hexadecimal digits." }
                },
                "counts": {
                  "description": "How many advertisements of each were received; 9999 stands for so many or more.",
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 500,
                  "items": { "type": "integer", "minimum": 1, "maximum": 9999, "description": "Advertisements." }
                },
                "rssi": {
                  "description": "The mean received signal strength of each in dBm, to a tenth, as the adapters say it: no receiver's offset is subtracted. null where no advertisement carried a plausible one.",
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 500,
                  "items": { "type": ["number", "null"], "minimum": -127, "maximum": 20, "description": "dBm." }
                }
              },
              "if": { "properties": { "kind": { "const": "beacon" } } },
              "then": { "required": ["uuid", "major", "minors"], "properties": { "ids": false } },
              "else": { "required": ["ids"], "properties": { "uuid": false, "major": false, "minors": false } }
            },
            "seconds": { "type": "number", "minimum": 0, "maximum": 120, "description": "Seconds." },
        \#(ContractDefinitions.list(ContractDefinitions.beacon, ContractDefinitions.place, ContractDefinitions.clock, ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.uuid, ContractDefinitions.level, ContractDefinitions.number16))
          }
        }

        """#
}
