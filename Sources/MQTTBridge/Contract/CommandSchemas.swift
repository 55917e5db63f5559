extension ContractSchemas {
    static let stored = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Stored",
          "description": "Written by the consumer: it has stored all records of the gateway up to this one.",
          "type": "object",
          "required": ["boot", "sequence"],
          "properties": {
            "boot": { "$ref": "#/$defs/boot", "description": "The boot of the record; all records of earlier boots are stored too." },
            "sequence": { "type": "integer", "minimum": 0, "description": "The record's number in that boot; 0 when none of that boot is stored yet." }
          },
          "$defs": {
        \#(ContractDefinitions.list(ContractDefinitions.boot))
          }
        }

        """#

    static let command = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Command",
          "description": "Written by an operator; the topic says which command it is. An empty message is as good as {}. At most 4096 bytes; a member that isn't known is refused. With MQTT 5 the reply goes to the response topic, with the correlation data, if that topic is outside of <prefix>/v1 (or below the gateway's own reply/), has no wildcard and at most 200 bytes; else to reply/<name>. A command with a correlation that comes again within 60 s, with the same name and contents, isn't carried out again: its reply is. A gateway with commands.key-file obeys only what has correlation, at and tag, each once; `beacon-gateway sign-command` makes such commands. 10 commands a minute are carried out, 5 at once, unless it is configured otherwise.",
          "type": "object",
          "properties": {
            "module": { "$ref": "#/$defs/level", "description": "The module's name in the inventory. Left out: all modules, or the whole gateway, where the command allows it." },
            "adapter": { "type": "string", "pattern": "^(hci[0-9]+|[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5})$", "description": "Of rescan: the adapter, hci0 or an address. Left out: all." },
            "correlation": { "type": ["string", "integer"], "maxLength": 128, "description": "Handed back with the reply, as a string. A signed command needs one that no other has." },
            "at": { "type": "string", "format": "date-time", "description": "When a signed command was said, in RFC 3339: at most 120 s before the gateway's clock and 5 s ahead of it, and more than 5 s after the gateway was started." },
            "tag": \#(ContractDefinitions.tag)
          },
          "$defs": {
        \#(ContractDefinitions.list(ContractDefinitions.level))
          }
        }

        """#

    static let reply = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Reply",
          "description": "The answer to a command. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["command", "correlation", "ok", "text"],
          "properties": {
            "command": { "$ref": "#/$defs/level", "description": "The command's name, as in its topic, whether there is such a command or not." },
            "module": { "type": "string", "description": "The module that was named. Left out when none was." },
            "adapter": { "type": "string", "description": "The adapter that was named. Left out when none was." },
            "correlation": { "type": "string", "maxLength": 128, "description": "The command's; empty when it had none or wasn't understood." },
            "ok": { "type": "boolean", "description": "Whether it was done." },
            "text": { "type": "string", "description": "What was done, or why it wasn't, in one sentence." }
          },
          "$defs": {
        \#(ContractDefinitions.list(ContractDefinitions.level))
          }
        }

        """#
}
