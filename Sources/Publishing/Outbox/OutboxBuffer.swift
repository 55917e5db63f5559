/// The contents of records in memory, and what the disk has yet to be told: rows to be written and to be deleted.
package struct OutboxBuffer: Sendable {
    /// Bytes of payloads that are cached in memory although they are on disk.
    private static let cacheCapacity = 4_000_000
    /// Bytes that are held in memory while the disk cannot be written.
    private static let heldCapacity = 8_000_000
    /// Bytes that are held in memory because their writing is delayed.
    private static let delayedCapacity = 1_000_000
    /// Number of rows in a write attempt after a failure. It is small because the attempt will most likely fail again.
    private static let trialBatch = 100
    /// Number of deletions that start a transaction of their own; fewer wait for 1 s.
    private static let deleteBatch = 500

    /// Whether there is a disk. Without one, the cache keeps everything.
    private let hasDisk: Bool
    private var cache: OutboxCache
    /// Records that are not on disk and not being written.
    package private(set) var held = OutboxHeld()
    /// Records that are not on disk and are written only after `OutboxRules.writeDelay`; most are delivered before.
    private var delayed = OutboxHeld()
    /// Records that are held because writing them failed. Some of them may be on disk nevertheless.
    private var halfWritten: Set<Int64> = []
    /// Records that are being written.
    private var inFlight = OutboxSlots<OutboxRow>()
    /// Records on disk that must be deleted there.
    private var deletes: [Int64]
    private var flushesDeletes = false

    /// Rows of one transaction.
    package struct Batch: Sendable {
        package let rows: [OutboxRow]
        package let deletes: [Int64]

        package var isEmpty: Bool { rows.isEmpty && deletes.isEmpty }
    }

    package init(hasDisk: Bool, deletes: [Int64] = []) {
        self.hasDisk = hasDisk
        self.deletes = deletes
        cache = OutboxCache(capacity: hasDisk ? Self.cacheCapacity : .max)
    }

    // MARK: Coming in

    /// Keeps the payload of a record that is never written.
    package mutating func keep(_ id: Int64, _ payload: [UInt8]) { cache.insert(id, payload) }

    /// Holds a row until it is written.
    package mutating func hold(_ row: OutboxRow, isDelayed: Bool) {
        if isDelayed { delayed.insert(row) } else { held.insert(row) }
    }

    package var hasDelayed: Bool { !delayed.isEmpty }
    /// Whether the delayed rows take so much memory that they must be written now.
    package var hasTooManyDelayed: Bool { delayed.bytes > Self.delayedCapacity }

    /// Makes the delayed rows due.
    package mutating func endDelay() { for row in delayed.take(.max) { held.insert(row) } }

    // MARK: Reading

    package func payload(of id: Int64) -> [UInt8]? {
        cache[id] ?? held[id]?.payload ?? delayed[id]?.payload ?? inFlight[id]?.payload
    }

    /// Number of records that are not, or not certainly, on disk.
    package var unwritten: Int { held.count + delayed.count + inFlight.count }

    // MARK: Leaving

    /// Removes the payloads and rows of records that are no longer kept.
    package mutating func forget(_ ids: [Int64]) {
        for id in ids {
            cache.remove(id)
            let isInMemory = held.remove(id) || delayed.remove(id)
            if hasDisk, !isInMemory || halfWritten.remove(id) != nil { deletes.append(id) }
        }
    }

    package var hasDeletes: Bool { !deletes.isEmpty }
    /// Whether there are enough deletions for a transaction of their own.
    package var hasFullDeletes: Bool { deletes.count >= Self.deleteBatch }

    /// Makes the deletions due, however few they are.
    package mutating func flushDeletes() { flushesDeletes = true }

    // MARK: Writing

    /// Whether rows are to be written, or deletions are due.
    package var isDue: Bool { !held.isEmpty || hasFullDeletes || (flushesDeletes && !deletes.isEmpty) }

    /// Takes what is written next. It counts as being written until `written` or `failed`.
    ///
    /// - Parameter isTrial: whether the previous attempt failed.
    package mutating func takeBatch(isTrial: Bool) -> Batch {
        let batch = Batch(rows: held.take(isTrial ? Self.trialBatch : .max), deletes: deletes)
        (deletes, flushesDeletes) = ([], false)
        for row in batch.rows { inFlight.insert(row.id, row) }
        return batch
    }

    /// Handles the success of a batch.
    ///
    /// - Parameter isKept: whether a record is still kept.
    package mutating func written(_ batch: Batch, isKept: (Int64) -> Bool) {
        halfWritten.subtract(batch.rows.lazy.map(\.id))
        for row in batch.rows where isKept(row.id) { cache.insert(row.id, row.payload) }
        inFlight = OutboxSlots()
    }

    /// Handles the failure of a batch, a part of which may be on disk.
    ///
    /// - Parameter isKept: whether a record is still kept.
    package mutating func failed(_ batch: Batch, isKept: (Int64) -> Bool) {
        deletes = batch.deletes + deletes
        // These records come before those that have arrived meanwhile.
        for row in batch.rows.reversed() where isKept(row.id) {
            held.insert(row)
            halfWritten.insert(row.id)
        }
        inFlight = OutboxSlots()
    }

    /// Gives up held records beyond `heldCapacity`, since memory is bounded too.
    ///
    /// - Parameter isOnItsWay: whether a record is being sent to the broker; such a record is kept.
    /// - Returns: the identifiers of the records.
    package mutating func giveUp(unless isOnItsWay: (Int64) -> Bool) -> [Int64] {
        let givenUp = held.giveUp(to: Self.heldCapacity, unless: isOnItsWay)
        for id in givenUp where halfWritten.remove(id) != nil { deletes.append(id) }
        return givenUp
    }
}
