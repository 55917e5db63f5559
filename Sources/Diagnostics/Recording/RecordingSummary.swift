package import BeaconModel
import OperatorText

/// Summary of a recording, as text. Pure.
package struct RecordingSummary: Equatable, Sendable {
    /// File of this recording that still exists.
    private struct File: Equatable, Sendable {
        var packets = 0
        var bytes = 0
        var first: Timestamp?
        var last: Timestamp?
    }

    /// Files of the recording, newest first.
    private var files: [File] = []
    /// State of the newest file, including packets that are not written yet.
    private var unwritten = File()
    /// Number of received packets that are not advertising reports.
    package var leftOut = 0
    /// Number of packets lost because they arrived faster than they could be written.
    package var lost = 0
    /// Number of packets in files that were removed to make room for newer ones.
    package private(set) var gone = 0

    package init(leftOut: Int = 0, lost: Int = 0, gone: Int = 0) {
        self.leftOut = leftOut
        self.lost = lost
        self.gone = gone
    }

    package var packets: Int { files.reduce(0) { $0 + $1.packets } }
    package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// Begins a new file.
    ///
    /// - Parameter limit: maximum number of files.
    package mutating func beginFile(limit: Int = .max) {
        files.insert(File(), at: 0)
        unwritten = File()
        while files.count > max(1, limit) { gone += files.removeLast().packets }
    }

    package mutating func notePacket(at time: Timestamp) {
        unwritten.packets += 1
        unwritten.first = unwritten.first ?? time
        unwritten.last = time
    }

    /// Marks the newest file's packets as written.
    ///
    /// - Parameter size: size of the newest file in bytes.
    package mutating func noteWritten(size: Int) {
        unwritten.bytes = size
        if !files.isEmpty { files[0] = unwritten }
    }

    /// Discards packets that could not be written.
    package mutating func forgetUnwritten() { unwritten = files.first ?? File() }

    /// Progress line while the recording runs.
    package var line: String {
        var line = "recording  \(Self.count(packets)), \(ByteSizeText.format(bytes))"
        if files.count > 1 { line += " in \(files.count) files" }
        if lost > 0 { line += ", \(lost) lost" }
        return line + "; Ctrl-C ends it"
    }

    /// Returns the closing lines of a finished recording.
    package func lines(names: RecordingNames) -> [String] {
        var recorded = "recorded   \(Self.count(packets)), \(ByteSizeText.format(bytes))"
        if let first = files.last(where: { $0.first != nil })?.first,
            let last = files.first(where: { $0.last != nil })?.last
        {
            let seconds = max(0, (last - first).inSeconds)
            recorded += ", \(first.rfc3339) to \(last.rfc3339) (\(Format.fixed(seconds, 1)) s)"
        }
        var lines = [recorded]
        // A file without a header could not be created.
        let ages = files.indices.filter { files[$0].bytes > 0 }
        lines += ages.map { ($0 == ages.first ? "files      " : "           ") + names.path(age: $0) }
        if leftOut > 0 { lines.append("skipped    \(Self.count(leftOut)) other than advertising reports") }
        if gone > 0 {
            lines.append("removed    \(Self.count(gone)), the oldest, to stay within --max-size and --files")
        }
        if lost > 0 { lines.append("lost       \(Self.count(lost)), received faster than they could be written") }
        return lines
    }

    private static func count(_ packets: Int) -> String { packets == 1 ? "1 packet" : "\(packets) packets" }
}
