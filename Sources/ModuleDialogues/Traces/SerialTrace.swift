/// What crossed a serial line, with its times: for a bug report, and for `module replay`.
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
/// Seconds since the start, `>` to the module, `<` from it, `!` what happened to the line itself. What stands behind
/// the bytes is for people; a reader takes no notice of it.
public struct SerialTrace: Equatable, Sendable {
    public var header: Header
    public var entries: [Entry]

    public struct Header: Equatable, Sendable {
        /// Of the program that recorded it.
        public var version: String
        /// RFC 3339.
        public var started: String
        public var port: String
        /// Of the line at the start, in baud.
        public var baudRate: Int

        public init(version: String, started: String, port: String, baudRate: Int = 115_200) {
            self.version = version
            self.started = started
            self.port = port
            self.baudRate = baudRate
        }
    }

    public struct Entry: Equatable, Sendable {
        /// Since the start, in whole microseconds; never before the entry before it.
        public var time: Duration
        public var event: SerialEvent
        /// Its line in the file that it was read from, from 1; 0 for one that was not read. Takes no part in `==`.
        public var line: Int

        public init(time: Duration, event: SerialEvent, line: Int = 0) {
            self.time = time
            self.event = event
            self.line = line
        }

        public static func == (left: Self, right: Self) -> Bool {
            left.time == right.time && left.event == right.event
        }
    }

    public init(header: Header, entries: [Entry] = []) {
        self.header = header
        self.entries = entries
    }

    /// The entries with pieces that were too long for one line in one again.
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

    /// What one read gives at most, in bytes.
    private static let longestPiece = 4096
    /// More bytes of one piece follow in a line of the same time.
    static let bytesPerLine = 24
    /// In bytes.
    public static let longestFile = 16 * 1024 * 1024
    public static let mostLines = 1_000_000
    package static let firstLine = "# beacon-gateway serial trace 1"
}

/// Something that happened on a serial line.
public enum SerialEvent: Equatable, Sendable {
    case toModule([UInt8])
    case fromModule([UInt8])
    /// The host's rate is another one now, in baud.
    case baudRate(Int)
    /// DTR and RTS were low for a moment.
    case controlLinesPulsed
    case portVanished
    case portReopened
    /// Anything else, in one line; longer than 80 characters is cut.
    case note(String)
}
