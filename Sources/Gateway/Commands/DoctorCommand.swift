import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import OperatorText
import SystemIO
import UnixSignals

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks whether the gateway works on this machine, and prints the commands that repair it.",
        discussion: """
            Checks the adapter, privileges, other users of the radio, serial ports, clock, disk and, with --config, \
            the broker. Then scans for some seconds by each available path and counts the advertisements received. \
            Leaves the adapter as it was. A running gateway resumes its scan by itself; the scan of another program \
            may have to be restarted.

            Exit status: 0 nothing prevents the gateway from working, 69 something does, 78 invalid configuration.
            """)

    @Option(help: ArgumentHelp("The gateway's present or planned configuration.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Seconds to measure each path, 1 to 60.", valueName: "n"))
    var seconds = 3

    @Flag(help: "Do not scan.")
    var noMeasure = false

    @Flag(help: "Also measure user-channel, which takes the adapter away from other programs for that time.")
    var allPaths = false

    @Flag(help: "Print one JSON object, for a bug report.")
    var json = false

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds must be from 1 to 60") }
    }

    func run() async throws {
        try await Terminal.run {
            let isColoured = Terminal.isInteractive
            let width = min(Terminal.isInteractive ? Terminal.size.columns : 80, 100)
            let examination = DoctorExamination(
                configurationPath: config, measuring: noMeasure ? nil : .seconds(seconds), allPaths: allPaths,
                tell: { [json] finding in
                    if json { return }
                    let lines = DoctorText.lines(finding, width: width, isColoured: isColoured)
                    // Closed output is detected at the end; the adapter must be restored first.
                    for line in lines { try? Terminal.print(line) }
                },
                progress: { Terminal.progress($0) })
            let report = try await Self.untilInterrupted { try await examination.run() }
            if json {
                try Terminal.print(report.json(version: ProductVersion.number, time: WallClock.now()))
            } else {
                try Terminal.print("")
                for line in report.closingLines(width: width) { try Terminal.print(line) }
            }
            if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
        }
    }

    /// Runs `body` to its end. Ctrl-C cancels it but still waits for it to end, because scanning must be off.
    private static func untilInterrupted(
        _ body: @escaping @Sendable () async throws -> DoctorReport
    ) async throws -> DoctorReport {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: DoctorReport?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            try? await group.waitForAll()
            Terminal.note("interrupted; the adapter was restored to its previous state")
            // Exit status that shells report for a program ended by Ctrl-C.
            throw ExitCode(130)
        }
    }
}
