import Logging
import OperatorText

/// An entry of the journal that says what a log event says. Pure.
struct JournalEntry {
    /// Maximum number of fields of an event's metadata.
    static let mostFields = 32
    /// Maximum length of a field's name. The journal allows 64.
    static let longestName = 48
    /// Maximum length of a message or value, in Unicode scalars.
    static let longestValue = 4096

    /// Names in capital letters, and their values.
    var fields: [(name: String, value: String)]

    init(_ event: LogEvent, label: String, metadata: Logger.Metadata) {
        let pairs = metadata.sorted { $0.key < $1.key }.prefix(Self.mostFields).map {
            (key: $0.key, value: $0.value.description.shown(upTo: Self.longestValue))
        }
        let message = event.message.description.shown(upTo: Self.longestValue)
        // `journalctl` prints the message alone.
        let facts = pairs.map { "\($0.key.shown(upTo: Self.longestName))=\($0.value)" }.joined(separator: " ")
        fields = [
            ("PRIORITY", "\(Self.priority(event.level))"), ("SYSLOG_IDENTIFIER", label),
            ("MESSAGE", facts.isEmpty ? message : "\(message): \(facts)"), ("BEACON_EVENT", message),
            ("BEACON_LEVEL", event.level.rawValue),
        ]
        var names = Set(fields.map(\.name))
        for pair in pairs {
            // Two keys can become the same name; the first one keeps it.
            guard let name = Self.name(pair.key), names.insert(name).inserted else { continue }
            fields.append((name, pair.value))
        }
    }

    /// Returns the name of a field for a key, such as `BEACON_CLIENT_ID` for `client-id`.
    static func name(_ key: String) -> String? {
        let name = key.unicodeScalars.prefix(longestName).map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        guard name.contains(where: { $0 != "_" }) else { return nil }
        return "BEACON_" + String(name).uppercased()
    }

    /// Returns the priority of syslog(3), of which 3 is an error.
    static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
