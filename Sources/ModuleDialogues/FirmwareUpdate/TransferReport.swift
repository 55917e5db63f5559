/// The outcome of a transfer.
public struct TransferReport: Equatable, Sendable {
    /// The way in which a transfer ended.
    public enum Outcome: Equatable, Sendable {
        /// The sender has exited. Status 0 means that the module has acknowledged everything.
        case ended(status: Int32, lastWords: String?)
        /// The transfer was interrupted.
        case interrupted
        /// The transfer made no progress.
        case stalled
        /// The transfer exceeded its time limit.
        case tookTooLong
    }

    /// The program that sent the file.
    public var program: KermitSender.Program
    /// How the transfer ended.
    public var outcome: Outcome
    /// The progress at the end.
    public var progress: TransferProgress
    /// The reason that the module gave for ending the transfer.
    public var complaint: String?
    /// The last bytes received from the module.
    public var tail: [UInt8]

    /// Creates a report from its parts.
    public init(
        program: KermitSender.Program, outcome: Outcome = .stalled, progress: TransferProgress,
        complaint: String? = nil, tail: [UInt8] = []
    ) {
        self.program = program
        self.outcome = outcome
        self.progress = progress
        self.complaint = complaint
        self.tail = tail
    }

    package var isComplete: Bool {
        if case .ended(0, _) = outcome { true } else { false }
    }
}
