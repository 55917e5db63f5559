package import RecordContract

/// The files of a rollout in the state directory.
package enum RolloutFiles {
    /// Their directory, below the state directory.
    package static let directory = "configuration"
    /// Name of the file with the `RolloutRecord`: which configuration is in use.
    package static let record = "rollout.json"
    /// The configuration that was last accepted, in case that the record is damaged.
    package static let accepted = "accepted.json"

    /// Name of the file of a configuration: its contents decide its name, so that a file never changes.
    package static func document(_ digest: ConfigurationDigest) -> String { "\(digest).toml" }

    /// The configuration of a file's name; `nil` for another file.
    package static func digest(of name: String) -> ConfigurationDigest? {
        name.hasSuffix(".toml") ? ConfigurationDigest(String(name.dropLast(".toml".count))) : nil
    }
}
