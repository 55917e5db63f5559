extension SerialTrace {
    /// The contents of the file.
    public var text: String {
        header.lines.joined() + entries.flatMap { $0.event.lines(at: $0.time) }.joined()
    }
}

extension SerialTrace.Header {
    /// The lines of the header, with their ends.
    package var lines: [String] {
        [
            SerialTrace.firstLine, "# version \(Printable.line(version))", "# started \(Printable.line(started))",
            "# port \(Printable.line(port))", "# baud \(baudRate)",
        ].map { $0 + "\n" }
    }
}

extension SerialEvent {
    /// Returns the lines of the event, with their ends; none for no bytes.
    ///
    /// - Parameter time: the time since the start.
    package func lines(at time: Duration) -> [String] {
        let start = SerialTrace.seconds(time)
        switch self {
        case .toModule(let bytes): return Self.lines(start + " > ", bytes)
        case .fromModule(let bytes): return Self.lines(start + " < ", bytes)
        default: return [start + " ! " + words + "\n"]
        }
    }

    /// Text of an event that is not bytes.
    private var words: String {
        switch self {
        case .toModule, .fromModule: ""
        case .baudRate(let rate): "baud \(rate)"
        case .controlLinesPulsed: Self.pulsed
        case .portVanished: Self.vanished
        case .portReopened: Self.reopened
        case .note(let text): Printable.line(text)
        }
    }

    static let pulsed = "DTR and RTS pulsed"
    package static let vanished = "port vanished"
    package static let reopened = "port reopened"

    private static func lines(_ start: String, _ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: SerialTrace.bytesPerLine).map { first in
            let piece = bytes[first..<min(first + SerialTrace.bytesPerLine, bytes.count)]
            var hex = ""
            for (index, byte) in piece.enumerated() {
                if index > 0, index % 4 == 0 { hex += " " }
                hex += (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            let width = SerialTrace.bytesPerLine * 2 + SerialTrace.bytesPerLine / 4 - 1
            let text = piece.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." }
            // The final bar prevents programs from stripping spaces at the end of the line.
            return start + hex + String(repeating: " ", count: width - hex.count) + " |" + String(text) + "|\n"
        }
    }
}

extension SerialTrace {
    /// Formats a time in seconds with six decimals.
    package static func seconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let microseconds = String(max(0, attoseconds / 1_000_000_000_000))
        return "\(max(0, seconds))." + String(repeating: "0", count: 6 - microseconds.count) + microseconds
    }
}

/// Formatting of text that is safe for a terminal and a line-oriented file.
public enum Printable {
    /// Returns one line of at most 80 characters, all of them printable ASCII.
    public static func line(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        let words = String(shown).split(separator: " ", omittingEmptySubsequences: true)
        return words.isEmpty ? "-" : words.joined(separator: " ")
    }

    /// Returns bytes as text with escapes for unprintable ones: `\r`, `\n`, `\x00`. The text never contains a quotation
    /// mark.
    public static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            switch byte {
            case 0x0D: return "\\r"
            case 0x0A: return "\\n"
            case 0x22, 0x27, 0x5C: break
            case 0x20...0x7E: return String(UnicodeScalar(byte))
            default: break
            }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
