public import BeaconModel

/// How full the outbox is, and what it had to give up since it was opened.
public struct OutboxStatus: Equatable, Sendable {
    public var records: Int
    /// Of payloads and topics, and 64 for each record.
    public var bytes: Int
    public var capacityBytes: Int
    /// When the oldest record came in.
    public var oldestEntryAt: Timestamp?
    /// The smallest position that is still held; of what is below, nothing comes any more.
    public var oldest: RecordPosition?
    /// What was ever taken over, whether it is still held or not.
    public var lasts: LastRecords
    /// Records that the broker has acknowledged and the consumer hasn't confirmed.
    public var waitingForConsumer: Int
    /// Given up for lack of room.
    public var evicted: [OutboxPriority: UInt64]
    /// Given up for their age.
    public var expired: UInt64
    /// That the client library will never take.
    public var refused: UInt64
    /// Found damaged on the disk, and lost.
    public var damaged: UInt64
    /// Bytes that come in in a second, over the last minutes.
    public var fillRate: Double
    /// Seconds until `capacityBytes` are reached at the present rate if nothing leaves; nothing when nothing comes in.
    public var secondsLeft: Double?
    public var trouble: Trouble?

    /// Why records aren't on disk.
    public struct Trouble: Equatable, Sendable {
        /// One sentence without a full stop.
        public var text: String
        public var since: Timestamp
    }
}
