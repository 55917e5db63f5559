package import BeaconModel
package import Publishing
package import RecordContract
import SystemIO

/// The durable queue between records and broker. A record for which `append` has returned survives the end of the
/// process and a power failure until the broker has acknowledged it, or until the consumer has stored it.
///
/// Records that arrive while one transaction is written to disk are collected for the next. The more records arrive,
/// the fewer transactions are needed per record.
package actor Outbox {
    /// Damage found when the outbox was opened.
    package nonisolated let findings: [OutboxFinding]
    /// Yields whenever there may be something to offer.
    package nonisolated let changes: AsyncStream<Void>

    /// Events for the log, until the outbox is closed.
    package nonisolated let notices: AsyncStream<OutboxNotice>

    nonisolated let changed: AsyncStream<Void>.Continuation
    nonisolated let noticed: AsyncStream<OutboxNotice>.Continuation
    var store: OutboxStore?
    let retryInterval: Duration
    var ledger: OutboxLedger
    var clock: OutboxClock
    /// Whether the clock, when its state was last kept, knew how much time had passed before this start of the machine.
    private var isAnchored: Bool
    /// The most recently written record.
    var newest: (id: Int64, position: RecordPosition)?
    private var lasts: LastRecords
    private var fillRate = OutboxFillRate()
    private var nextID: Int64
    var buffer: OutboxBuffer
    var delayTimer: Task<Void, Never>?
    /// Records in the ledger that are not released yet.
    var arriving: [Int64] = []
    /// Whether the file is missing from the path at which it was opened.
    var isMisplaced = false
    /// The time at which the state was last kept durably, by the outbox's clock.
    private var keptAt: Int64 = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var writer: Task<Void, Never>?
    var deleteTimer: Task<Void, Never>?
    var retryTimer: Task<Void, Never>?
    var isClosed = false
    var trouble: OutboxStatus.Trouble?
    var refused: UInt64 = 0
    var damaged: UInt64
    /// Number of lost connections, so that records read for one connection are not offered in another.
    var connection = 0

    /// Microseconds after which the state is kept durably even if nothing has happened.
    private static let keepingInterval: Int64 = 3_600_000_000
    /// Number of rows that are read at once.
    static let readBatch = 100

    /// Opens the database at `path`, creates it if necessary, and loads the records that wait there.
    ///
    /// - Parameter path: the path of the database; `nil`: in memory only.
    package static func open(
        _ path: String?, rules: OutboxRules, now: ClockReading
    ) async throws(OutboxError) -> Outbox {
        try await open(path, rules: rules, now: now, retryInterval: .seconds(10))
    }

    package static func open(
        _ path: String?, rules: OutboxRules, now: ClockReading, retryInterval: Duration
    ) async throws(OutboxError) -> Outbox {
        guard let path else {
            return Outbox(OutboxContents(rules: rules, now: now), store: nil, retryInterval: retryInterval)
        }
        let opened: Result<(OutboxStore, OutboxContents), OutboxError>
        do throws(SystemError) {
            opened = try await DedicatedThread.run(name: "outbox") {
                OutboxContents.open(path, rules: rules, now: now)
            }
        } catch {
            throw OutboxError(error.what, remedy: "raise the thread limit")
        }
        let (store, contents) = try opened.get()
        let outbox = Outbox(contents, store: store, retryInterval: retryInterval)
        await outbox.deleteLater()
        return outbox
    }

    private init(_ contents: OutboxContents, store: OutboxStore?, retryInterval: Duration) {
        self.store = store
        self.retryInterval = retryInterval
        findings = contents.findings
        ledger = contents.ledger
        nextID = contents.nextID
        damaged = contents.damaged
        clock = contents.clock
        newest = contents.newest
        lasts = contents.lasts
        isAnchored = contents.clock.isAnchored
        buffer = OutboxBuffer(hasDisk: store != nil, deletes: contents.deletes)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (notices, noticed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        if let expired = contents.expired { noticed.yield(.expired(expired)) }
    }

    // MARK: Coming in

    /// Appends records, and returns when they are on disk or when it is known that they cannot be written. In the
    /// latter case they are held in memory and written with the next success. With a write delay, `updated` records are
    /// written later, or not at all if they are delivered before.
    package func append(_ records: [OutboxRecord], at now: ClockReading) async {
        guard !records.isEmpty else { return }
        let time = self.time(at: now)
        expire(atTime: time)
        let hasUrgent = records.contains { !ledger.rules.delays($0.priority) }
        for record in records {
            let id = nextID
            nextID += 1
            lasts.add(record.position)
            let cost = OutboxLedger.cost(topic: record.topic, payload: record.payload.count)
            fillRate.add(cost, at: time)
            if store == nil {
                buffer.keep(id, record.payload)
            } else {
                let row = OutboxRow(
                    id: id, topic: record.topic, priority: record.priority, position: record.position,
                    enteredAt: clock.stamp, payload: record.payload)
                buffer.hold(row, isDelayed: ledger.rules.delays(record.priority))
            }
            arriving.append(id)
            let givenUp = ledger.append(
                id, topic: record.topic, cost: cost, priority: record.priority, position: record.position, at: time)
            if !givenUp.isEmpty { forget(givenUp) }
        }
        if buffer.hasDelayed { writeDelayedLater() }
        // Delayed records must not overtake earlier ones that are being written.
        guard store != nil, hasUrgent || writer != nil || arriving.count > records.count else {
            settle([], arriving)
            arriving = []
            return
        }
        await withCheckedContinuation { continuation in
            waiters.append(continuation)
            startWriting()
        }
    }

    // MARK: Expiry and status

    /// Expires records that are older than the rules allow, and reports lost records as notices. Must be called about
    /// once a minute.
    package func expire(at now: ClockReading) {
        expire(atTime: time(at: now))
        // Some records may have waited behind a rejected one that has expired.
        if ledger.waiting > 0 { changed.yield() }
        // The file may have been removed. Its contents can still be copied while it is open.
        if let store, !store.isInPlace {
            isMisplaced = true
            startWriting()
        }
        if let store, clock.state.time - keptAt > Self.keepingInterval { keepState(store) }
        let evicted = ledger.takeEvicted()
        if !evicted.isEmpty { noticed.yield(.evicted(evicted)) }
    }

    private func expire(atTime time: Int64) {
        forget(ledger.expire(at: time))
        if let expired = ledger.takeExpired() { noticed.yield(.expired(expired)) }
    }

    /// Number of records that the broker has not acknowledged.
    package var waiting: Int { ledger.count - ledger.waitingForConsumer }

    package func status(at now: ClockReading) -> OutboxStatus {
        let time = self.time(at: now)
        let rate = fillRate.rate(at: time)
        let room = Double(OutboxSpace.room(rules: ledger.rules, bytes: ledger.bytes, space: store?.space))
        return OutboxStatus(
            records: ledger.count, bytes: ledger.bytes, capacityBytes: ledger.rules.bytes,
            oldestEntryAt: ledger.oldestEntryAt.map(clock.timestamp), oldest: ledger.oldest,
            lasts: lasts,
            waitingForConsumer: ledger.waitingForConsumer, evicted: ledger.evicted, expired: ledger.expired,
            refused: refused, damaged: damaged, fillRate: rate, secondsLeft: rate > 0 ? room / rate : nil,
            trouble: trouble)
    }

    // MARK: Time

    /// Returns the present time of the clock. Once it is known how long the machine was off, the entry times of earlier
    /// records are corrected.
    func time(at now: ClockReading) -> Int64 {
        let time = clock.observe(now)
        let step = clock.takeStep()
        if let step { ledger.restamp(from: step.firstID, by: step.microseconds) }
        if let store, step != nil || clock.isAnchored != isAnchored { keepState(store) }
        return time
    }

    func keepState(_ store: OutboxStore) {
        isAnchored = clock.isAnchored
        keptAt = clock.state.time
        // Records that are being written may or may not be on disk.
        store.keep(state(stored: ledger.count - buffer.unwritten))
    }

    /// Returns the state to keep.
    ///
    /// - Parameter stored: the number of records on disk.
    func state(stored: Int, isClosed: Bool = false) -> OutboxState {
        OutboxState(
            clock: clock.state, holding: OutboxState.Holding(stored, newest: newest, oldest: ledger.oldest),
            lasts: lasts, isClosed: isClosed)
    }
}
