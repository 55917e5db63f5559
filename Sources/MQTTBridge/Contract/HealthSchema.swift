extension ContractSchemas {
    static let health = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Health",
          "description": "How the gateway is: every 30 s, and when a radio changes or another client takes its session. \#(ContractDefinitions.openness)",
          "type": "object",
          "required": ["boot", "time", "radio", "radios", "reports", "reportsPerSecond", "kinds", "drops", "outbox", "cpuSeconds", "residentBytes"],
          "properties": {
            "boot": { "$ref": "#/$defs/boot" },
            "time": { "$ref": "#/$defs/time", "description": "When it was measured." },
            "radio": { "$ref": "#/$defs/hearing" },
            "radios": {
              "description": "How each adapter is, and what happened to it since the gateway's start.",
              "type": "array",
              "items": { "$ref": "#/$defs/radio" }
            },
            "listeners": {
              "description": "How each module that listens is, and what it heard since the gateway's start. Left out where none is to listen.",
              "type": "array",
              "items": { "$ref": "#/$defs/listener" }
            },
            "ears": {
              "description": "How each remote ear is, and what came from it since the gateway's start. Left out where none is configured.",
              "type": "array",
              "items": { "$ref": "#/$defs/ear" }
            },
            "commands": { "$ref": "#/$defs/commands" },
            "reports": { "$ref": "#/$defs/count", "description": "Advertisements received since the gateway's start." },
            "reportsPerSecond": { "type": "number", "minimum": 0, "description": "Mean since the health message before." },
            "lastReportAgeSeconds": { "type": "number", "minimum": 0, "description": "Seconds since the latest advertisement. Left out before the first." },
            "kinds": { "$ref": "#/$defs/counts", "description": "Advertisements by kind (ibeacon, exposure-notification, ...) since the gateway's start; those of no known kind as unknown and unknown-<company>. New names may be added." },
            "drops": { "$ref": "#/$defs/counts", "description": "Since the gateway's start: advertisements that made no sighting, by defect or as unknown, unlisted, table-full, unconfirmed, new-interaction-rate and strays; subjects that left in one interval with too many others to be in its readings (readings-full); packets that were lost (too-slow); records that were (unpublishable, refused-by-client). New names may be added." },
            "calibration": { "$ref": "#/$defs/calibration" },
            "outbox": { "$ref": "#/$defs/outbox" },
            "pseudonymKey": { "type": "string", "pattern": "^[0-9a-f]{8}$", "description": "Which key names phones, without saying anything of it. Left out where they aren't published, and of gateways before 1.3." },
            "cpuSeconds": { "type": "number", "minimum": 0, "description": "Processor time since the gateway's start, in seconds." },
            "residentBytes": { "type": "integer", "minimum": 0, "description": "Memory in use, in bytes." },
            "tag": \#(ContractDefinitions.tag)
          },
          "$defs": {
            "radio": {
              "title": "Radio",
              "description": "How one adapter is.",
              "type": "object",
              "required": ["name", "state", "faults", "steps"],
              "properties": {
                "name": { "type": "string", "description": "As the configuration names it: by number or by address." },
                "adapter": { "type": "string", "description": "The number that it has now, or had last: hci0. Left out of one that was never there." },
                "path": { "type": "string", "enum": ["raw", "user-channel", "monitor", "dbus"], "description": "By which of the kernel's interfaces it is heard. Left out before it was opened." },
                "state": { "$ref": "#/$defs/radioCondition" },
                "reason": { "$ref": "#/$defs/radioReason", "description": "Why it is deaf. Only with deaf." },
                "error": { "type": "string", "description": "The reason in a sentence. Only with deaf." },
                "faults": { "$ref": "#/$defs/counts", "description": "How often it was deaf, by reason. New names may be added." },
                "steps": { "$ref": "#/$defs/counts", "description": "What was done about it: rearm, bring-up, power-cycle, reopen, give-up. New names may be added." }
              }
            },
            "listener": {
              "title": "Listening module",
              "description": "How one module is that listens.",
              "type": "object",
              "required": ["name", "state", "reports", "readings", "strangers", "dropped", "unreadable", "present"],
              "properties": {
                "name": { "$ref": "#/$defs/level", "description": "Its row of the inventory." },
                "state": { "type": "string", "enum": ["waiting", "hearing", "paused", "offline", "silent"], "description": "waiting: it hasn't begun. paused: it takes turns, and advertises now. offline: it doesn't listen. silent: it isn't known to hear for too long. Neither waiting, offline nor silent is known to hear." },
                "reports": { "$ref": "#/$defs/count", "description": "Advertisements that it reported." },
                "readings": { "$ref": "#/$defs/count", "description": "Those of beacons that are followed." },
                "strangers": { "$ref": "#/$defs/count", "description": "Those of others." },
                "dropped": { "$ref": "#/$defs/count", "description": "Reports that were too many." },
                "unreadable": { "$ref": "#/$defs/count", "description": "Reports that couldn't be read." },
                "present": { "type": "integer", "minimum": 0, "description": "Beacons that are there now." },
                "lastHeardAgeSeconds": { "type": "number", "minimum": 0, "description": "Seconds since it was last known to hear. Left out before." }
              }
            },
            "ear": {
              "title": "Remote ear",
              "description": "How one node is that listens elsewhere.",
              "type": "object",
              "required": ["name", "kind", "state", "messages", "readings", "strangers", "refused", "present"],
              "properties": {
                "name": { "$ref": "#/$defs/level", "description": "As the configuration names it." },
                "kind": { "type": "string", "enum": ["espresense", "openmqttgateway", "theengs"], "description": "Its software." },
                "state": { "type": "string", "enum": ["waiting", "hearing", "offline", "silent", "disconnected"], "description": "waiting: nothing was ever heard of it. offline: it, or the broker for it, says so. silent: it isn't known to hear for too long. disconnected: this gateway has no connection to the broker. In all but hearing it is deaf." },
                "messages": { "$ref": "#/$defs/count", "description": "Messages that came from it." },
                "readings": { "$ref": "#/$defs/count", "description": "Messages about beacons that are followed." },
                "strangers": { "$ref": "#/$defs/count", "description": "Messages about others." },
                "refused": { "$ref": "#/$defs/counts", "description": "Messages that weren't understood (too-long, not-json, no-identity, no-signal-strength, out-of-range, retained, unknown-status) or were too-many. New names may be added." },
                "present": { "type": "integer", "minimum": 0, "description": "Beacons that are there now." },
                "lastMessageAgeSeconds": { "type": "number", "minimum": 0, "description": "Seconds since its latest message. Left out before the first." }
              }
            },
            "commands": {
              "title": "Commands",
              "description": "What became of commands since the gateway's start.",
              "type": "object",
              "required": ["received", "carriedOut", "refused", "tooMany", "repeated"],
              "properties": {
                "received": { "$ref": "#/$defs/count", "description": "Messages on the topics of commands." },
                "carriedOut": { "$ref": "#/$defs/count", "description": "Those that were carried out, or tried." },
                "refused": { "$ref": "#/$defs/count", "description": "Those that weren't understood, or were retained." },
                "tooMany": { "$ref": "#/$defs/count", "description": "Those that were too many." },
                "repeated": { "$ref": "#/$defs/count", "description": "Those that came again, and were only answered again." }
              }
            },
            "calibration": {
              "title": "Calibration",
              "description": "What is learnt from fixed beacons of known distance. Left out where nothing can be learnt.",
              "type": "object",
              "required": ["state", "receiverOffsets", "exponent", "beacons", "rollbacks", "suspects"],
              "properties": {
                "state": { "type": "string", "enum": ["off", "learning", "applied", "rolled-back"], "description": "Whether what was learnt is in use." },
                "receiverOffsets": {
                  "description": "By adapter: how many dB more than it should it reads.",
                  "type": "object",
                  "additionalProperties": { "type": "number", "description": "dB." }
                },
                "exponent": { "type": "number", "description": "The exponent of path loss in use." },
                "beacons": { "type": "integer", "minimum": 0, "description": "Fixed beacons that are heard and whose distance is known." },
                "heldOutError": {
                  "description": "How far off beacons are that the values weren't fitted to. Left out before it was measured.",
                  "type": "object",
                  "required": ["configured", "applied", "configuredFactor", "appliedFactor"],
                  "properties": {
                    "configured": { "type": "number", "minimum": 0, "description": "With the configured values: dB RMS." },
                    "applied": { "type": "number", "minimum": 0, "description": "With the values in use: dB RMS." },
                    "configuredFactor": { "type": "number", "minimum": 1, "description": "The same as a factor of distance: 2 is half or twice." },
                    "appliedFactor": { "type": "number", "minimum": 1, "description": "The same as a factor of distance: 2 is half or twice." }
                  }
                },
                "rollbacks": { "$ref": "#/$defs/count", "description": "How often what was learnt was taken back." },
                "suspects": {
                  "description": "Beacons that are probably not where the inventory says.",
                  "type": "array",
                  "items": { "type": "string", "pattern": "^[0-9a-f-]{36}/[0-9]+/[0-9]+$", "description": "uuid/major/minor." }
                }
              }
            },
            "outbox": {
              "title": "Outbox",
              "description": "The durable queue between records and broker.",
              "type": "object",
              "required": ["records", "bytes", "capacityBytes", "oldestAgeSeconds", "oldest", "secondsLeft", "waitingForConsumer", "evicted", "expired", "refused", "damaged", "trouble"],
              "properties": {
                "records": { "type": "integer", "minimum": 0, "description": "Records in it." },
                "bytes": { "type": "integer", "minimum": 0, "description": "Their size, in bytes." },
                "capacityBytes": { "type": "integer", "minimum": 0, "description": "How much it holds, in bytes." },
                "oldestAgeSeconds": { "type": ["number", "null"], "minimum": 0, "description": "The age of the oldest record, in seconds; null when it is empty." },
                "oldest": {
                  "description": "The oldest record; null when it is empty.",
                  "type": ["object", "null"],
                  "required": ["boot", "sequence"],
                  "properties": {
                    "boot": { "$ref": "#/$defs/boot" },
                    "sequence": { "type": "integer", "minimum": 1, "description": "Its number in that boot." }
                  }
                },
                "last": {
                  "description": "The last record of each of the latest boots that had any, at most four, the present boot at the end: what a consumer lacks up to there hasn't come yet, or never will. Not of gateways before 1.3.",
                  "type": "array",
                  "maxItems": 4,
                  "items": {
                    "type": "object",
                    "required": ["boot", "sequence"],
                    "properties": {
                      "boot": { "$ref": "#/$defs/boot" },
                      "sequence": { "type": "integer", "minimum": 1, "description": "Its number in that boot." }
                    }
                  }
                },
                "secondsLeft": { "type": ["number", "null"], "minimum": 0, "description": "Until it is full if it goes on as it did, in seconds; null when nothing comes in." },
                "waitingForConsumer": { "type": "integer", "minimum": 0, "description": "Records that the broker has acknowledged and that wait for the consumer to store them." },
                "evicted": {
                  "description": "Records that were given up for lack of room, by what they said.",
                  "type": "object",
                  "required": ["updated", "started", "ended"],
                  "properties": {
                    "updated": { "$ref": "#/$defs/count", "description": "Given up first: the next one says the same." },
                    "readings": { "$ref": "#/$defs/count", "description": "Given up when no updated was left. Not of gateways before 1.2." },
                    "started": { "$ref": "#/$defs/count", "description": "Given up when no readings were left." },
                    "ended": { "$ref": "#/$defs/count", "description": "Ends, and failures of modules: given up last." }
                  }
                },
                "expired": { "$ref": "#/$defs/count", "description": "Records that were given up for their age." },
                "refused": { "$ref": "#/$defs/count", "description": "Records that can't be sent to any broker, and were dropped." },
                "damaged": { "$ref": "#/$defs/count", "description": "Records that couldn't be read back from the disk." },
                "trouble": { "type": ["string", "null"], "description": "Why the outbox isn't durable now, or why the broker doesn't take what is offered although it can be reached, in one sentence; null when all is well." }
              }
            },
        \#(ContractDefinitions.list(ContractDefinitions.hearing, ContractDefinitions.radioCondition, ContractDefinitions.radioReason, ContractDefinitions.counts, ContractDefinitions.count, ContractDefinitions.boot, ContractDefinitions.time, ContractDefinitions.level))
          }
        }

        """#
}
