import BeaconModel

/// What one check found.
struct DoctorFinding: Equatable, Sendable {
    enum Severity: String, Sendable {
        case ok
        /// The gateway works, with less than it could.
        case warning
        /// The gateway would not work.
        case failed
        /// Nothing was found out, or nothing had to be.
        case skipped

        /// As a person sees it; of one width.
        var mark: String {
            switch self {
            case .ok: "ok     "
            case .warning: "warning"
            case .failed: "FAILED "
            case .skipped: "skipped"
            }
        }
    }

    /// A command that a person can paste, and what it does against what was found.
    struct Remedy: Equatable, Hashable, Sendable {
        var command: String
        var mends: String

        init(_ command: String, _ mends: String) {
            self.command = command
            self.mends = mends
        }
    }

    /// What was examined: one word.
    var subject: String
    var severity: Severity
    /// Without a full stop; may have several lines.
    var found: String
    /// In the order in which they are tried.
    var remedies: [Remedy]
    /// Of a doctor that found this `failed`.
    var exitStatus: ExitStatus

    init(
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
