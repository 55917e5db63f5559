/// How far a transfer is.
public struct TransferProgress: Equatable, Sendable {
    /// Bytes of the image.
    public var sent: Int
    public var total: Int
    /// Packets that had to be sent again.
    public var repetitions: Int
    public var elapsed: Duration

    /// 0 to 100, rounded down.
    public var percent: Int { total > 0 ? min(max(sent, 0), total) * 100 / total : 100 }

    public init(sent: Int, total: Int, repetitions: Int, elapsed: Duration) {
        self.sent = sent
        self.total = total
        self.repetitions = repetitions
        self.elapsed = elapsed
    }
}
