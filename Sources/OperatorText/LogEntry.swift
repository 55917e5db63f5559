package import BeaconModel

/// An entry of a program's log.
package struct LogEntry: Equatable, Sendable {
    package var time: Timestamp
    /// Name of the level, such as `warning`.
    package var level: String
    package var message: String
    package var metadata: [String: String]

    package init(time: Timestamp, level: String, message: String, metadata: [String: String] = [:]) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}

/// The latest entries of a log. Pure.
package struct LatestEntries: Equatable, Sendable {
    /// Maximum number of entries that are kept.
    package static let most = 20

    /// The entries, the oldest first.
    package private(set) var entries: [LogEntry] = []

    package init() {}

    package mutating func add(_ entry: LogEntry) {
        if entries.count == Self.most { entries.removeFirst() }
        entries.append(entry)
    }
}
