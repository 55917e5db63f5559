extension ContractSchemas {
    static let socialDistance = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Social-distance record",
          "description": "Two badges are, with the configured probability, nearer to each other than the configured distance; or aren't any more: a CloudEvent 1.0 in structured JSON. Records may come more than once and, after an outage, late. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["specversion", "id", "source", "type", "time", "datacontenttype", "data"],
          "properties": {
        \#(ContractDefinitions.eventAttributes),
            "type": {
              "description": "Whether the two came too near each other, or it is over.",
              "type": "string",
              "enum": ["social-distance.started", "social-distance.ended"]
            },
            "data": { "$ref": "#/$defs/alert" }
          },
          "allOf": [
            {
              "if": { "properties": { "type": { "const": "social-distance.ended" } } },
              "then": { "properties": { "data": { "required": ["endedAt", "endReason"] } } },
              "else": { "properties": { "data": { "properties": { "endedAt": false, "endReason": false } } } }
            }
          ],
          "$defs": {
            "alert": {
              "title": "Alert",
              "description": "Two badges that are too near each other.",
              "type": "object",
              "required": ["beacon", "place", "alert", "boot", "sequence", "badges", "startedAt", "distance", "probability", "historical", "clock"],
              "properties": {
                "beacon": { "$ref": "#/$defs/beacon", "description": "The gateway's own, at which they met." },
                "place": { "$ref": "#/$defs/place" },
                "alert": {
                  "description": "The same in both records of one alert: the gateway, its boot, the two badges and since when.",
                  "type": "string",
                  "pattern": "^([a-z0-9-]+/){4}[0-9]+/[0-9a-f-]{36}/[0-9]+/[0-9]+-[0-9a-f-]{36}/[0-9]+/[0-9]+/[0-9TZ:.-]{24}$"
                },
        \#(ContractDefinitions.numbering),
                "badges": {
                  "description": "The two, in the order of their identities.",
                  "type": "array",
                  "minItems": 2,
                  "maxItems": 2,
                  "items": { "$ref": "#/$defs/badge" }
                },
                "startedAt": { "$ref": "#/$defs/time", "description": "Since when they have probably been too near each other." },
                "endedAt": { "$ref": "#/$defs/time", "description": "Until when they were; in ended only." },
                "endReason": {
                  "description": "In ended only. apart: they are probably no longer near each other. departed: one of them has gone. lost: the gateway's clock was set back. shutdown: the gateway was stopped.",
                  "type": "string",
                  "enum": ["apart", "departed", "lost", "shutdown"]
                },
                "distance": { "$ref": "#/$defs/distance", "description": "Between the two, as known by the latest update with both of them." },
                "probability": {
                  "description": "That they were within the configured distance of each other.",
                  "type": "object",
                  "required": ["within", "mean", "peak"],
                  "properties": {
                    "within": { "type": "number", "exclusiveMinimum": 0, "description": "The configured distance, in metres." },
                    "mean": { "type": "number", "minimum": 0, "maximum": 1, "description": "Mean probability since startedAt, 0 to 1." },
                    "peak": { "type": "number", "minimum": 0, "maximum": 1, "description": "Greatest probability since startedAt, 0 to 1." }
                  }
                }
              }
            },
            "badge": {
              "title": "Badge",
              "description": "A badge and how far away from the gateway it is.",
              "type": "object",
              "required": ["uuid", "major", "minor", "distance"],
              "properties": {
                "uuid": { "$ref": "#/$defs/uuid", "description": "The proximity UUID, in lower case." },
                "major": { "$ref": "#/$defs/number16", "description": "The major number, 0 to 65535." },
                "minor": { "$ref": "#/$defs/number16", "description": "The minor number, 0 to 65535." },
                "distance": { "$ref": "#/$defs/distance", "description": "To the gateway." }
              }
            },
        \#(ContractDefinitions.list(ContractDefinitions.beacon, ContractDefinitions.place, ContractDefinitions.distance, ContractDefinitions.clock, ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.uuid, ContractDefinitions.level, ContractDefinitions.number16))
          }
        }

        """#
}
