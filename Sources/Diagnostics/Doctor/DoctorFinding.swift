package import BeaconModel

/// What one check found.
package struct DoctorFinding: Equatable, Sendable {
    package enum Severity: String, Sendable {
        case ok
        /// The gateway works, with less than it could.
        case warning
        /// The gateway would not work.
        case failed
        /// Nothing was found out, or nothing had to be.
        case skipped

        /// As a person sees it; of one width.
        package var mark: String {
            switch self {
            case .ok: "ok     "
            case .warning: "warning"
            case .failed: "FAILED "
            case .skipped: "skipped"
            }
        }
    }

    /// A command that a person can paste, and what it does against what was found.
    package struct Remedy: Equatable, Hashable, Sendable {
        package var command: String
        package var mends: String

        init(_ command: String, _ mends: String) {
            self.command = command
            self.mends = mends
        }
    }

    /// What was examined: one word.
    package var subject: String
    package var severity: Severity
    /// Without a full stop; may have several lines.
    package var found: String
    /// In the order in which they are tried.
    package var remedies: [Remedy]
    /// Of a doctor that found this `failed`.
    package var exitStatus: ExitStatus

    package init(
        _ subject: String, _ severity: Severity, _ found: String, _ remedies: [Remedy] = [],
        exitStatus: ExitStatus = .unavailable
    ) {
        self.subject = subject
        self.severity = severity
        self.found = found
        self.remedies = remedies
        self.exitStatus = exitStatus
    }
}
