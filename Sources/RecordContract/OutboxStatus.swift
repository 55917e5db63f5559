package import BeaconModel

/// How full the outbox is, and what it had to give up since it was opened.
package struct OutboxStatus: Equatable, Sendable {
    package var records: Int
    /// Of payloads and topics, and 64 for each record.
    package var bytes: Int
    package var capacityBytes: Int
    /// When the oldest record came in.
    package var oldestEntryAt: Timestamp?
    /// The smallest position that is still held; of what is below, nothing comes any more.
    package var oldest: RecordPosition?
    /// What was ever taken over, whether it is still held or not.
    package var lasts: LastRecords
    /// Records that the broker has acknowledged and the consumer hasn't confirmed.
    package var waitingForConsumer: Int
    /// Given up for lack of room.
    package var evicted: [OutboxPriority: UInt64]
    /// Given up for their age.
    package var expired: UInt64
    /// That the client library will never take.
    package var refused: UInt64
    /// Found damaged on the disk, and lost.
    package var damaged: UInt64
    /// Bytes that come in in a second, over the last minutes.
    package var fillRate: Double
    /// Seconds until `capacityBytes` are reached at the present rate if nothing leaves; nothing when nothing comes in.
    package var secondsLeft: Double?
    package var trouble: Trouble?

    package init(
        records: Int, bytes: Int, capacityBytes: Int, oldestEntryAt: Timestamp? = nil, oldest: RecordPosition? = nil,
        lasts: LastRecords, waitingForConsumer: Int, evicted: [OutboxPriority: UInt64], expired: UInt64,
        refused: UInt64, damaged: UInt64, fillRate: Double, secondsLeft: Double? = nil, trouble: Trouble? = nil
    ) {
        self.records = records
        self.bytes = bytes
        self.capacityBytes = capacityBytes
        self.oldestEntryAt = oldestEntryAt
        self.oldest = oldest
        self.lasts = lasts
        self.waitingForConsumer = waitingForConsumer
        self.evicted = evicted
        self.expired = expired
        self.refused = refused
        self.damaged = damaged
        self.fillRate = fillRate
        self.secondsLeft = secondsLeft
        self.trouble = trouble
    }

    /// Why records aren't on disk.
    package struct Trouble: Equatable, Sendable {
        /// One sentence without a full stop.
        package var text: String
        package var since: Timestamp

        package init(text: String, since: Timestamp) {
            self.text = text
            self.since = since
        }
    }
}
