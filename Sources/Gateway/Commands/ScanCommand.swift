import Advertisement
import ArgumentParser
import BeaconModel
import BlueZScanner
import Logging
import ServiceLifecycle
import SystemIO
import UnixSignals

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Shows what is on the air: a live table in a terminal, JSON lines in a pipe.",
        discussion: """
            Scans passively with the duplicate filter off. For that it needs root, or once:
              sudo setcap cap_net_raw,cap_net_admin+ep $(command -v beacon-gateway)
            Without it hears what bluetoothd tells, which is less.
            Ctrl-C ends it and switches scanning off.
            """)

    @Option(help: "The Bluetooth adapter (default: hci0).", transform: OptionValue.adapter)
    var adapter = Adapter(index: 0)

    @Option(
        help: ArgumentHelp(
            "How to hear: auto (raw where this process may, else dbus), raw, user-channel, monitor or dbus."),
        transform: OptionValue.scanPath)
    var path = ScanPathChoice.automatic

    @Option(help: ArgumentHelp("A btsnoop capture to read instead of an adapter.", valueName: "file"))
    var replay: String?

    @Option(help: "End after this time: 10s, 5m.", transform: OptionValue.duration)
    var duration: Duration?

    @Flag(help: "In a pipe: print advertisements of no known kind too.")
    var all = false

    func validate() throws {
        if replay != nil, duration != nil {
            throw ValidationError("--duration is for an adapter; a capture ends by itself.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            if let replay { try show(capture: replay) } else { try await showLive() }
        }
    }

    private func show(capture path: String) throws {
        var output = ScanOutput(all: all, isInteractive: Terminal.isInteractive, adapterName: path.fileName)
        var file = try BTSnoopFile(path: path)
        defer { output.finish() }
        while let batch = try file.next(limit: 256) { try output.show(batch) }
    }

    private func showLive() async throws {
        let scanner = try AdapterScanner(
            .index(adapter), path: path.kind ?? .automatic(), endsWhenNotOpened: true)
        let service = ScanService(
            scanner: scanner, duration: duration,
            output: ScanOutput(all: all, isInteractive: Terminal.isInteractive, adapterName: nil))
        try await ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup)
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: makeLogger(level: .error))
        ).run()
    }
}

/// Scans until the shutdown or for a while.
private struct ScanService: Service {
    var scanner: AdapterScanner
    var duration: Duration?
    var output: ScanOutput

    func run() async throws {
        var output = output
        let events = try scanner.scan()
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let duration {
                group.addTask {
                    try await Task.sleep(for: duration)
                    scanner.stop()
                }
            }
            try await withGracefulShutdownHandler {
                try await show(events, on: &output)
            } onGracefulShutdown: {
                scanner.stop()
            }
            group.cancelAll()
        }
        output.finish()
    }

    private func show(
        _ events: AsyncThrowingStream<AdapterScanner.Event, any Error>, on output: inout ScanOutput
    ) async throws {
        var iterator = events.makeAsyncIterator()
        do {
            while let event = try await iterator.next() {
                switch event {
                case .state(let state):
                    if state.mode != nil, let error = state.error {
                        Terminal.note("\(error.inOneLine); waiting until it is back")
                    }
                case .packets(let batch): try output.show(batch)
                case .silence(let now, _): try output.advance(to: now)
                }
            }
        } catch {
            // Whatever ended the output, the controller must not go on scanning.
            scanner.stop()
            while (try? await iterator.next()) != nil {}
            throw error
        }
    }
}

/// Prints as the output wants it: lines for a program, a table for a person.
struct ScanOutput: Sendable {
    private let all: Bool
    private let isInteractive: Bool
    /// What to call the adapter; `nil` for its own name.
    private let adapterName: String?
    private var reader = ReportReader()
    private var board: ScanBoard
    private var drawnAt: Timestamp?
    private var drawnLines = 0
    private var now: Timestamp?

    init(all: Bool, isInteractive: Bool, adapterName: String?) {
        self.all = all
        self.isInteractive = isInteractive
        self.adapterName = adapterName
        // Of a capture everybody is shown, however long ago.
        board = ScanBoard(silence: adapterName == nil ? .seconds(60) : .seconds(1_000_000_000))
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
                        report: report, identity: identity, adapter: adapterName ?? report.adapter.description
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
        guard isInteractive, adapterName == nil else { return }
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
        let room = adapterName == nil ? max(1, size.rows - 6) : Int.max
        let lines = board.lines(now: time, limit: room, width: size.columns).map { String($0.prefix(size.columns - 1)) }
        // Back to the first line of the last drawing, then each line anew.
        let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        try Terminal.write(up + "\r" + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
        drawnLines = lines.count
        drawnAt = time
    }
}

extension String {
    /// What follows the last slash.
    var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
