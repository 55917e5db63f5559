package import BeaconModel

/// Result of one check.
package struct DoctorFinding: Equatable, Sendable {
    package enum Severity: String, Sendable {
        case ok
        /// The gateway works, with limitations.
        case warning
        /// The gateway would not work.
        case failed
        /// The check was not possible, or not necessary.
        case skipped

        /// Label for the terminal. All labels have the same width.
        package var mark: String {
            switch self {
            case .ok: "ok     "
            case .warning: "warning"
            case .failed: "FAILED "
            case .skipped: "skipped"
            }
        }
    }

    /// Command that the user can paste, and its effect on the finding.
    package struct Remedy: Equatable, Hashable, Sendable {
        package var command: String
        package var mends: String
        /// Whether the command opens the configuration, in which `mends` says what to change.
        package var isEdit = false

        package init(_ command: String, _ mends: String) {
            self.command = command
            self.mends = mends
        }

        /// Creates a change of the configuration.
        package static func edit(_ path: String?, _ what: String) -> Remedy {
            var remedy = Remedy("sudoedit \(ShellWord.quote(path ?? "FILE"))", what)
            remedy.isEdit = true
            return remedy
        }
    }

    /// Subject of the check, in one word.
    package var subject: String
    package var severity: Severity
    /// Result in words, without a full stop. It can have several lines.
    package var found: String
    /// Remedies in the order in which to try them.
    package var remedies: [Remedy]
    /// Exit status of the doctor when the finding is `failed`.
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
