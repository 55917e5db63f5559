extension ContractSchemas {
    static let moduleState = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Module state",
          "description": "What a module should advertise, what was applied, whether it is heard, and what went wrong. An empty message says that the module is no longer in the inventory. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["state", "port", "kind", "desired", "heard"],
          "properties": {
            "state": { "$ref": "#/$defs/moduleCondition" },
            "port": { "type": "string", "description": "Where it is plugged in, or what the inventory says it is." },
            "kind": { "type": "string", "enum": ["rs9116", "hm10"], "description": "Which module it is." },
            "room": { "type": "string", "description": "The room of the inventory. Left out when it isn't given." },
            "desired": { "$ref": "#/$defs/advertising", "description": "What the inventory says." },
            "applied": { "$ref": "#/$defs/advertising", "description": "What the module was last told and has confirmed. Left out before." },
            "heard": { "type": "string", "enum": ["heard", "not-heard", "unverified"], "description": "Whether the gateway's adapter hears it; unverified where nobody can say." },
            "rssi": { "type": "integer", "minimum": -127, "maximum": 20, "description": "Received signal strength in dBm, when it was heard first. Left out before." },
            "address": { "type": "string", "pattern": "^([0-9A-F]{2}:){5}[0-9A-F]{2}$", "description": "The module's Bluetooth address. Left out while it isn't known." },
            "firmware": { "type": "string", "description": "The version of its firmware. Left out while it isn't known." },
            "advertisingType": { "type": "integer", "enum": [128, 131], "description": "Of an RS9116 that advertises: 128 connectable, 131 not connectable." },
            "duplicates": { "type": "integer", "minimum": 1, "description": "How many others are heard with the same identity. Left out when there are none." },
            "listening": { "$ref": "#/$defs/listening", "description": "How it listens. Left out for a module that isn't to." },
            "error": { "type": "string", "description": "What is wrong, in one sentence. Left out when nothing is." },
            "remedy": { "type": "string", "description": "What a person can do about it. Left out when there is nothing to do." }
          },
          "$defs": {
            "listening": {
              "title": "Listening",
              "description": "How a module is a receiver of its own.",
              "type": "object",
              "required": ["state", "dropped", "unreadable"],
              "properties": {
                "state": { "type": "string", "enum": ["starting", "listening", "in-turns", "deaf"], "description": "starting: it will be told to, once it advertises. in-turns: it can't advertise meanwhile, so that it listens for some seconds of each minute. deaf: it doesn't listen, or nothing tells that it does." },
                "reason": { "type": "string", "enum": ["refused", "stopped", "unproven"], "description": "Why it is deaf. Only with deaf." },
                "dropped": { "type": "integer", "minimum": 0, "description": "What it reported and was too much, since it was plugged in." },
                "unreadable": { "type": "integer", "minimum": 0, "description": "What it reported and couldn't be read, since it was plugged in." }
              }
            },
            "advertising": {
              "title": "Advertising",
              "description": "An iBeacon and how it is sent.",
              "type": "object",
              "required": ["uuid", "major", "minor", "measuredPower", "intervalMs"],
              "properties": {
                "uuid": { "$ref": "#/$defs/uuid", "description": "The proximity UUID, in lower case." },
                "major": { "$ref": "#/$defs/number16", "description": "The major number, 0 to 65535." },
                "minor": { "$ref": "#/$defs/number16", "description": "The minor number, 0 to 65535." },
                "measuredPower": { "type": "integer", "minimum": -128, "maximum": 127, "description": "RSSI at 1 m that receivers compute distance from, in dBm." },
                "intervalMs": { "type": "number", "minimum": 20, "maximum": 10240, "description": "Time between advertisements, in milliseconds." },
                "transmitPower": { "type": "integer", "minimum": 0, "maximum": 82, "description": "The module's own index of power. Left out for the module's default." }
              }
            },
        \#(ContractDefinitions.list(ContractDefinitions.moduleCondition, ContractDefinitions.uuid, ContractDefinitions.number16))
          }
        }

        """#
}
