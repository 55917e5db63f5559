package import BeaconModel

/// A command to a gateway, as an operator publishes it.
package struct CommandMessage: Encodable, Equatable, Sendable {
    package var module: String?
    package var adapter: String?
    /// Returned with the reply. The gateway obeys a signed command only if it is new.
    package var correlation: String
    /// Time of the command, in RFC 3339.
    package var at: String

    package init(module: String? = nil, adapter: String? = nil, correlation: String, at time: Timestamp) {
        self.module = module
        self.adapter = adapter
        self.correlation = correlation
        at = time.rfc3339
    }

    /// Returns the message to publish.
    ///
    /// - Parameters:
    ///   - topic: the topic of the command, including its name. A tag is valid only there.
    ///   - key: the gateway's key for commands; `nil` leaves the command unsigned.
    package func encoded(for topic: String, key: SigningKey?) -> [UInt8] {
        let message = JSON.encode(self)
        return key.map { MessageTag.adding(to: message, key: $0, for: .command(topic: topic)) } ?? message
    }
}
