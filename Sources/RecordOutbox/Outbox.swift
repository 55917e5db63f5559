package import BeaconModel
import GRDB
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

    private nonisolated let changed: AsyncStream<Void>.Continuation
    private nonisolated let noticed: AsyncStream<OutboxNotice>.Continuation
    private var store: OutboxStore?
    private let retryInterval: Duration
    private var ledger: OutboxLedger
    private var clock: OutboxClock
    /// Whether the clock, when its state was last kept, knew how much time had passed before this start of the machine.
    private var isAnchored: Bool
    /// The most recently written record.
    private var newest: (id: Int64, position: RecordPosition)?
    private var lasts: LastRecords
    private var fillRate = OutboxFillRate()
    private var nextID: Int64
    private var cache: OutboxCache
    /// Records that are not on disk and not being written.
    private var held = OutboxHeld()
    /// Records that are not on disk and are written only after `rules.writeDelay`; most are delivered before.
    private var delayed = OutboxHeld()
    private var delayTimer: Task<Void, Never>?
    /// Records in the ledger that are not released yet.
    private var arriving: [Int64] = []
    /// Records that are held because writing them failed. Some of them may be on disk nevertheless.
    private var halfWritten: Set<Int64> = []
    /// Records that are being written.
    private var inFlight = OutboxSlots<OutboxRow>()
    /// Records on disk that must be deleted there.
    private var deletes: [Int64] = []
    private var flushesDeletes = false
    /// Whether the file is missing from the path at which it was opened.
    private var isMisplaced = false
    /// The time at which the state was last kept durably, by the outbox's clock.
    private var keptAt: Int64 = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var writer: Task<Void, Never>?
    private var deleteTimer: Task<Void, Never>?
    private var retryTimer: Task<Void, Never>?
    private var isClosed = false
    private var trouble: OutboxStatus.Trouble?
    /// Evicted records by priority, as of the latest notice.
    private var toldEvicted: [OutboxPriority: UInt64] = [:]
    private var refused: UInt64 = 0
    private var damaged: UInt64
    /// Number of lost connections, so that records read for one connection are not offered in another.
    private var connection = 0

    /// Bytes of payloads that are cached in memory although they are on disk.
    private static let cacheCapacity = 4_000_000
    /// Bytes that are held in memory while the disk cannot be written.
    private static let heldCapacity = 8_000_000
    /// Bytes that are held in memory because their writing is delayed.
    private static let delayedCapacity = 1_000_000
    /// Microseconds after which the state is kept durably even if nothing has happened.
    private static let keepingInterval: Int64 = 3_600_000_000
    /// Number of rows in a write attempt after a failure. It is small because the attempt will most likely fail again.
    private static let trialBatch = 100
    /// Number of rows that are read at once.
    private static let readBatch = 100
    /// Number of deletions that start a transaction of their own; fewer wait for 1 s.
    private static let deleteBatch = 500

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
        deletes = contents.deletes
        damaged = contents.damaged
        clock = contents.clock
        newest = contents.newest
        lasts = contents.lasts
        isAnchored = contents.clock.isAnchored
        cache = OutboxCache(capacity: store == nil ? .max : Self.cacheCapacity)
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
        let hasUrgent = records.contains { !isDelayed($0) }
        for record in records {
            let id = nextID
            nextID += 1
            lasts.add(record.position)
            let cost = OutboxLedger.cost(topic: record.topic, payload: record.payload.count)
            fillRate.add(cost, at: time)
            if store == nil {
                cache.insert(id, record.payload)
            } else {
                let row = OutboxRow(
                    id: id, topic: record.topic, priority: record.priority, position: record.position,
                    enteredAt: clock.stamp, payload: record.payload)
                if isDelayed(record) { delayed.insert(row) } else { held.insert(row) }
            }
            arriving.append(id)
            let givenUp = ledger.append(
                id, topic: record.topic, cost: cost, priority: record.priority, position: record.position, at: time)
            if !givenUp.isEmpty { forget(givenUp) }
        }
        if !delayed.isEmpty { writeDelayedLater() }
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

    private func isDelayed(_ record: OutboxRecord) -> Bool {
        record.priority == .updated && (ledger.rules.writeDelay ?? .zero) > .zero
    }

    private func writeDelayedLater() {
        if delayed.bytes > Self.delayedCapacity {
            writeDelayed()
        } else if delayTimer == nil, let delay = ledger.rules.writeDelay {
            delayTimer = Task {
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                self.writeDelayed()
            }
        }
    }

    private func writeDelayed() {
        delayTimer?.cancel()
        delayTimer = nil
        for row in delayed.take(.max) { held.insert(row) }
        startWriting()
    }

    // MARK: Going out

    /// Sets whether the broker can be reached; `false` also means that the connection is lost.
    package func setOnline(_ isOnline: Bool) {
        if !isOnline { connection += 1 }
        ledger.setOnline(isOnline)
        if isOnline { changed.yield() }
    }

    /// Returns the next records to offer. They count as offered from now on.
    ///
    /// - Parameter limit: the maximum number of records.
    package func next(_ limit: Int, now: ContinuousClock.Instant) async -> OutboxOffer {
        let (ids, retryAfter) = ledger.offer(limit, now: now)
        if ids.isEmpty { return OutboxOffer(retryAfter: retryAfter) }
        var offer = OutboxOffer(entries: ledger.entries(offered: ids), retryAfter: retryAfter)
        var missing: [Int64] = []
        // The cache may drop payloads while the disk is read, so cached payloads are taken first.
        for index in offer.entries.indices {
            let id = offer.entries[index].id
            if let payload = payload(of: id) { offer.entries[index].setPayload(payload) } else { missing.append(id) }
        }
        if !missing.isEmpty {
            let connection = self.connection
            var read: [Int64: [UInt8]] = [:]
            var unreadable = Set<Int64>()
            for start in stride(from: 0, to: missing.count, by: Self.readBatch) {
                let batch = Array(missing[start..<min(start + Self.readBatch, missing.count)])
                do {
                    guard let store else { break }
                    read.merge(try await store.read(batch)) { $1 }
                } catch {
                    unreadable.formUnion(batch)
                    report(error, "cannot read")
                }
            }
            guard connection == self.connection else { return OutboxOffer() }
            for id in missing where read[id] == nil && !unreadable.contains(id) && ledger.drop(id) {
                damaged += 1
                forget([id])
            }
            if !unreadable.isEmpty {
                // A later record of the same topic must not be sent before an unreadable one.
                let topics = Set(unreadable.compactMap { ledger.entry($0)?.topic })
                ledger.withdraw(ids.filter { id in ledger.entry(id).map { topics.contains($0.topic) } ?? false })
                offer.retryAfter = .seconds(1)
            }
            for index in offer.entries.indices {
                if let payload = read[offer.entries[index].id] { offer.entries[index].setPayload(payload) }
            }
            // Some records may have been given up meanwhile.
            let remaining = Set(ledger.entries(offered: ids).map(\.id))
            let unread = Set(missing).subtracting(read.keys)
            offer.entries.removeAll { unread.contains($0.id) || !remaining.contains($0.id) }
        }
        return offer
    }

    /// Handles the broker's acknowledgement of records.
    package func acknowledge(_ ids: [Int64], at now: ClockReading) {
        forget(ledger.acknowledge(ids, at: time(at: now)))
    }

    /// Keeps a record that the broker rejects at present, to be tried again later.
    ///
    /// It expires or is evicted like any other record.
    package func withhold(_ id: Int64, at now: ContinuousClock.Instant) { ledger.withhold(id, at: now) }

    /// Records that wait because the broker has rejected them, or one before them.
    package var withheld: Int { ledger.withheld }

    /// Whether the outbox holds records that the broker has rejected.
    package var isRefused: Bool { !ledger.refusing.isEmpty }

    /// Drops a record that the client library will never accept. It would block all others.
    package func refuse(_ id: Int64) {
        guard ledger.drop(id) else { return }
        refused += 1
        forget([id])
    }

    /// Handles the consumer's confirmation that everything up to a position is stored.
    ///
    /// - Parameter isRetained: whether this is the broker's retained copy, which does not prove that the consumer is
    ///   running.
    package func stored(through position: RecordPosition, isRetained: Bool, at now: ClockReading) {
        let time = self.time(at: now)
        forget(ledger.stored(through: position))
        guard !isRetained else { return }
        ledger.reofferUnconfirmed(at: time)
        changed.yield()
    }

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
        let evicted = ledger.evicted.merging(toldEvicted) { $0 - $1 }.filter { $0.value > 0 }
        toldEvicted = ledger.evicted
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

    /// Writes what is not written yet, moves the write-ahead log into the database and closes it.
    package func close() async {
        guard !isClosed else { return }
        isClosed = true
        deleteTimer?.cancel()
        retryTimer?.cancel()
        // The current write may leave records or deletions behind.
        await writer?.value
        writeDelayed()
        flushesDeletes = true
        startWriting()
        await writer?.value
        // A removed file disappears when the process ends.
        let isGone = store.map { !$0.isInPlace } ?? false
        if let store, let unsaved = isGone ? OutboxLoss(ledger.positions) : OutboxLoss(held.positions) {
            noticed.yield(.unsaved(path: store.path, unsaved))
        }
        do {
            try await store?.close(state(stored: ledger.count - held.count, isClosed: true))
        } catch {
            report(error, "cannot close")
        }
        changed.finish()
        noticed.finish()
    }

    // MARK: Time

    /// Returns the present time of the clock. Once it is known how long the machine was off, the entry times of earlier
    /// records are corrected.
    private func time(at now: ClockReading) -> Int64 {
        let time = clock.observe(now)
        let step = clock.takeStep()
        if let step { ledger.restamp(from: step.firstID, by: step.microseconds) }
        if let store, step != nil || clock.isAnchored != isAnchored { keepState(store) }
        return time
    }

    private func keepState(_ store: OutboxStore) {
        isAnchored = clock.isAnchored
        keptAt = clock.state.time
        // Records that are being written may or may not be on disk.
        store.keep(state(stored: ledger.count - held.count - delayed.count - inFlight.count))
    }

    /// Returns the state to keep.
    ///
    /// - Parameter stored: the number of records on disk.
    private func state(stored: Int, isClosed: Bool = false) -> OutboxState {
        OutboxState(
            clock: clock.state, holding: OutboxState.Holding(stored, newest: newest, oldest: ledger.oldest),
            lasts: lasts, isClosed: isClosed)
    }

    // MARK: The disk

    /// Returns the store in its place. If its file was removed, this is a new one with the same records.
    private func storeInPlace(_ store: OutboxStore) async throws -> OutboxStore {
        if store.isInPlace {
            isMisplaced = false
            return store
        }
        isMisplaced = true
        let new = try await store.moveBack()
        isMisplaced = false
        self.store = new
        noticed.yield(.restored(path: new.path, records: ledger.count - held.count - delayed.count - inFlight.count))
        keepState(new)
        return new
    }

    private func payload(of id: Int64) -> [UInt8]? {
        cache[id] ?? held[id]?.payload ?? delayed[id]?.payload ?? inFlight[id]?.payload
    }

    /// Removes the payloads and rows of records that have left the ledger.
    private func forget(_ ids: [Int64]) {
        for id in ids {
            cache.remove(id)
            let isInMemory = held.remove(id) || delayed.remove(id)
            if store != nil, !isInMemory || halfWritten.remove(id) != nil { deletes.append(id) }
        }
        deleteLater()
    }

    private func deleteLater() {
        if deletes.count >= Self.deleteBatch {
            startWriting()
        } else if !deletes.isEmpty, deleteTimer == nil, !isClosed {
            deleteTimer = Task {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                self.deleteTimer = nil
                self.flushesDeletes = true
                self.startWriting()
            }
        }
    }

    private func startWriting() {
        guard writer == nil, store != nil else { return }
        writer = Task { await self.write() }
    }

    private func write() async {
        defer { writer = nil }
        while let store,
            !held.isEmpty || !waiters.isEmpty || deletes.count >= Self.deleteBatch
                || (flushesDeletes && !deletes.isEmpty) || isMisplaced
        {
            let stored = ledger.count - held.count - delayed.count
            let rows = held.take(trouble == nil ? .max : Self.trialBatch)
            let gone = deletes
            (deletes, flushesDeletes) = ([], false)
            // Unless this is a trial, this transaction contains all records of these callers.
            let waiting = held.isEmpty ? waiters : []
            let settled = held.isEmpty ? arriving : []
            if held.isEmpty { (waiters, arriving) = ([], []) }
            for row in rows { inFlight.insert(row.id, row) }
            let before = state(stored: stored)
            if let last = rows.last, last.id > newest?.id ?? .min { newest = (last.id, last.position) }
            let after = state(stored: stored + rows.count)
            let failure: (any Error)?
            do {
                let store = try await storeInPlace(store)
                if !rows.isEmpty || !gone.isEmpty {
                    try await store.apply(inserts: rows, deletes: gone, before: before, after: after)
                }
                failure = nil
            } catch {
                failure = error
            }
            if let failure {
                deletes = gone + deletes
                // These records come before those that have arrived meanwhile.
                for row in rows.reversed() where ledger.isHeld(row.id) {
                    held.insert(row)
                    halfWritten.insert(row.id)
                }
                inFlight = OutboxSlots()
                report(failure, "cannot write")
                giveUpHeld()
                settle(waiting, settled)
                settle(waiters, arriving)
                (waiters, arriving) = ([], [])
                // The next append or the timer starts a new attempt.
                return
            } else {
                halfWritten.subtract(rows.lazy.map(\.id))
                for row in rows where ledger.isHeld(row.id) { cache.insert(row.id, row.payload) }
                inFlight = OutboxSlots()
                if trouble != nil { noticed.yield(.writable(path: store.path)) }
                trouble = nil
                retryTimer?.cancel()
                retryTimer = nil
            }
            settle(waiting, settled)
        }
    }

    /// Releases records that are on disk, or held until they can be written, and resumes the waiting callers.
    private func settle(_ waiting: [CheckedContinuation<Void, Never>], _ ids: [Int64]) {
        for id in ids { ledger.release(id) }
        changed.yield()
        for waiter in waiting { waiter.resume() }
    }

    /// Evicts held records beyond `heldCapacity`, since memory is bounded too.
    private func giveUpHeld() {
        for id in held.giveUp(to: Self.heldCapacity, unless: { ledger.isOffered($0) }) {
            ledger.evict(id)
            if halfWritten.remove(id) != nil { deletes.append(id) }
        }
    }

    private func report(_ error: any Error, _ what: String) {
        let path = store?.path ?? ""
        let text = "\(what) the outbox \(path): \(OutboxStore.describe(error))"
        if trouble == nil { noticed.yield(.unwritable(path: path, reason: text)) }
        trouble = OutboxStatus.Trouble(text: text, since: trouble?.since ?? clock.state.reading.wall)
        guard retryTimer == nil, !isClosed else { return }
        retryTimer = Task {
            while (try? await Task.sleep(for: retryInterval)) != nil {
                self.flushesDeletes = true
                self.startWriting()
            }
        }
    }
}
