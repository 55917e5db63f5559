/// What is to be published.
public struct OutputBatch: Equatable, Sendable {
    /// By the gateway's own connection.
    public var gateway: [MQTTMessage] = []
    /// By the connection whose will is Homie's, in this order.
    public var homie: [MQTTMessage] = []
    /// Retained topics that are published again although nothing has changed.
    public var again: Set<String> = []

    public init(gateway: [MQTTMessage] = [], homie: [MQTTMessage] = [], again: Set<String> = []) {
        self.gateway = gateway
        self.homie = homie
        self.again = again
    }

    public var isEmpty: Bool { self == OutputBatch() }

    static func + (left: OutputBatch, right: OutputBatch) -> OutputBatch {
        OutputBatch(
            gateway: left.gateway + right.gateway, homie: left.homie + right.homie, again: left.again.union(right.again)
        )
    }
}
