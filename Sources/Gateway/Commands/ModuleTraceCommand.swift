import ArgumentParser
import BeaconModel
import CommandSupport
import Logging
import ModuleDialogues
import OperatorText
import ServiceLifecycle
import SystemIO
import UARTConfig
import UnixSignals

extension ModuleCommand {
    struct Trace: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trace",
            abstract: "Records all traffic on a serial line, for a bug report.",
            discussion: """
                Prints the path of a pseudo-terminal. Use it in place of the port, in any program; the speed set there \
                applies to the port. Ctrl-C ends the recording, which is complete at any time.

                EXAMPLE: beacon-gateway module trace --port /dev/ttyUSB0 --output session.trace --link /tmp/module
                         beacon-gateway provision --port /tmp/module --uuid ...
                """)

        @Option(help: "The module's serial port; see `ls -l /dev/serial/by-id`.")
        var port: String

        @Option(help: ArgumentHelp("The file to record to; an existing trace is replaced.", valueName: "file"))
        var output: String

        @Option(help: ArgumentHelp("Create a symbolic link to the pseudo-terminal at this path.", valueName: "path"))
        var link: String?

        func run() async throws {
            try await Terminal.run {
                let file = try SerialTraceFile(recordedBy: output, port: port)
                let relay = try SerialRelay(port: port, link: link, tap: file.tap)
                // Begin the file only after the port is open: a mistyped port must not destroy an earlier trace.
                try file.begin()
                try Terminal.print("port       \(port)")
                try Terminal.print("connect    \(link ?? relay.portPath)")
                try Terminal.print("trace      \(output); Ctrl-C ends it")
                try await ServiceGroup(
                    configuration: .init(
                        services: [
                            .init(
                                service: RelayService(relay: relay),
                                successTerminationBehavior: .gracefullyShutdownGroup)
                        ],
                        gracefulShutdownSignals: EndingSignals.all, logger: makeLogger(level: .error))
                ).run()
                if let error = file.error { throw error }
            }
        }
    }
}

extension SerialTraceFile {
    /// Creates a trace recorded by this program.
    convenience init(recordedBy path: String, port: String) throws {
        try self.init(
            path: path,
            header: SerialTrace.Header(version: ProductVersion.number, started: WallClock.now().rfc3339, port: port))
    }
}

private struct RelayService: Service {
    var relay: SerialRelay

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await relay.waitUntilStopped()
        } onGracefulShutdown: {
            relay.stop()
        }
    }
}
