import ArgumentParser
import BeaconModel
import BlueZScanner
import Logging
import ServiceLifecycle
import SystemIO
import UnixSignals

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records what the radio hears, for `replay`, btmon, Wireshark or a bug report.",
        discussion: """
            Writes advertising reports and nothing else, in btsnoop's Linux monitor format. An earlier recording of \
            the same name is kept as FILE.1.btsnoop and so on, as long as there are no more than --files. \
            Ctrl-C ends it.

            --pseudonymise replaces addresses, identifiers, names and payloads, the same by the same, under a key that \
            is forgotten at the end. Forms, times, RSSI, services and companies stay.

            EXAMPLE: beacon-gateway record air.btsnoop --duration 5m --pseudonymise
            """)

    @Argument(help: ArgumentHelp("The btsnoop file to write.", valueName: "file"))
    var file: String

    @Option(help: "The Bluetooth adapter (default: hci0).", transform: OptionValue.adapter)
    var adapter = Adapter(index: 0)

    @Option(
        help: ArgumentHelp(
            "How to hear: auto (raw where this process may, else dbus), raw, user-channel, monitor or dbus."),
        transform: OptionValue.scanPath)
    var path = ScanPathChoice.automatic

    @Option(help: ArgumentHelp("A btsnoop capture to take from instead of an adapter.", valueName: "file"))
    var replay: String?

    @Option(help: "End after this time: 10s, 5m.", transform: OptionValue.duration)
    var duration: Duration?

    @Option(
        help: ArgumentHelp("Size of one file at most (default: 100MB).", valueName: "size"),
        transform: OptionValue.recordingSize)
    var maxSize = 100_000_000

    @Option(
        help: ArgumentHelp("Number of files at most (default: 4).", valueName: "count"),
        transform: OptionValue.recordingFiles)
    var files = 4

    @Flag(help: "Replace what tells who was heard.")
    var pseudonymise = false

    func validate() throws {
        if replay != nil, duration != nil {
            throw ValidationError("--duration is for an adapter; a capture ends by itself.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let task = RecordingTask(
                names: RecordingNames(path: file, count: files), maximumSize: maxSize, replay: replay,
                isPseudonymous: pseudonymise, isInteractive: Terminal.isInteractive)
            if let replay { try task.record(capture: replay) } else { try await record(task) }
        }
    }

    private func record(_ task: RecordingTask) async throws {
        let scanner = try AdapterScanner(
            .index(adapter), path: path.kind ?? .automatic(), endsWhenNotOpened: true)
        let service = RecordService(task: task, scanner: scanner, duration: duration)
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

/// Records until the shutdown or for a while.
private struct RecordService: Service {
    var task: RecordingTask
    var scanner: AdapterScanner
    var duration: Duration?

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let duration {
                group.addTask {
                    try await Task.sleep(for: duration)
                    scanner.stop()
                }
            }
            try await withGracefulShutdownHandler {
                try await task.record(scanner)
            } onGracefulShutdown: {
                scanner.stop()
            }
            group.cancelAll()
        }
    }
}
