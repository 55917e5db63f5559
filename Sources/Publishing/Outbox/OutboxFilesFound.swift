import BeaconModel

/// Existing files of an outbox.
package struct OutboxFilesFound: Equatable, Sendable {
    /// Whether the database is missing or has no contents.
    package var isEmpty: Bool
    /// Whether the write-ahead log exists.
    package var hasLog: Bool
    /// The size of the write-ahead log in bytes; 0 if it is missing.
    package var logBytes = 0

    package init(isEmpty: Bool, hasLog: Bool, logBytes: Int = 0) {
        self.isEmpty = isEmpty
        self.hasLog = hasLog
        self.logBytes = logBytes
    }
}
