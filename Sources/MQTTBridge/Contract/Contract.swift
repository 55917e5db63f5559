/// What crosses the wire below a gateway's root, as others are told: a topic, how it is published, and the schema of its
/// payload.
public struct Contract: Sendable {
    /// The same for all of them, and a level of every topic.
    public static let version = 1
    /// The revision within the version. It is raised when something is added, or promised more narrowly; `AsyncAPIDocument`
    /// tells what each brought.
    public static let revision = 3

    /// Of the schema, and of the channel of the AsyncAPI document.
    public let name: String
    /// In a line.
    public let summary: String
    /// Below the gateway's root, with parameters in braces.
    public let address: String
    public let isRetained: Bool
    public let qualityOfService: MQTTMessage.QualityOfService
    public let sender: Sender
    /// Whether an empty message is published too: the retained one is forgotten with it.
    public let canBeForgotten: Bool
    /// JSON Schema, draft 2020-12.
    public let schema: String

    public enum Sender: String, Sendable {
        case gateway
        /// Whoever stores what gateways publish.
        case consumer
        /// Whoever gives commands.
        case `operator`
    }

    private init(
        _ name: String, _ address: String, isRetained: Bool = false,
        qualityOfService: MQTTMessage.QualityOfService = .atLeastOnce, sender: Sender = .gateway,
        canBeForgotten: Bool = false, summary: String, schema: String
    ) {
        self.name = name
        self.address = address
        self.isRetained = isRetained
        self.qualityOfService = qualityOfService
        self.sender = sender
        self.canBeForgotten = canBeForgotten
        self.summary = summary
        self.schema = schema
    }

    private static let beacon = "beacon/{uuid}/{major}/{minor}/"

    /// In the order in which they are explained.
    public static let all: [Contract] = [
        Contract(
            "interaction", beacon + "interaction", summary: "Who was near which beacon, from when to when, how near",
            schema: ContractSchemas.interaction),
        Contract(
            "readings", "readings",
            summary: "What the gateway heard of everybody in a minute, and for how long it listened",
            schema: ContractSchemas.readings),
        Contract(
            "social-distance", beacon + "social-distance", summary: "Two badges that are too near each other",
            schema: ContractSchemas.socialDistance),
        Contract(
            "presence", beacon + "presence", isRetained: true, canBeForgotten: true,
            summary: "Whether a beacon is here now", schema: ContractSchemas.presence),
        Contract(
            "module-event", "module/{module}/event", summary: "A module failed, or is well again",
            schema: ContractSchemas.moduleEvent),
        Contract(
            "module-state", "module/{module}/state", isRetained: true, canBeForgotten: true,
            summary: "What a module should advertise, does advertise, and what went wrong",
            schema: ContractSchemas.moduleState),
        Contract(
            "status", "status", isRetained: true, summary: "Whether the gateway is there, and whether it hears",
            schema: ContractSchemas.status),
        Contract(
            "info", "info", isRetained: true, summary: "What the gateway is and has", schema: ContractSchemas.info),
        Contract(
            "health", "health", qualityOfService: .atMostOnce, summary: "How the gateway is, every 30 s",
            schema: ContractSchemas.health),
        Contract(
            "stored", "stored", isRetained: true, sender: .consumer,
            summary: "Up to which record the consumer has stored everything", schema: ContractSchemas.stored),
        Contract(
            "command", "command/{command}", sender: .operator, summary: "What the gateway shall do",
            schema: ContractSchemas.command),
        Contract(
            "reply", "reply/{name}", summary: "What became of a command", schema: ContractSchemas.reply),
    ]

    /// The commands that there are.
    public static let commands = ["provision", "identify", "reset", "rescan"]

    public static func named(_ name: String) -> Contract? { all.first { $0.name == name } }

    /// What is in docs/: paths relative to it.
    public static var files: [(path: String, text: String)] {
        [("asyncapi.yaml", AsyncAPIDocument.text)] + all.map { ("schemas/\($0.name).schema.json", $0.schema) }
    }
}
