package import BeaconModel
import OperatorText

/// What was recorded, for a person. Pure.
package struct RecordingSummary: Equatable, Sendable {
    /// A file of this recording that is still there.
    private struct File: Equatable, Sendable {
        var packets = 0
        var bytes = 0
        var first: Timestamp?
        var last: Timestamp?
    }

    /// The newest first.
    private var files: [File] = []
    /// The newest file with what isn't written yet.
    private var unwritten = File()
    /// Packets that came and are no advertising reports.
    package var leftOut = 0
    /// Packets that came faster than they could be written.
    package var lost = 0
    /// Packets in files that had to go for newer ones.
    package private(set) var gone = 0

    package init(leftOut: Int = 0, lost: Int = 0, gone: Int = 0) {
        self.leftOut = leftOut
        self.lost = lost
        self.gone = gone
    }

    package var packets: Int { files.reduce(0) { $0 + $1.packets } }
    package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// - Parameter limit: files at most.
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

    /// - Parameter size: bytes of the newest file.
    package mutating func noteWritten(size: Int) {
        unwritten.bytes = size
        if !files.isEmpty { files[0] = unwritten }
    }

    /// What isn't written will not be.
    package mutating func forgetUnwritten() { unwritten = files.first ?? File() }

    /// While it goes on.
    package var line: String {
        var line = "recording  \(Self.count(packets)), \(ByteSizeText.format(bytes))"
        if files.count > 1 { line += " in \(files.count) files" }
        if lost > 0 { line += ", \(lost) lost" }
        return line + "; Ctrl-C ends it"
    }

    /// At the end.
    package func lines(names: RecordingNames) -> [String] {
        var recorded = "recorded   \(Self.count(packets)), \(ByteSizeText.format(bytes))"
        if let first = files.last(where: { $0.first != nil })?.first,
            let last = files.first(where: { $0.last != nil })?.last
        {
            let seconds = max(0, (last - first).inSeconds)
            recorded += ", \(first.rfc3339) to \(last.rfc3339) (\(Format.fixed(seconds, 1)) s)"
        }
        var lines = [recorded]
        // A file without a header couldn't be created.
        let ages = files.indices.filter { files[$0].bytes > 0 }
        lines += ages.map { ($0 == ages.first ? "files      " : "           ") + names.path(age: $0) }
        if leftOut > 0 { lines.append("left out   \(Self.count(leftOut)) other than advertising reports") }
        if gone > 0 {
            lines.append("removed    \(Self.count(gone)), the oldest, for want of room: see --max-size and --files")
        }
        if lost > 0 { lines.append("lost       \(Self.count(lost)), which came faster than they could be written") }
        return lines
    }

    private static func count(_ packets: Int) -> String { packets == 1 ? "1 packet" : "\(packets) packets" }
}
