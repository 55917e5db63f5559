package import BeaconModel
import HCI
package import OperatorText
import RecordContract

/// Report of the doctor: findings, a verdict, and the commands that remedy the problems.
package struct DoctorReport: Sendable {
    package var findings: [DoctorFinding]
    package var measurements: [PathMeasurement] = []

    package init(findings: [DoctorFinding], measurements: [PathMeasurement] = []) {
        self.findings = findings
        self.measurements = measurements
    }

    private var failures: [DoctorFinding] { findings.filter { $0.severity == .failed } }
    private var warnings: [DoctorFinding] { findings.filter { $0.severity == .warning } }

    /// Exit status; 0 when the gateway would work.
    package var exitStatus: Int32 {
        guard let first = failures.first else { return 0 }
        let isConfiguration = failures.contains { $0.exitStatus == .configuration }
        return (isConfiguration ? .configuration : first.exitStatus).rawValue
    }

    /// Verdict in one or two sentences.
    package var verdict: String {
        if let first = failures.first {
            let rest =
                switch failures.count {
                case 1: ""
                case 2: " One more check has failed: \(failures[1].subject)."
                default: " More checks have failed: " + Self.list(failures.dropFirst()) + "."
                }
            let line = first.found.split(separator: "\n").first ?? ""
            return "The gateway would not work: \(line)." + rest
        }
        let isUntried = findings.contains { $0.subject == "path" && $0.severity == .skipped }
        let works =
            isUntried
            ? "Nothing was found that prevents the gateway from working; no path was tested."
            : "The gateway would work."
        return works + (warnings.isEmpty ? "" : " Check: \(Self.list(warnings[...])).")
    }

    /// Remedies without duplicates, those for failures first.
    package var remedies: [DoctorFinding.Remedy] {
        var seen: Set<String> = []
        return (failures + warnings).flatMap(\.remedies).filter { seen.insert($0.command).inserted }
    }

    /// Returns the verdict and the commands.
    ///
    /// - Parameter width: line width in characters; a command is never broken.
    package func closingLines(width: Int) -> [String] {
        var lines = DoctorText.wrap(verdict, first: "Verdict: ", rest: "  ", width: width)
        if !remedies.isEmpty { lines += ["", "What to do:"] }
        for (index, remedy) in remedies.enumerated() {
            let number = (index < 9 ? " " : "") + "\(index + 1). "
            lines.append(number + remedy.command)
            lines += DoctorText.wrap(remedy.mends, first: "      ", rest: "      ", width: width)
        }
        return lines
    }

    /// Returns the report as one JSON object, for a bug report.
    ///
    /// - Parameters:
    ///   - version: version of this program.
    ///   - time: time of the examination.
    package func json(version: String, time: Timestamp) -> [UInt8] {
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
        package var version: String
        package var time: String
        package var exitStatus: Int32
        package var verdict: String
        package var findings: [Finding]
        package var commands: [Command]
        package var measurements: [Measurement]

        package struct Finding: Encodable {
            package var severity: String
            package var subject: String
            package var found: String
        }

        package struct Command: Encodable {
            package var command: String
            package var mends: String
        }

        package struct Measurement: Encodable {
            package var path: String
            package var adapter: String
            package var reports: Int?
            package var senders: Int?
            package var seconds: Double?
            package var reportsPerSecond: Double?
            package var notMeasured: String?

            package init(_ measurement: PathMeasurement) {
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
