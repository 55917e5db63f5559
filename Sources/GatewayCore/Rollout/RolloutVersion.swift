package import RecordContract

/// A configuration that came from afar, by its name and its contents.
package struct RolloutVersion: Codable, Equatable, Sendable {
    package var revision: ConfigurationRevision
    package var digest: ConfigurationDigest

    package init(revision: ConfigurationRevision, digest: ConfigurationDigest) {
        self.revision = revision
        self.digest = digest
    }

    /// The version in few characters, for people.
    package var short: String { "revision \(revision.short) (\(digest.short))" }
}

/// A configuration that came from afar, with its text.
package struct RolloutDocument: Equatable, Sendable {
    package var version: RolloutVersion
    package var text: String

    package init(version: RolloutVersion, text: String) {
        self.version = version
        self.text = text
    }
}
