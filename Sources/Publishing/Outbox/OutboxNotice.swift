package import RecordContract

/// An event in an outbox that an operator must know about.
package enum OutboxNotice: Equatable, Sendable {
    /// Records cannot be written; they are held in memory.
    case unwritable(path: String, reason: String)
    /// Records are written again.
    case writable(path: String)
    /// Records exceeded the maximum age and were given up.
    case expired(OutboxLoss)
    /// Records were evicted for lack of room, since the last notice of this kind.
    case evicted([OutboxPriority: UInt64])
    /// The files were removed while in use, and have been written anew with all records that were on disk.
    case restored(path: String, records: Int)
    /// The outbox was closed with records that are not on disk.
    case unsaved(path: String, OutboxLoss)
}
