/// A timed record of the bytes on a serial line, for a bug report and for `module replay`.
///
/// As text (`SerialTrace.text`) it has a header and then one line for at most `bytesPerLine` bytes:
///
///     # beacon-gateway serial trace 1
///     # version 0.1.0
///     # started 2020-11-15T12:00:00.000Z
///     # port /dev/ttyUSB0
///     # baud 115200
///     0.100213 > 7c                                                     |
///     0.101402 < 55                                                     U
///     1.250000 ! baud 9600
///
/// Each line begins with the seconds since the start. `>` marks bytes to the module, `<` bytes from it, and `!` events
/// of the line itself. The text after the bytes is for display; readers ignore it.
public struct SerialTrace: Equatable, Sendable {
    /// The header.
    public var header: Header
    /// The events, in the order of time.
    public var entries: [Entry]

    /// The first lines of a trace.
    public struct Header: Equatable, Sendable {
        /// Version of the program that recorded the trace.
        public var version: String
        /// Start time in the form of RFC 3339.
        public var started: String
        /// The serial port.
        public var port: String
        /// Speed of the line at the start, in baud.
        public var baudRate: Int

        /// Creates a header from its parts.
        public init(version: String, started: String, port: String, baudRate: Int = 115_200) {
            self.version = version
            self.started = started
            self.port = port
            self.baudRate = baudRate
        }
    }

    /// One event of a trace.
    public struct Entry: Equatable, Sendable {
        /// Time since the start, in whole microseconds; never less than that of the previous entry.
        public var time: Duration
        /// The event.
        public var event: SerialEvent
        /// Line number in the file, from 1; 0 if the entry was not read from a file. Ignored by `==`.
        public var line: Int

        /// Creates an entry from its parts.
        public init(time: Duration, event: SerialEvent, line: Int = 0) {
            self.time = time
            self.event = event
            self.line = line
        }

        public static func == (left: Self, right: Self) -> Bool {
            left.time == right.time && left.event == right.event
        }
    }

    /// Creates a trace from its parts.
    public init(header: Header, entries: [Entry] = []) {
        self.header = header
        self.entries = entries
    }

    /// The entries, with pieces rejoined that were too long for one line.
    public var pieces: [Entry] {
        var pieces: [Entry] = []
        for entry in entries {
            guard let last = pieces.last, last.time == entry.time else {
                pieces.append(entry)
                continue
            }
            switch (last.event, entry.event) {
            case (.toModule(let bytes), .toModule(let more)) where bytes.count < Self.longestPiece:
                pieces[pieces.count - 1].event = .toModule(bytes + more)
            case (.fromModule(let bytes), .fromModule(let more)) where bytes.count < Self.longestPiece:
                pieces[pieces.count - 1].event = .fromModule(bytes + more)
            default: pieces.append(entry)
            }
        }
        return pieces
    }

    /// Maximum number of bytes in one read.
    private static let longestPiece = 4096
    /// Maximum number of bytes in a line. A longer piece continues in further lines with the same time.
    static let bytesPerLine = 24
    /// Maximum size of a file in bytes.
    public static let longestFile = 16 * 1024 * 1024
    /// Maximum number of lines that are read.
    public static let mostLines = 1_000_000
    package static let firstLine = "# beacon-gateway serial trace 1"
}

/// An event on a serial line.
public enum SerialEvent: Equatable, Sendable {
    /// Bytes sent to the module.
    case toModule([UInt8])
    /// Bytes received from the module.
    case fromModule([UInt8])
    /// The host changed its rate, in baud.
    case baudRate(Int)
    /// DTR and RTS were pulsed low.
    case controlLinesPulsed
    /// The port was unplugged.
    case portVanished
    /// The port was plugged in and opened again.
    case portReopened
    /// Any other event, as one line that is cut after 80 characters.
    case note(String)
}
