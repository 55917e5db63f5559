public import BeaconModel

/// An outbox that can't be opened.
public struct OutboxError: OperatorError, Equatable {
    public var what: String
    public var meaning: String?
    public var remedy: String?
    public var exitStatus: ExitStatus

    public init(_ what: String, meaning: String? = nil, remedy: String?, exitStatus: ExitStatus = .inputOutput) {
        self.exitStatus = exitStatus
        self.what = what
        self.meaning = meaning
        self.remedy = remedy
    }
}

/// What was damaged when the outbox was opened, for a log.
public struct OutboxFinding: Equatable, Sendable {
    /// One sentence without a full stop.
    public var what: String
    public var remedy: String?

    public init(_ what: String, remedy: String? = nil) {
        self.what = what
        self.remedy = remedy
    }
}
