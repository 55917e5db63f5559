/// The version of this software, the same for all programs.
package enum ProductVersion {
    /// Version number in the form of Semantic Versioning.
    package static let number = "0.1.0"
}
