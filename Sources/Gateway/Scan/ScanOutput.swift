import Advertisement
import BeaconModel
import CommandSupport
import Diagnostics
import HCI
import SystemIO

/// Output of `scan`: JSON lines for a program, a table for a terminal.
struct ScanOutput: Sendable {
    private let all: Bool
    private let isInteractive: Bool
    private let source: Source
    private var reader = ReportReader()
    private var table: ScanTable
    private var drawnAt: Timestamp?
    private var drawnLines = 0
    private var now: Timestamp?

    /// Source of the packets.
    enum Source: Equatable, Sendable {
        case adapter
        /// Capture. `adapter` names the adapter where the format does not record it.
        case capture(adapter: String?)

        fileprivate func name(of adapter: Adapter) -> String {
            if case .capture(let name?) = self { name } else { adapter.description }
        }
    }

    init(all: Bool, isInteractive: Bool, source: Source) {
        self.all = all
        self.isInteractive = isInteractive
        self.source = source
        // A capture shows all subjects, however long ago they were received.
        table = ScanTable(silence: source == .adapter ? .seconds(60) : .seconds(1_000_000_000))
    }

    mutating func show(_ batch: HCIPacketBatch) throws {
        var lines: [UInt8] = []
        var reader = reader
        let defects = reader.forEachAdvertisement(in: batch) { report, data in
            let identity = AdvertisingData.decode(data).identity
            if isInteractive {
                table.add(report, identity)
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

    /// Redraws the table, at most once a second.
    mutating func advance(to time: Timestamp) throws {
        now = time
        guard isInteractive, source == .adapter else { return }
        table.advance(to: time)
        if let drawnAt, time >= drawnAt, time - drawnAt < .seconds(1) { return }
        try draw(at: time)
    }

    /// Draws the final state of the table, which stays on the screen.
    mutating func finish() {
        guard isInteractive, let now else { return }
        try? draw(at: now)
    }

    private mutating func draw(at time: Timestamp) throws {
        // Lines that do not fit would scroll or wrap, and the next drawing would begin at the wrong line.
        let size = Terminal.size
        let room = source == .adapter ? max(1, size.rows - 6) : Int.max
        let lines = table.lines(now: time, limit: room, width: size.columns).map { String($0.prefix(size.columns - 1)) }
        // Move back to the first line of the last drawing, then rewrite each line.
        let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        try Terminal.write(up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
        drawnLines = lines.count
        drawnAt = time
    }
}
