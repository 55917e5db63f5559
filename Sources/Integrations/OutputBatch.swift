package import RecordContract

/// Messages to be published.
package struct OutputBatch: Equatable, Sendable {
    /// Messages for the gateway's own connection.
    package var gateway: [MQTTMessage] = []
    /// Messages for the connection whose will is Homie's, in this order.
    package var homie: [MQTTMessage] = []
    /// Retained topics that are published again although nothing has changed.
    package var again: Set<String> = []

    package init(gateway: [MQTTMessage] = [], homie: [MQTTMessage] = [], again: Set<String> = []) {
        self.gateway = gateway
        self.homie = homie
        self.again = again
    }

    package var isEmpty: Bool { self == OutputBatch() }

    static func + (left: OutputBatch, right: OutputBatch) -> OutputBatch {
        OutputBatch(
            gateway: left.gateway + right.gateway, homie: left.homie + right.homie, again: left.again.union(right.again)
        )
    }
}
