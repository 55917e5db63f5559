package import BeaconModel

/// Fill level of the outbox, and the records that it has lost since it was opened.
package struct OutboxStatus: Equatable, Sendable {
    package var records: Int
    /// Bytes that count towards the size limit: payload, topic and 64 per record.
    package var bytes: Int
    package var capacityBytes: Int
    /// Entry time of the oldest record.
    package var oldestEntryAt: Timestamp?
    /// The smallest position that is still held; no record below it will be sent any more.
    package var oldest: RecordPosition?
    /// The last records that were ever accepted, whether or not they are still held.
    package var lasts: LastRecords
    /// Number of records that the broker has acknowledged and the consumer has not confirmed.
    package var waitingForConsumer: Int
    /// Number of records given up for lack of room, by priority.
    package var evicted: [OutboxPriority: UInt64]
    /// Number of records given up because of their age.
    package var expired: UInt64
    /// Number of records that the client library will never accept.
    package var refused: UInt64
    /// Number of records found damaged on disk, and lost.
    package var damaged: UInt64
    /// Incoming bytes per second over the last minutes.
    package var fillRate: Double
    /// Seconds until `capacityBytes` are reached at the present rate if nothing leaves; `nil` if nothing is arriving.
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

    /// The reason why records are not on disk.
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
