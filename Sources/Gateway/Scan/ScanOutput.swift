import Advertisement
import BeaconModel
import CommandSupport
import Diagnostics
import HCI
import SystemIO

/// Prints as the output wants it: lines for a program, a table for a person.
struct ScanOutput: Sendable {
    private let all: Bool
    private let isInteractive: Bool
    private let source: Source
    private var reader = ReportReader()
    private var board: ScanBoard
    private var drawnAt: Timestamp?
    private var drawnLines = 0
    private var now: Timestamp?

    /// Where packets come from.
    enum Source: Equatable, Sendable {
        case adapter
        /// A capture; `adapter` is what to call the adapter where the format doesn't say which it was.
        case capture(adapter: String?)

        fileprivate func name(of adapter: Adapter) -> String {
            if case .capture(let name?) = self { name } else { adapter.description }
        }
    }

    init(all: Bool, isInteractive: Bool, source: Source) {
        self.all = all
        self.isInteractive = isInteractive
        self.source = source
        // Of a capture everybody is shown, however long ago.
        board = ScanBoard(silence: source == .adapter ? .seconds(60) : .seconds(1_000_000_000))
    }

    mutating func show(_ batch: HCIPacketBatch) throws {
        var lines: [UInt8] = []
        var reader = reader
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            let identity = AdvertisingData.decode(data).identity
            if isInteractive {
                board.add(report, identity)
            } else if identity != nil || all {
                lines +=
                    SightingLine(
                        report: report, identity: identity, adapter: source.name(of: report.adapter)
                    ).line + [UInt8(ascii: "\n")]
            }
        }
        self.reader = reader
        for (defect, count) in defects.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            Terminal.note("warning: \(count) malformed advertising events (\(defect.rawValue))")
        }
        if !lines.isEmpty { try Terminal.write(lines) }
        if let time = batch.lastTime { try advance(to: time) }
    }

    /// Draws the table anew, once a second at most.
    mutating func advance(to time: Timestamp) throws {
        now = time
        guard isInteractive, source == .adapter else { return }
        board.advance(to: time)
        if let drawnAt, time >= drawnAt, time - drawnAt < .seconds(1) { return }
        try draw(at: time)
    }

    /// The last state of the table stays on the screen.
    mutating func finish() {
        guard isInteractive, let now else { return }
        try? draw(at: now)
    }

    private mutating func draw(at time: Timestamp) throws {
        // What doesn't fit would scroll or wrap, and the next drawing begin at a wrong line.
        let size = Terminal.size
        let room = source == .adapter ? max(1, size.rows - 6) : Int.max
        let lines = board.lines(now: time, limit: room, width: size.columns).map { String($0.prefix(size.columns - 1)) }
        // Back to the first line of the last drawing, then each line anew.
        let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        try Terminal.write(up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
        drawnLines = lines.count
        drawnAt = time
    }
}
