import Logging
import SystemIO

/// Keeps what is logged: each line is the message, and the metadata by their names.
struct KeptLog: LogHandler {
    private let kept = LockedValue<[String]>([])
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    var lines: [String] { kept.withLock(\.self) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        kept.withLock { $0.append("\(event.level) \(event.message)" + values.joined()) }
    }
}
