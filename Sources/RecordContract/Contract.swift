/// A message type below a gateway's root, as documented for other systems: its topic, how it is published, and the
/// schema of its payload.
package struct Contract: Sendable {
    /// The version of the contract, the same for all message types and a level of every topic.
    package static let version = 1
    /// The revision within the version. It increases when something is added, or guaranteed more narrowly;
    /// asyncapi.yaml lists the changes of each revision.
    package static let revision = 5

    /// Name of the schema, and of the channel in the AsyncAPI document.
    package let name: String
    /// A summary in one line.
    package let summary: String
    /// The topic below the gateway's root, with parameters in braces.
    package let address: String
    package let isRetained: Bool
    package let qualityOfService: MQTTMessage.QualityOfService
    package let sender: Sender
    /// Whether an empty message is published too, which clears the retained one.
    package let canBeForgotten: Bool
    /// The JSON Schema, draft 2020-12.
    package let schema: String

    package enum Sender: String, Sendable {
        case gateway
        /// A program that stores what gateways publish.
        case consumer
        /// A program or person that gives commands.
        case `operator`
    }

    private init(
        _ name: String, _ address: String, isRetained: Bool = false,
        qualityOfService: MQTTMessage.QualityOfService = .atLeastOnce, sender: Sender = .gateway,
        canBeForgotten: Bool = false, summary: String, schema: [UInt8]
    ) {
        self.name = name
        self.address = address
        self.isRetained = isRetained
        self.qualityOfService = qualityOfService
        self.sender = sender
        self.canBeForgotten = canBeForgotten
        self.summary = summary
        self.schema = String(decoding: schema, as: UTF8.self)
    }

    private static let beacon = "beacon/{uuid}/{major}/{minor}/"

    /// All message types in the order in which they are documented.
    package static let all: [Contract] = [
        Contract(
            "interaction", beacon + "interaction", summary: "A subject near a beacon: start, end and distance",
            schema: PackageResources.interaction_schema_json),
        Contract(
            "readings", "readings",
            summary: "What the gateway received from each subject in a minute, and for how long it listened",
            schema: PackageResources.readings_schema_json),
        Contract(
            "signals", "signals", qualityOfService: .atMostOnce,
            summary: "What the gateway received from each subject in a second",
            schema: PackageResources.signals_schema_json),
        Contract(
            "social-distance", beacon + "social-distance", summary: "Two badges that are too close to each other",
            schema: PackageResources.social_distance_schema_json),
        Contract(
            "presence", beacon + "presence", isRetained: true, canBeForgotten: true,
            summary: "Whether a beacon is present", schema: PackageResources.presence_schema_json),
        Contract(
            "module-event", "module/{module}/event", summary: "A module failed or recovered",
            schema: PackageResources.module_event_schema_json),
        Contract(
            "module-state", "module/{module}/state", isRetained: true, canBeForgotten: true,
            summary: "A module's specified and actual advertising, and its errors",
            schema: PackageResources.module_state_schema_json),
        Contract(
            "status", "status", isRetained: true, summary: "Whether the gateway is online, and whether it receives",
            schema: PackageResources.status_schema_json),
        Contract(
            "info", "info", isRetained: true, summary: "Properties and equipment of the gateway",
            schema: PackageResources.info_schema_json),
        Contract(
            "health", "health", qualityOfService: .atMostOnce, summary: "State of the gateway, every 30 s",
            schema: PackageResources.health_schema_json),
        Contract(
            "configuration", "configuration", isRetained: true,
            summary: "Which configuration the gateway uses, and how it does with it",
            schema: PackageResources.configuration_schema_json),
        Contract(
            "stored", "stored", isRetained: true, sender: .consumer,
            summary: "The record up to which the consumer has stored everything",
            schema: PackageResources.stored_schema_json),
        Contract(
            "command", "command/{command}", sender: .operator, summary: "A command for the gateway",
            schema: PackageResources.command_schema_json),
        Contract(
            "reply", "reply/{name}", summary: "The result of a command", schema: PackageResources.reply_schema_json),
    ]

    /// Names of the available commands.
    package static let commands = ["provision", "identify", "reset", "rescan", "configure", "confirm"]

    package static func named(_ name: String) -> Contract? { all.first { $0.name == name } }

    /// The AsyncAPI document of all message types. It refers to the schemas as files next to it.
    package static let asyncAPI = String(decoding: PackageResources.asyncapi_yaml, as: UTF8.self)

    /// The files in docs/ that are generated from the contract, with paths relative to docs/.
    package static var files: [(path: String, text: String)] {
        [("asyncapi.yaml", asyncAPI)] + all.map { ("schemas/\($0.name).schema.json", $0.schema) }
    }
}
