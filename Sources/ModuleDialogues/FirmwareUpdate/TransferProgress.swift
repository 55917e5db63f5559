/// The progress of a transfer.
public struct TransferProgress: Equatable, Sendable {
    /// Number of image bytes sent.
    public var sent: Int
    /// Size of the file in bytes.
    public var total: Int
    /// Number of retransmitted packets.
    public var repetitions: Int
    /// Time since the start of the transfer.
    public var elapsed: Duration

    /// Progress in percent, 0 to 100, rounded down.
    public var percent: Int { total > 0 ? min(max(sent, 0), total) * 100 / total : 100 }

    /// Creates a value from its parts.
    public init(sent: Int, total: Int, repetitions: Int, elapsed: Duration) {
        self.sent = sent
        self.total = total
        self.repetitions = repetitions
        self.elapsed = elapsed
    }
}
