/// The version of this software, the same for all programs.
package enum ProductVersion {
    /// Version number in the form of Semantic Versioning.
    package static let number = "0.2.0"

    /// The version and the commit, as `--version` prints them: `1.2.0 (ef56311)`.
    ///
    /// - Parameter commit: empty where it is not known.
    package static func text(commit: String) -> String { commit.isEmpty ? number : "\(number) (\(commit))" }
}
