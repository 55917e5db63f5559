extension ContractSchemas {
    static let presence = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Presence",
          "description": "Whether a beacon is here now, for dashboards and home automation. An empty message says that the beacon is forgotten. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["present", "boot", "since", "lastSeenAt"],
          "properties": {
            "present": { "type": ["boolean", "null"], "description": "Whether it is here; null when nobody knows, because the gateway was deaf or stopped." },
            "boot": { "$ref": "#/$defs/boot", "description": "The run of the gateway that says so. When status has another boot or isn't online, nobody knows." },
            "since": { "$ref": "#/$defs/time", "description": "When its latest interaction began; of several receivers that hear it, the first." },
            "lastSeenAt": { "$ref": "#/$defs/time", "description": "When it was heard last." },
            "proximity": { "$ref": "#/$defs/proximity", "description": "How near, in the words of Apple's CLProximity. Only while it is present." },
            "distance": { "$ref": "#/$defs/distance", "description": "From the nearest receiver, see ear. Only while it is present, and left out while it isn't known." },
            "ear": { "$ref": "#/$defs/level", "description": "The remote ear that it is nearest to. Only while it is present, and left out when that is the gateway itself." }
          },
          "$defs": {
        \#(ContractDefinitions.list(ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.proximity, ContractDefinitions.distance, ContractDefinitions.level))
          }
        }

        """#
}
