package import Logging
import OperatorText
import SystemIO

/// A log handler that has its level from a `ProgramLog`, and adds warnings and errors to it.
package struct RememberingLogHandler: LogHandler {
    private var handler: any LogHandler
    private let log: ProgramLog
    /// Level of this logger alone; `nil`: that of the program.
    private var ownLevel: Logger.Level?
    /// Maximum length of a message or value that is kept, in Unicode scalars.
    private static let longest = 1000
    /// Maximum number of metadata values that are kept of an entry.
    private static let mostValues = 20

    package init(_ handler: any LogHandler, log: ProgramLog) {
        self.handler = handler
        self.log = log
        // The logger itself leaves out what is below its level.
        self.handler.logLevel = .trace
    }

    package var logLevel: Logger.Level {
        get { ownLevel ?? log.level }
        set { ownLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        if event.level >= .warning { log.note(entry(of: event)) }
        handler.log(event: event)
    }

    private func entry(of event: LogEvent) -> LogEntry {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        let kept = values.sorted { $0.key < $1.key }.prefix(Self.mostValues).map {
            ($0.key, $0.value.description.shown(upTo: Self.longest))
        }
        return LogEntry(
            time: WallClock.now(), level: event.level.rawValue,
            message: event.message.description.shown(upTo: Self.longest),
            metadata: Dictionary(kept) { first, _ in first })
    }
}
