package import BeaconModel

/// An outbox that cannot be opened.
package struct OutboxError: OperatorError, Equatable {
    package var what: String
    package var meaning: String?
    package var remedy: String?
    package var exitStatus: ExitStatus

    package init(_ what: String, meaning: String? = nil, remedy: String?, exitStatus: ExitStatus = .inputOutput) {
        self.exitStatus = exitStatus
        self.what = what
        self.meaning = meaning
        self.remedy = remedy
    }
}

/// Damage found when the outbox was opened, for the log.
package struct OutboxFinding: Equatable, Sendable {
    /// One sentence without a full stop.
    package var what: String
    package var remedy: String?

    package init(_ what: String, remedy: String? = nil) {
        self.what = what
        self.remedy = remedy
    }
}
