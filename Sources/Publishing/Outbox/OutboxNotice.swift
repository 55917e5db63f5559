package import RecordContract

/// An event in an outbox that an operator has to know of.
package enum OutboxNotice: Equatable, Sendable {
    /// Records can't be written; they are held in memory.
    case unwritable(path: String, reason: String)
    /// Records are written again.
    case writable(path: String)
    /// Records were given up because of their age.
    case expired(OutboxLoss)
    /// Records were given up for lack of room, since the last notice of this kind.
    case evicted([OutboxPriority: UInt64])
    /// The files were removed while in use, and have been written anew with all records that were on disk.
    case restored(path: String, records: Int)
    /// The outbox was closed with records that are on no disk.
    case unsaved(path: String, OutboxLoss)
}
