import ArgumentParser
import BeaconModel
import CommandSupport
import ModuleDialogues
import OperatorText
import RecordContract
import SystemIO
import UARTConfig

extension ModuleCommand {
    struct Probe: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "probe",
            abstract: "Determines by experiments what an RS9116 module does where its documents are silent.",
            discussion: """
                Takes half a minute, at most a minute and a half. Everything it changes is undone by a reset: it \
                writes no firmware, updates no key and tests no transmitter. For a few seconds the module advertises \
                data that identifies no beacon. At the end the module is reset; otherwise the exit status is 69. Use \
                the module's own port rather than that of `module trace`, which has no DTR and RTS; --trace records \
                the session as well.

                With --profile, the findings are written to a file for `provision --profile`.
                """)

        @Option(help: "The module's serial port; see `ls -l /dev/serial/by-id`.")
        var port: String

        @Option(help: ArgumentHelp("Write the findings to this file.", valueName: "file"))
        var profile: String?

        @Option(help: ArgumentHelp("Record the session to this file.", valueName: "file"))
        var trace: String?

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            try await Terminal.run {
                let recording = try trace.map { try SerialTraceFile(recordedBy: $0, port: port) }
                try recording?.begin()
                let usb = (try? SerialPorts.all())?.first { $0.isCalled(port) }?.usb?.id
                if !json { try Terminal.print("port       \(port)" + (usb.map { ", USB \($0)" } ?? "")) }
                let report = try await ModuleProber(port: port).probe(tap: recording?.tap) {
                    Terminal.note("trying     \($0)")
                }
                let file = RS9116ProfileFile(report, date: WallClock.now().rfc3339, usb: usb)
                if json {
                    try Terminal.print(JSON.encode(ProbeDocument(report, port: port, usb: usb)))
                } else {
                    for line in report.lines(width: Terminal.tableWidth) { try Terminal.print(line) }
                }
                if let profile {
                    try FileContents.replace(profile, with: Array(file.text.utf8))
                    if !json { try Terminal.print("profile    \(profile): use it with `provision --profile`") }
                }
                if let error = recording?.error { throw error }
                if !json {
                    try Terminal.print(
                        "Paste this and a `module trace` into an issue: it verifies what the driver assumes.")
                }
                if let error = ProbeError(report) { throw error }
            }
        }
    }
}

extension ProbeReport {
    /// Returns the report for the terminal.
    ///
    /// - Parameter width: maximum width of the table; `nil` for one line per row.
    func lines(width: Int?) -> [String] {
        var table = TextTable([
            ("question", .left), ("finding", .left), ("ms", .right), ("driver behaviour", .left),
        ])
        for finding in findings {
            table.add([
                finding.question, finding.conclusion, "\(finding.milliseconds)", finding.consequence ?? "-",
            ])
        }
        var lines = ["module     \(address.map { "\($0)" } ?? "address unknown"), firmware \(firmware)", ""]
        lines += table.lines(width: width)
        if !unsettled.isEmpty {
            lines.append("")
            lines += unsettled.map {
                "not verified: \($0.statement); the driver assumes this, and falls back otherwise"
            }
        }
        return lines + [""]
    }
}

extension ProbeReport {
    /// Assumptions that no experiment settled.
    var unsettled: [RS9116Assumption] { RS9116Assumption.probed.filter { profile[$0] == nil } }
}

extension ProbeFinding {
    /// Effect of the finding on the driver, in words; `nil` when it has none.
    var consequence: String? {
        guard let settles, let holds else { return nil }
        return settles.consequence(holds: holds)
    }
}
