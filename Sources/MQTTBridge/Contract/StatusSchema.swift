extension ContractSchemas {
    static let status = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Status",
          "description": "Whether the gateway is there, and whether it hears. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["boot", "state"],
          "properties": {
            "boot": { "$ref": "#/$defs/boot" },
            "state": {
              "description": "online; stopping: it said good-bye; lost: the broker says so in its place (the will).",
              "type": "string",
              "enum": ["online", "stopping", "lost"]
            },
            "time": { "$ref": "#/$defs/time", "description": "When it was said. Left out of lost, which was written in advance." },
            "radio": { "$ref": "#/$defs/hearing", "description": "While online: the best of the adapters; off while none has been opened." },
            "adapters": {
              "description": "While online: how each adapter is.",
              "type": "array",
              "items": { "$ref": "#/$defs/adapter" }
            }
          },
          "allOf": [
            {
              "if": { "properties": { "state": { "const": "online" } } },
              "then": { "required": ["time", "radio", "adapters"] }
            },
            {
              "if": { "properties": { "state": { "const": "stopping" } } },
              "then": { "required": ["time"] }
            }
          ],
          "$defs": {
            "adapter": {
              "title": "Adapter",
              "description": "How one adapter is.",
              "type": "object",
              "required": ["name", "state"],
              "properties": {
                "name": { "type": "string", "description": "As the configuration names it: by number or by address." },
                "adapter": { "type": "string", "description": "The number that it has now, or had last: hci0. Left out of one that was never there." },
                "state": { "$ref": "#/$defs/radioCondition" },
                "reason": { "$ref": "#/$defs/radioReason", "description": "Why it is deaf. Only with deaf." },
                "error": { "type": "string", "description": "The reason in a sentence. Only with deaf." },
                "since": { "$ref": "#/$defs/time", "description": "Since when it is so." }
              }
            },
        \#(ContractDefinitions.list(ContractDefinitions.hearing, ContractDefinitions.radioCondition, ContractDefinitions.radioReason, ContractDefinitions.boot, ContractDefinitions.time))
          }
        }

        """#
}
