import BeaconModel
import ModuleDialogues
import OperatorText

/// Progress of a transfer. In a terminal, one line that is redrawn; in a pipe, a line every 10 %. Pure.
struct TransferBar {
    private let isInteractive: Bool
    private var shown: TransferProgress?
    private var isLineOpen = false

    init(isInteractive: Bool) { self.isInteractive = isInteractive }

    /// Returns the text to write now, if any. A terminal is updated at most five times a second.
    mutating func text(for progress: TransferProgress, columns: Int) -> String? {
        let line = Self.line(progress)
        guard isInteractive else {
            guard progress.percent / 10 > (shown?.percent ?? 0) / 10 else { return nil }
            shown = progress
            return line + "\n"
        }
        if let shown, progress.elapsed - shown.elapsed < .milliseconds(200), progress.percent < 100 { return nil }
        shown = progress
        isLineOpen = true
        return "\r\(line.prefix(max(1, columns - 1)))\u{1B}[K"
    }

    /// Ends an open line. Returns the text to write before any other output.
    mutating func end() -> String? {
        defer { isLineOpen = false }
        return isLineOpen ? "\n" : nil
    }

    static func rate(_ progress: TransferProgress) -> String {
        let seconds = progress.elapsed.inSeconds
        return seconds > 0 ? "\(Format.fixed(Double(progress.sent) / seconds / 1000, 1)) kB/s" : "-"
    }

    private static func line(_ progress: TransferProgress) -> String {
        let percent = String(progress.percent)
        let padding = String(repeating: " ", count: max(0, 3 - percent.count))
        return "transfer   \(padding)\(percent) %  \(progress.sent) of \(progress.total) bytes  \(rate(progress))  "
            + "\(rest(progress)) left"
    }

    private static func rest(_ progress: TransferProgress) -> String {
        guard progress.sent > 0 else { return "-" }
        let seconds = progress.elapsed.inSeconds / Double(progress.sent) * Double(progress.total - progress.sent)
        return seconds < 90 ? "\(Format.fixed(seconds, 0)) s" : "\(Format.fixed(seconds / 60, 0)) min"
    }
}

/// Estimated duration of a transfer at 115200 baud, which is 11520 bytes a second.
struct TransferEstimate {
    /// Number of packets, with 91 characters of data each.
    let packets: Int

    init(_ file: [UInt8]) {
        // Control characters and the prefix itself take two characters.
        let characters = file.reduce(0) { count, byte in
            let low = byte & 0x7F
            return count + (low < 0x20 || low == 0x7F || low == UInt8(ascii: "#") ? 2 : 1)
        }
        packets = (characters + 90) / 91
    }

    /// Shortest and longest duration. At best the line is always busy, with 97 bytes a packet and 6 of its answer. At
    /// worst each answer waits 16 ms in the USB adapter, the default of FTDI adapters.
    var range: (shortest: Duration, longest: Duration) {
        let line = Duration.seconds(Double(packets * 103) / 11_520)
        return (line, line + .milliseconds(16) * packets)
    }

    var text: String {
        let (shortest, longest) = range
        guard longest >= .seconds(90) else { return "about \(Format.fixed(longest.inSeconds, 0)) s at 115200 baud" }
        let minutes = [shortest, longest].map { Format.fixed(max(1, $0.inSeconds / 60), 0) }
        return "\(minutes[0]) to \(minutes[1]) min at 115200 baud"
    }
}
