import BeaconModel
import HCI
import RecordContract

/// What a doctor says: its findings, a verdict, and the commands that mend what is wrong.
struct DoctorReport: Sendable {
    var findings: [DoctorFinding]
    var measurements: [PathMeasurement] = []

    private var failures: [DoctorFinding] { findings.filter { $0.severity == .failed } }
    private var warnings: [DoctorFinding] { findings.filter { $0.severity == .warning } }

    /// 0 when the gateway would work.
    var exitStatus: Int32 {
        guard let first = failures.first else { return 0 }
        let isConfiguration = failures.contains { $0.exitStatus == .configuration }
        return (isConfiguration ? .configuration : first.exitStatus).rawValue
    }

    /// One or two sentences.
    var verdict: String {
        if let first = failures.first {
            let rest =
                switch failures.count {
                case 1: ""
                case 2: " One more thing has failed: \(failures[1].subject)."
                default: " More has failed: " + Self.list(failures.dropFirst()) + "."
                }
            let line = first.found.split(separator: "\n").first ?? ""
            return "The gateway would not work: \(line)." + rest
        }
        let isUntried = findings.contains { $0.subject == "path" && $0.severity == .skipped }
        let works =
            isUntried
            ? "Nothing was found that keeps the gateway from working; no path was tried."
            : "The gateway would work."
        return works + (warnings.isEmpty ? "" : " Look at: \(Self.list(warnings[...])).")
    }

    /// First those against what has failed; each once.
    var remedies: [DoctorFinding.Remedy] {
        var seen: Set<String> = []
        return (failures + warnings).flatMap(\.remedies).filter { seen.insert($0.command).inserted }
    }

    /// The verdict and the commands.
    ///
    /// - Parameter width: of a line, in characters; a command is never broken.
    func closingLines(width: Int) -> [String] {
        var lines = DoctorText.wrap(verdict, first: "Verdict: ", rest: "  ", width: width)
        if !remedies.isEmpty { lines += ["", "What to do:"] }
        for (index, remedy) in remedies.enumerated() {
            let number = (index < 9 ? " " : "") + "\(index + 1). "
            lines.append(number + remedy.command)
            lines += DoctorText.wrap(remedy.mends, first: "      ", rest: "      ", width: width)
        }
        return lines
    }

    /// One JSON object, for a bug report.
    ///
    /// - Parameters:
    ///   - version: of this program.
    ///   - time: of the examination.
    func json(version: String, time: Timestamp) -> [UInt8] {
        JSON.encode(
            Document(
                version: version, time: time.rfc3339, exitStatus: exitStatus, verdict: verdict,
                findings: findings.map {
                    Document.Finding(severity: $0.severity.rawValue, subject: $0.subject, found: $0.found)
                },
                commands: remedies.map { Document.Command(command: $0.command, mends: $0.mends) },
                measurements: measurements.map { Document.Measurement($0) }))
    }

    private static func list(_ findings: ArraySlice<DoctorFinding>) -> String {
        var subjects: [String] = []
        for finding in findings where !subjects.contains(finding.subject) { subjects.append(finding.subject) }
        return subjects.joined(separator: ", ")
    }

    private struct Document: Encodable {
        var version: String
        var time: String
        var exitStatus: Int32
        var verdict: String
        var findings: [Finding]
        var commands: [Command]
        var measurements: [Measurement]

        struct Finding: Encodable {
            var severity: String
            var subject: String
            var found: String
        }

        struct Command: Encodable {
            var command: String
            var mends: String
        }

        struct Measurement: Encodable {
            var path: String
            var adapter: String
            var reports: Int?
            var senders: Int?
            var seconds: Double?
            var reportsPerSecond: Double?
            var notMeasured: String?

            init(_ measurement: PathMeasurement) {
                path = measurement.path.rawValue
                adapter = measurement.adapter.description
                switch measurement.outcome {
                case .heard(let reception):
                    reports = reception.reports
                    senders = reception.senders
                    seconds = (reception.elapsed / .milliseconds(1)).rounded() / 1000
                    reportsPerSecond = (reception.rate * 10).rounded() / 10
                case .failed(let error): notMeasured = error.what
                case .notTried(let reason): notMeasured = reason
                }
            }
        }
    }
}
