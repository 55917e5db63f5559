/// The version of this software, the same for all programs.
package enum ProductVersion {
    /// By Semantic Versioning.
    package static let number = "0.1.0"
}
