extension ContractSchemas {
    static let interaction = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Interaction record",
          "description": "Who was near which beacon, from when to when, how near, and how sure that is: a CloudEvent 1.0 in structured JSON. An interaction has one started, any number of updated and one ended record, of which each says all that is known. Records may come more than once and, after an outage, late. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["specversion", "id", "source", "type", "time", "datacontenttype", "data"],
          "properties": {
        \#(ContractDefinitions.eventAttributes),
            "type": {
              "description": "Whether the interaction began, goes on, or is over.",
              "type": "string",
              "enum": ["interaction.started", "interaction.updated", "interaction.ended"]
            },
            "data": { "$ref": "#/$defs/interaction" }
          },
          "allOf": [
            {
              "if": { "properties": { "type": { "const": "interaction.ended" } } },
              "then": { "properties": { "data": { "required": ["endedAt", "endReason"] } } },
              "else": { "properties": { "data": { "properties": { "endedAt": false, "endReason": false } } } }
            }
          ],
          "$defs": {
            "interaction": {
              "title": "Interaction",
              "description": "An interval in which a beacon and a counterpart were near each other, as far as it is known.",
              "type": "object",
              "required": ["beacon", "counterpart", "place", "interaction", "boot", "sequence", "connectedAt", "startedAt", "lastSeenAt", "samples", "proximity", "clProximity", "expectedMinutesWithin", "reception", "historical", "clock"],
              "properties": {
                "beacon": { "$ref": "#/$defs/beacon", "description": "The beacon that the gateway heard; for a phone, the gateway's own." },
                "counterpart": { "$ref": "#/$defs/counterpart" },
                "place": { "$ref": "#/$defs/place" },
                "interaction": { "$ref": "#/$defs/interactionID", "description": "The same in all records of one interaction." },
                "continues": { "$ref": "#/$defs/interactionID", "description": "The interaction before, when a long one was cut after 30 minutes, or the gateway was stopped and started." },
        \#(ContractDefinitions.numbering),
                "connectedAt": { "$ref": "#/$defs/time", "description": "When the subject came, in however many parts the time since was recorded." },
                "disconnectedAt": { "$ref": "#/$defs/time", "description": "When the subject had gone; only with departed and lost, because a gateway that stops doesn't know." },
                "startedAt": { "$ref": "#/$defs/time", "description": "When this interaction began." },
                "lastSeenAt": { "$ref": "#/$defs/time", "description": "When the subject was heard last." },
                "endedAt": { "$ref": "#/$defs/time", "description": "When this interaction ended; in ended only." },
                "endReason": {
                  "description": "In ended only. departed: silent for longer than somebody who is still there would be. lost: the gateway was deaf. shutdown: the gateway was stopped. continued: closed for its length, another interaction names this one in continues.",
                  "type": "string",
                  "enum": ["departed", "lost", "shutdown", "continued"]
                },
                "samples": { "type": "integer", "minimum": 1, "description": "Advertisements received from the subject in this interaction." },
                "rssi": {
                  "description": "Received signal strength over the whole interaction, in dBm. Left out while no advertisement carried a plausible one.",
                  "type": "object",
                  "required": ["median", "min", "max"],
                  "properties": {
                    "median": { "$ref": "#/$defs/dBm", "description": "dBm." },
                    "min": { "$ref": "#/$defs/dBm", "description": "dBm." },
                    "max": { "$ref": "#/$defs/dBm", "description": "dBm." }
                  }
                },
                "distance": { "$ref": "#/$defs/distance", "description": "Between the two: where the counterpart is now, or, in ended, where it was over the whole interaction. Left out while it isn't known." },
                "proximity": { "$ref": "#/$defs/proximity" },
                "clProximity": { "type": "integer", "enum": [0, 1, 2, 3], "description": "The number that CLProximity gives proximity: unknown 0, immediate 1, near 2, far 3." },
                "probabilityWithin": { "$ref": "#/$defs/probabilities" },
                "expectedMinutesWithin": { "$ref": "#/$defs/minutes" },
                "reception": { "$ref": "#/$defs/reception" }
              }
            },
            "counterpart": {
              "title": "Counterpart",
              "description": "The other party.",
              "type": "object",
              "required": ["kind", "id"],
              "properties": {
                "kind": {
                  "description": "gateway: this gateway itself; the others are the contact-tracing protocols by which phones are heard.",
                  "type": "string",
                  "enum": ["gateway", "exposure-notification", "ble-proximity", "further", "c19x", "herald"]
                },
                "id": {
                  "description": "The gateway's <site>/<building>/<floor>/<gateway>, with /<ear> for a remote ear; or a phone's pseudonym, 32 hexadecimal digits that are the same for all gateways of a site on one day (UTC).",
                  "type": "string",
                  "pattern": "^([a-z0-9-]+(/[a-z0-9-]+){3,4}|[0-9a-f]{32})$"
                }
              }
            },
            "interactionID": {
              "description": "<site>/<building>/<floor>/<gateway>/<boot>/i<number>; of a remote ear <site>/<building>/<floor>/<gateway>/<ear>/<boot>/i<number>.",
              "type": "string",
              "pattern": "^[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+(/[a-z0-9-]+)?/[0-9]+/i[0-9]+$"
            },
            "dBm": { "type": "integer", "minimum": -127, "maximum": 20, "description": "Received signal strength, in dBm." },
            "probabilities": {
              "title": "Probabilities",
              "description": "That the distance is at most so much. Left out while the distance isn't known.",
              "type": "object",
              "required": ["3m", "6m"],
              "properties": {
                "3m": { "type": "number", "minimum": 0, "maximum": 1, "description": "Probability of at most 3 m, 0 to 1." },
                "6m": { "type": "number", "minimum": 0, "maximum": 1, "description": "Probability of at most 6 m, 0 to 1." }
              }
            },
            "minutes": {
              "title": "Expected minutes",
              "description": "How long the two were so near, by the probability of each moment; it grows over the interaction.",
              "type": "object",
              "required": ["3m", "6m"],
              "properties": {
                "3m": { "type": "number", "minimum": 0, "description": "Minutes within 3 m." },
                "6m": { "type": "number", "minimum": 0, "description": "Minutes within 6 m." }
              }
            },
            "reception": {
              "title": "Reception",
              "description": "How regularly the subject is heard.",
              "type": "object",
              "required": ["silenceSeconds"],
              "properties": {
                "intervalSeconds": { "type": "number", "minimum": 0, "description": "Mean time between its advertisements, in seconds. Left out while it isn't known." },
                "heardShare": { "type": "number", "minimum": 0, "maximum": 1, "description": "The share of them that is heard. Left out while it isn't known." },
                "silenceSeconds": { "type": "number", "minimum": 0, "description": "After a silence of so many seconds the subject counts as gone." }
              }
            },
        \#(ContractDefinitions.list(ContractDefinitions.beacon, ContractDefinitions.place, ContractDefinitions.distance, ContractDefinitions.proximity, ContractDefinitions.clock, ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.uuid, ContractDefinitions.level, ContractDefinitions.number16))
          }
        }

        """#
}
