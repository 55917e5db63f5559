package import BeaconModel

/// The command `confirm`: a gateway keeps the configuration that it tries.
package struct ConfirmMessage: Encodable, Equatable, Sendable {
    /// Name of the command, and last level of its topic.
    package static let command = "confirm"

    package var correlation: String
    /// Time of the command, in RFC 3339.
    package var at: String
    /// The configuration on trial.
    package var digest: ConfigurationDigest

    package init(digest: ConfigurationDigest, correlation: String, at time: Timestamp) {
        self.correlation = correlation
        at = time.rfc3339
        self.digest = digest
    }

    /// Returns the message to publish; the parameters are those of `ConfigureMessage`.
    package func encoded(for topic: String, key: SigningKey) -> [UInt8] {
        MessageTag.adding(to: JSON.encode(self), key: key, for: .command(topic: topic))
    }
}
