import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import HCI
import SystemIO

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Compares received packets with a schedule: discovery, tracking and resumption of each device.",
        discussion: """
            SCHEDULE states for each device when it was in range, and in which state (.toml or .csv; \
            docs/guide/field-test.md shows one). The schedule is compared with the captures. Without captures, it is \
            compared with what an adapter receives from now until the end of the schedule.

            D  discovered: received within 60 s after it came into range
            T  tracked: received in every 30 s of the time in range
            R  resumed: received within 60 s after it came back into range

            Exit status: 0 every requirement that was covered holds, 1 one does not hold, 65 nothing was covered, 78 \
            invalid schedule.

            EXAMPLE: beacon-gateway record air.btsnoop
                     beacon-gateway evaluate test.toml air.btsnoop --html report.html
            """)

    @Argument(help: ArgumentHelp("The schedule: a .toml or .csv file.", valueName: "schedule"))
    var schedule: String

    @Argument(help: ArgumentHelp("btsnoop captures from one receiver.", valueName: "capture"))
    var captures: [String] = []

    @Option(help: ArgumentHelp("Also write the report to this file, as HTML.", valueName: "file"))
    var html: String?

    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    @OptionGroup var source: ReportSourceOptions

    private var files: [String] { captures + [source.replay].compactMap(\.self) }

    func validate() throws {
        if let html, ![".html", ".htm"].contains(where: { html.lowercased().hasSuffix($0) }) {
            throw ValidationError("--html must name a .html file, because an existing file is overwritten.")
        }
        if let twice = files.indices.first(where: { files[..<$0].contains(files[$0]) }) {
            throw ValidationError("\(files[twice]) is given twice: its readings would count twice.")
        }
        guard !captures.isEmpty else { return }
        for (name, isGiven) in [
            ("--duration", source.duration != nil), ("--adapter", source.adapter != nil),
            ("--path", source.path != nil),
        ] where isGiven {
            throw ValidationError("\(name) applies to an adapter, not to a capture: omit one of them.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            var task = EvaluationTask(try EvaluationTask.schedule(schedule))
            // Checked now, not after hours of listening.
            if let html { try FileContents.checkReplaceable(html) }
            guard files.isEmpty else {
                var damage: CaptureError?
                do throws(CaptureError) { try task.take(captures: files) } catch { damage = error }
                // Report the packets before the damage all the same, if there are any.
                if let damage, task.evaluation.start == nil || task.evaluation.reports == 0 { throw damage }
                try tell(task.evaluation.result(), then: damage)
                return
            }
            let heard = LockedValue<EvaluationResult?>(nil)
            var failure: (any Error)?
            do {
                try await source.scan { [task] scanner in
                    var task = task
                    defer {
                        Terminal.progress(nil)
                        let result = task.evaluation.result()
                        heard.withLock { $0 = result }
                    }
                    try await task.take(scanner) { Terminal.progress($0) }
                }
            } catch {
                failure = error
            }
            // Report what was received before a failure all the same.
            let result = heard.withLock { $0 }
            if let failure, result?.coverage.first == nil { throw failure }
            if let result { try tell(result, then: failure) }
        }
    }

    /// Prints the result, and writes the HTML report if it was requested.
    ///
    /// - Parameter failure: error that kept the rest from being received or read.
    private func tell(_ result: EvaluationResult, then failure: (any Error)?) throws {
        var failure = failure
        // Written first, because the reader of standard output can close it.
        if let html {
            do throws(SystemError) {
                try FileContents.replace(html, with: Array(EvaluationHTML(result: result).text.utf8))
            } catch {
                failure = failure ?? error
            }
        }
        if json {
            try Terminal.print(EvaluationDocument(result).line)
        } else {
            let text = EvaluationText(result: result, isColoured: Terminal.isColoured)
            for line in text.lines { try Terminal.print(line) }
        }
        if let failure { throw failure }
        guard result.isKnown else { throw NothingCovered(result: result) }
        if !result.holds { throw ExitCode(ExitStatus.negative.rawValue) }
    }
}

/// Error when the schedule and the capture are of different times, or nothing was received.
private struct NothingCovered: OperatorError {
    var result: EvaluationResult

    var what: String { "the received packets do not cover any part of the schedule" }
    var meaning: String? {
        guard let extent = result.extent, let first = result.coverage.first, let last = result.coverage.last else {
            return "no packet was received"
        }
        return "the schedule covers \(extent.from.rfc3339) to \(extent.to.rfc3339), "
            + "the packets from \(first.rfc3339) to \(last.rfc3339)"
    }
    var remedy: String? { "check the start of the schedule, and the clocks of its author and of the receiver" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}
