extension ContractSchemas {
    static let info = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Info",
          "description": "The gateway's birth certificate: what it is and what it has. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["version", "boot", "startedAt", "adapters", "modules", "otherPorts", "schemas"],
          "properties": {
            "version": { "type": "string", "description": "The program's version.", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+" },
            "boot": { "$ref": "#/$defs/boot" },
            "startedAt": { "$ref": "#/$defs/time", "description": "When this run began." },
            "adapters": {
              "description": "Its Bluetooth adapters.",
              "type": "array",
              "items": {
                "description": "A Bluetooth adapter.",
                "type": "object",
                "required": ["name", "scan"],
                "properties": {
                  "name": { "type": "string", "description": "As the configuration names it." },
                  "scan": { "type": "string", "enum": ["legacy", "extended", "off"], "description": "The scan commands in use, or off." }
                }
              }
            },
            "modules": {
              "description": "The modules of its inventory.",
              "type": "array",
              "items": {
                "description": "A module of the inventory; its state topic says more.",
                "type": "object",
                "required": ["name", "port", "beacon", "state"],
                "properties": {
                  "name": { "$ref": "#/$defs/level", "description": "As in the topics of the module." },
                  "port": { "type": "string", "description": "Where it is plugged in, or what the inventory says it is." },
                  "beacon": { "type": "string", "pattern": "^[0-9a-f-]{36}/[0-9]+/[0-9]+$", "description": "What it should advertise: uuid/major/minor." },
                  "state": { "$ref": "#/$defs/moduleCondition" },
                  "firmware": { "type": "string", "description": "The version of its firmware. Left out while it isn't known." },
                  "error": { "type": "string", "description": "What is wrong, in one sentence. Left out when nothing is." }
                }
              }
            },
            "otherPorts": {
              "description": "Serial ports whose module has no row of the inventory, or doesn't say who it is.",
              "type": "array",
              "items": {
                "description": "A serial port without a module of the inventory.",
                "type": "object",
                "required": ["port", "error"],
                "properties": {
                  "port": { "type": "string", "description": "The port's name." },
                  "address": { "type": "string", "pattern": "^([0-9A-F]{2}:){5}[0-9A-F]{2}$", "description": "The Bluetooth address of the module there. Left out while it isn't known." },
                  "error": { "type": "string", "description": "What is wrong, in one sentence." },
                  "remedy": { "type": "string", "description": "What a person can do about it. Left out when there is nothing to do." }
                }
              }
            },
            "sessionTakenOver": {
              "description": "Another client has this gateway's client identifier, as two gateways of one name have, and took its session at the broker. Left out while that hasn't happened in this run.",
              "type": "object",
              "required": ["times", "lastAt", "certain"],
              "properties": {
                "times": { "type": "integer", "minimum": 1, "description": "How often, since the start." },
                "lastAt": { "$ref": "#/$defs/time", "description": "When it was noticed last." },
                "certain": { "type": "boolean", "description": "Whether the broker said so, which takes MQTT 5. Otherwise it is concluded from connections that the broker closed one after the other." }
              }
            },
            "schemas": {
              "description": "The versions of the contract that this gateway's messages follow, by name of the schema. New names may be added.",
              "type": "object",
              "additionalProperties": { "type": "string", "pattern": "^[0-9]+$", "description": "A version." }
            }
          },
          "$defs": {
        \#(ContractDefinitions.list(ContractDefinitions.moduleCondition, ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.level))
          }
        }

        """#
}
