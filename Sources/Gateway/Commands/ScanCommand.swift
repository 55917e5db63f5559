import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import HCI
import OperatorText
import SystemIO

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Shows received advertisements: a live table in a terminal, JSON lines in a pipe.",
        discussion: """
            Scans passively with the duplicate filter off. This requires root, or once:
              sudo setcap cap_net_raw,cap_net_admin+ep $(command -v beacon-gateway)
            Otherwise it receives what bluetoothd reports, which is less.
            Ctrl-C stops scanning and quits.
            """)

    @OptionGroup var source: ReportSourceOptions

    @Flag(help: "In a pipe: also print advertisements of unknown kinds.")
    var all = false

    func run() async throws {
        try await Terminal.run {
            if let replay = source.replay {
                try show(capture: replay)
            } else {
                let output = ScanOutput(all: all, isInteractive: Terminal.isInteractive, source: .adapter)
                try await source.scan { try await Self.show($0, on: output) }
            }
        }
    }

    private func show(capture path: String) throws {
        var file = try BTSnoopFile(path: path)
        var output = ScanOutput(
            all: all, isInteractive: Terminal.isInteractive,
            source: .capture(adapter: file.namesAdapters ? nil : path.fileName))
        defer { output.finish() }
        while let batch = try file.next(limit: 256) { try output.show(batch) }
    }

    private static func show(_ scanner: AdapterScanner, on output: ScanOutput) async throws {
        var output = output
        var iterator = try scanner.scan().makeAsyncIterator()
        do {
            while let event = try await iterator.next() {
                switch event {
                case .state(let state):
                    if state.mode != nil, let error = state.error {
                        Terminal.note("\(error.inOneLine); waiting for it to return")
                    }
                case .packets(let batch): try output.show(batch)
                case .silence(let now, _): try output.advance(to: now)
                }
            }
        } catch {
            // Whatever ended the output, the controller must not continue scanning.
            scanner.stop()
            while (try? await iterator.next()) != nil {}
            throw error
        }
        output.finish()
    }
}
