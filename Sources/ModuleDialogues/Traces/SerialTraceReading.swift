public import BeaconModel

extension SerialTrace {
    /// Reads a trace. An unterminated last line, as left by an interrupted recording, is ignored.
    ///
    /// - Throws: `SerialTraceError`.
    public init(_ file: [UInt8]) throws(SerialTraceError) {
        guard file.count <= Self.longestFile else { throw .tooLong }
        var lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The part after the last line end.
        if !lines.isEmpty { lines.removeLast() }
        guard lines.count <= Self.mostLines else { throw .tooManyLines }
        var reader = Reader()
        for (index, line) in lines.enumerated() { try reader.read(line, number: index + 1) }
        self = try reader.finish()
    }

    private struct Reader {
        private var fields: [String: String] = [:]
        private var entries: [Entry] = []
        private static let keys = ["version", "started", "port", "baud"]

        mutating func read(_ bytes: ArraySlice<UInt8>, number: Int) throws(SerialTraceError) {
            var bytes = bytes
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw .line(number, found: "other than printable ASCII characters", allowed: "must be text")
            }
            let line = String(decoding: bytes, as: UTF8.self)
            if number == 1 {
                guard line == SerialTrace.firstLine else { throw .noTrace }
            } else if line.hasPrefix("#") {
                try readHeader(line, number)
            } else if !line.isEmpty {
                guard Self.keys.allSatisfy({ fields[$0] != nil }) else {
                    throw .line(
                        number, found: "an entry before the end of the header",
                        allowed: "must be `# version`, `# started`, `# port` and `# baud` first")
                }
                guard let entry = Self.entry(line, number) else {
                    throw .line(
                        number, found: Printable.line(line),
                        allowed: "must be seconds with 6 decimals, `>`, `<` or `!`, and bytes in hexadecimal or words")
                }
                if let last = entries.last, entry.time < last.time {
                    throw .line(
                        number, found: "a time before that of the previous line", allowed: "must not go backwards")
                }
                entries.append(entry)
            }
        }

        private mutating func readHeader(_ line: String, _ number: Int) throws(SerialTraceError) {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, words[0] == "#" else { return }
            let key = String(words[1])
            // Other comments are free text.
            guard Self.keys.contains(key), fields[key] == nil else { return }
            let value = Printable.line(String(words[2]))
            guard key != "baud" || Int(value).map({ (1...10_000_000).contains($0) }) == true else {
                throw .line(number, found: "baud \(value)", allowed: "must be a whole number from 1 to 10000000")
            }
            fields[key] = value
        }

        func finish() throws(SerialTraceError) -> SerialTrace {
            guard let version = fields["version"], let started = fields["started"], let port = fields["port"],
                let baudRate = fields["baud"].flatMap({ Int($0) })
            else { throw .noTrace }
            return SerialTrace(
                header: Header(version: version, started: started, port: port, baudRate: baudRate), entries: entries)
        }

        private static func entry(_ line: String, _ number: Int) -> Entry? {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let time = time(words[0]) else { return nil }
            switch words[1] {
            case ">": return bytes(words[2]).map { Entry(time: time, event: .toModule($0), line: number) }
            case "<": return bytes(words[2]).map { Entry(time: time, event: .fromModule($0), line: number) }
            case "!": return Entry(time: time, event: note(String(words[2])), line: number)
            default: return nil
            }
        }

        /// Parses a time: at most 10 digits, a point, and 6 digits.
        private static func time(_ text: Substring) -> Duration? {
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 2, (1...10).contains(parts[0].count), parts[1].count == 6,
                parts.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let seconds = Int64(String(decoding: parts[0], as: UTF8.self)),
                let microseconds = Int64(String(decoding: parts[1], as: UTF8.self))
            else { return nil }
            return .seconds(seconds) + .microseconds(microseconds)
        }

        private static func bytes(_ text: Substring) -> [UInt8]? {
            let hex = text.prefix { $0 != "|" }
            var bytes: [UInt8] = []
            for group in hex.split(separator: " ") {
                let digits = Array(group.utf8)
                guard digits.count.isMultiple(of: 2) else { return nil }
                for index in stride(from: 0, to: digits.count, by: 2) {
                    guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16),
                        digits[index] != UInt8(ascii: "+")
                    else { return nil }
                    bytes.append(byte)
                }
            }
            return bytes.isEmpty || bytes.count > SerialTrace.bytesPerLine ? nil : bytes
        }

        private static func note(_ text: String) -> SerialEvent {
            switch text {
            case SerialEvent.pulsed: return .controlLinesPulsed
            case SerialEvent.vanished: return .portVanished
            case SerialEvent.reopened: return .portReopened
            default:
                let words = text.split(separator: " ")
                if words.count == 2, words[0] == "baud", let rate = Int(words[1]), (1...10_000_000).contains(rate) {
                    return .baudRate(rate)
                }
                return .note(text)
            }
        }
    }
}

/// An error in a file that should be a serial trace.
public enum SerialTraceError: OperatorError, Equatable {
    /// The file is not a trace.
    case noTrace
    /// The file is longer than a trace can be.
    case tooLong
    /// The file has more lines than are read.
    case tooManyLines
    /// A line has an error.
    case line(Int, found: String, allowed: String)
    /// A file at the path of a recording is not a trace and must not be replaced.
    case notReplaced(path: String)

    public var what: String {
        switch self {
        case .noTrace:
            "the file is not a serial trace: it does not begin with `\(SerialTrace.firstLine)` and the header"
        case .tooLong: "the trace has more than \(SerialTrace.longestFile >> 20) MiB"
        case .tooManyLines: "the trace has more than \(SerialTrace.mostLines) lines"
        case .line(let number, let found, let allowed): "line \(number): found \(found); \(allowed)"
        case .notReplaced(let path): "\(path) already exists and is not a serial trace"
        }
    }

    public var meaning: String? {
        if case .notReplaced = self { "nothing was changed: a recording replaces only traces" } else { nil }
    }

    public var remedy: String? {
        if case .notReplaced = self { return "choose another name, or move the file" }
        return "record one with `module trace` or `provision --trace`, and do not edit it"
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { if case .notReplaced = self { .usage } else { .data } }
}
