extension ContractSchemas {
    static let moduleEvent = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Module event record",
          "description": "A module no longer does what the inventory says, or does so again: a CloudEvent 1.0 in structured JSON. Records may come more than once and, after an outage, late. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["specversion", "id", "source", "type", "time", "datacontenttype", "data"],
          "properties": {
        \#(ContractDefinitions.eventAttributes),
            "type": {
              "description": "Whether the module failed, or is well again.",
              "type": "string",
              "enum": ["module.failed", "module.recovered"]
            },
            "data": { "$ref": "#/$defs/module" }
          },
          "allOf": [
            {
              "if": { "properties": { "type": { "const": "module.failed" } } },
              "then": { "properties": { "data": { "required": ["error"] } } }
            }
          ],
          "$defs": {
            "module": {
              "title": "Module",
              "description": "Which module, what became of it, and what to do.",
              "type": "object",
              "required": ["module", "beacon", "place", "boot", "sequence", "state", "historical", "clock"],
              "properties": {
                "module": { "$ref": "#/$defs/level", "description": "Its name in the inventory, as in the topic." },
                "port": { "type": "string", "description": "The serial port that it is at, or was last. Left out while none is known." },
                "beacon": { "$ref": "#/$defs/beacon", "description": "What it should advertise." },
                "place": { "$ref": "#/$defs/place", "description": "Where the gateway is." },
        \#(ContractDefinitions.numbering),
                "state": { "$ref": "#/$defs/moduleCondition" },
                "error": { "type": "string", "description": "What happened, in one sentence; always with module.failed." },
                "remedy": { "type": "string", "description": "What a person can do about it. Left out when there is nothing to do." }
              }
            },
        \#(ContractDefinitions.list(ContractDefinitions.beacon, ContractDefinitions.place, ContractDefinitions.moduleCondition, ContractDefinitions.clock, ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.uuid, ContractDefinitions.level, ContractDefinitions.number16))
          }
        }

        """#
}
