import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import GatewayCore
import HCI
import Logging
import ServiceLifecycle
import UnixSignals

/// Options for the source of advertising reports and the listening time.
struct ReportSourceOptions: ParsableArguments {
    @Option(help: "The Bluetooth adapter (default: hci0).", transform: OptionValue.adapter)
    var adapter: Adapter?

    @Option(
        help: "Scan path: auto (the default: raw if permitted, otherwise dbus), raw, user-channel, monitor or dbus.",
        transform: OptionValue.scanPath)
    var path: ScanPathChoice?

    @Option(help: ArgumentHelp("Read from this btsnoop capture instead of an adapter.", valueName: "file"))
    var replay: String?

    @Option(help: "Stop after this time, for example 10s or 5m.", transform: OptionValue.duration)
    var duration: Duration?

    func validate() throws {
        guard replay != nil else { return }
        for (name, isGiven) in [
            ("--duration", duration != nil), ("--adapter", adapter != nil), ("--path", path != nil),
        ] where isGiven {
            throw ValidationError("\(name) applies to an adapter, but --replay reads a capture: omit one of them.")
        }
    }

    /// Scans until `listen` returns, a signal arrives or the time is over. The controller is not scanning when this
    /// returns.
    ///
    /// - Parameter listen: consumes the scanner's events until they end.
    /// - Throws: what `listen` throws.
    func scan(_ listen: @escaping @Sendable (AdapterScanner) async throws -> Void) async throws {
        let scanner = try AdapterScanner(
            .index(adapter ?? Adapter(index: 0)), path: path?.kind ?? .automatic(), endsWhenNotOpened: true)
        let service = ScanForAWhile(scanner: scanner, duration: duration, listen: listen)
        try await ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup)
                ],
                gracefulShutdownSignals: EndingSignals.all, logger: makeLogger(level: .error))
        ).run()
    }
}

private struct ScanForAWhile: Service {
    var scanner: AdapterScanner
    var duration: Duration?
    var listen: @Sendable (AdapterScanner) async throws -> Void

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let duration {
                group.addTask {
                    try await Task.sleep(for: duration)
                    scanner.stop()
                }
            }
            try await withGracefulShutdownHandler {
                try await listen(scanner)
            } onGracefulShutdown: {
                scanner.stop()
            }
            group.cancelAll()
        }
    }
}
