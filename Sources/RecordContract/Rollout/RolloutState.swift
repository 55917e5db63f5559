package import BeaconModel

/// The message on the topic `configuration`: which configuration a gateway uses, and how it does with it.
package struct RolloutState: Codable, Equatable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The gateway uses its own file.
        case local
        /// The gateway tries a configuration, and returns to the one before unless it is confirmed.
        case trial
        /// The gateway uses a configuration that was confirmed.
        case accepted
        /// The gateway has returned to the configuration before the last trial.
        case returned
    }

    /// A configuration that a gateway did not keep.
    package struct Returned: Codable, Equatable, Sendable {
        package var revision: ConfigurationRevision
        package var digest: ConfigurationDigest

        package init(revision: ConfigurationRevision, digest: ConfigurationDigest) {
            self.revision = revision
            self.digest = digest
        }
    }

    /// The version of the message.
    package var schema = "1.0"
    /// Time of the message, in RFC 3339.
    package var time: String
    package var boot: UInt64
    /// The program's version.
    package var version: String
    package var state: State
    /// The revision in use; `nil` for the gateway's own file.
    package var revision: ConfigurationRevision?
    /// The configuration in use.
    package var digest: ConfigurationDigest
    /// Time since which the state holds, in RFC 3339.
    package var since: String
    /// In a trial: when it ends, in RFC 3339, by the gateway's clock.
    package var until: String?
    /// After a return: the configuration that was not kept.
    package var returned: Returned?
    /// After a return: why, as a sentence.
    package var reason: String?
    /// Whether the gateway obeys `configure`. Without a key for commands, or if its own file forbids it, it does not.
    package var obeys: Bool
    /// Whether the gateway receives, stores and delivers.
    package var works: Bool
    /// What does not work, as a sentence.
    package var problem: String?

    package init(
        time: Timestamp, boot: UInt64, version: String, state: State, revision: ConfigurationRevision? = nil,
        digest: ConfigurationDigest, since: Timestamp, until: Timestamp? = nil, returned: Returned? = nil,
        reason: String? = nil, obeys: Bool, works: Bool, problem: String? = nil
    ) {
        self.time = time.rfc3339
        self.boot = boot
        self.version = version
        self.state = state
        self.revision = revision
        self.digest = digest
        self.since = since.rfc3339
        self.until = until?.rfc3339
        self.returned = returned
        self.reason = reason
        self.obeys = obeys
        self.works = works
        self.problem = problem
    }

    /// Returns the payload as published.
    ///
    /// - Parameter key: the gateway's signing key; `nil` leaves the message unsigned.
    package func encoded(key: SigningKey?) -> [UInt8] {
        let message = JSON.encode(self)
        return key.map { MessageTag.adding(to: message, key: $0, for: .configuration) } ?? message
    }

    /// Maximum length of a message that is read, in bytes.
    package static let longest = 16_384

    /// Reads a payload, whose members can be more than those of this version.
    package init?(_ payload: [UInt8]) {
        guard payload.count <= Self.longest, let state = try? JSON.decode(RolloutState.self, from: payload) else {
            return nil
        }
        self = state
    }
}
