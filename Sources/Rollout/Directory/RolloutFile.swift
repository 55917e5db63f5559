/// A file of the directory.
package struct RolloutFile: Equatable, Sendable {
    /// Path below the directory: `campus/main/1/east.toml`.
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}
