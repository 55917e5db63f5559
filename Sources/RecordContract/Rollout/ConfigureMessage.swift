package import BeaconModel

/// The command `configure`: a gateway tries a configuration, and keeps it only if `confirm` follows in time.
package struct ConfigureMessage: Encodable, Equatable, Sendable {
    /// Name of the command, and last level of its topic.
    package static let command = "configure"
    /// Maximum length of a configuration in bytes.
    package static let longestConfiguration = 65_536
    /// Maximum length of the command in bytes: the configuration with each of its bytes escaped, and the rest.
    package static let longest = 2 * longestConfiguration + 4096
    /// Duration of a trial in seconds.
    package static let trials = 10...3600
    package static let defaultTrial = 300

    package var correlation: String
    /// Time of the command, in RFC 3339.
    package var at: String
    package var revision: ConfigurationRevision
    package var digest: ConfigurationDigest
    /// The whole configuration, in TOML.
    package var configuration: String
    /// Seconds from the start with the configuration until the gateway returns to the one before.
    package var trial: Int

    package init(
        revision: ConfigurationRevision, configuration: String, trial: Int = defaultTrial, correlation: String,
        at time: Timestamp
    ) {
        self.correlation = correlation
        at = time.rfc3339
        self.revision = revision
        digest = ConfigurationDigest(of: Array(configuration.utf8))
        self.configuration = configuration
        self.trial = trial
    }

    /// Returns the message to publish.
    ///
    /// - Parameters:
    ///   - topic: the topic of the command, including its name. A tag is valid only there.
    ///   - key: the gateway's key for commands. Without one no gateway obeys.
    package func encoded(for topic: String, key: SigningKey) -> [UInt8] {
        MessageTag.adding(to: JSON.encode(self), key: key, for: .command(topic: topic))
    }
}
