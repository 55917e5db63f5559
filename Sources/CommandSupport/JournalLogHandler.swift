package import Logging

/// A log handler that writes to the journal of systemd, with priorities and metadata as fields.
package struct JournalLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let send: @Sendable ([(name: String, value: String)]) -> Bool
    /// Gets what the journal does not take.
    private let fallback: any LogHandler

    /// - Parameter send: sends the fields of an entry, and returns whether the journal took it.
    package init(
        label: String, fallback: any LogHandler,
        send: @escaping @Sendable ([(name: String, value: String)]) -> Bool
    ) {
        self.label = label
        self.fallback = fallback
        self.send = send
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let merged = metadata.merging(event.metadata ?? [:]) { $1 }
        guard !send(JournalEntry(event, label: label, metadata: merged).fields) else { return }
        var event = event
        event.metadata = merged
        fallback.log(event: event)
    }
}
