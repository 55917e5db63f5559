import BeaconModel

/// Which files of an outbox are there.
package struct OutboxFilesFound: Equatable, Sendable {
    /// Whether the database is missing or has no contents.
    package var isEmpty: Bool
    /// Whether there is a write-ahead log.
    package var hasLog: Bool
    /// The size of the write-ahead log in bytes; 0 when it is missing.
    package var logBytes = 0

    package init(isEmpty: Bool, hasLog: Bool, logBytes: Int = 0) {
        self.isEmpty = isEmpty
        self.hasLog = hasLog
        self.logBytes = logBytes
    }
}
