import BeaconModel
import Publishing
import RecordContract

/// Writing to the disk and deleting there, and what happens when that fails.
extension Outbox {
    func writeDelayedLater() {
        if buffer.hasTooManyDelayed {
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
        buffer.endDelay()
        startWriting()
    }

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
        noticed.yield(.restored(path: new.path, records: ledger.count - buffer.unwritten))
        keepState(new)
        return new
    }

    /// Removes the payloads and rows of records that have left the ledger.
    func forget(_ ids: [Int64]) {
        buffer.forget(ids)
        deleteLater()
    }

    func deleteLater() {
        if buffer.hasFullDeletes {
            startWriting()
        } else if buffer.hasDeletes, deleteTimer == nil, !isClosed {
            deleteTimer = Task {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                self.deleteTimer = nil
                self.buffer.flushDeletes()
                self.startWriting()
            }
        }
    }

    func startWriting() {
        guard writer == nil, store != nil else { return }
        writer = Task { await self.write() }
    }

    private func write() async {
        defer { writer = nil }
        while let store, buffer.isDue || !waiters.isEmpty || isMisplaced {
            let stored = ledger.count - buffer.unwritten
            let batch = buffer.takeBatch(isTrial: trouble != nil)
            // Unless this is a trial, this transaction contains all records of these callers.
            let isComplete = buffer.held.isEmpty
            let waiting = isComplete ? waiters : []
            let settled = isComplete ? arriving : []
            if isComplete { (waiters, arriving) = ([], []) }
            let before = state(stored: stored)
            if let last = batch.rows.last, last.id > newest?.id ?? .min { newest = (last.id, last.position) }
            let after = state(stored: stored + batch.rows.count)
            let failure: (any Error)?
            do {
                let store = try await storeInPlace(store)
                if !batch.isEmpty {
                    try await store.apply(
                        inserts: batch.rows, deletes: batch.deletes, before: before, after: after)
                }
                failure = nil
            } catch {
                failure = error
            }
            if let failure {
                buffer.failed(batch) { ledger.isHeld($0) }
                report(failure, "cannot write")
                for id in buffer.giveUp(unless: { ledger.isOffered($0) }) { ledger.evict(id) }
                settle(waiting, settled)
                settle(waiters, arriving)
                (waiters, arriving) = ([], [])
                // The next append or the timer starts a new attempt.
                return
            } else {
                buffer.written(batch) { ledger.isHeld($0) }
                if trouble != nil { noticed.yield(.writable(path: store.path)) }
                trouble = nil
                retryTimer?.cancel()
                retryTimer = nil
            }
            settle(waiting, settled)
        }
    }

    /// Releases records that are on disk, or held until they can be written, and resumes the waiting callers.
    func settle(_ waiting: [CheckedContinuation<Void, Never>], _ ids: [Int64]) {
        for id in ids { ledger.release(id) }
        changed.yield()
        for waiter in waiting { waiter.resume() }
    }

    func report(_ error: any Error, _ what: String) {
        let path = store?.path ?? ""
        let text = "\(what) the outbox \(path): \(OutboxStore.describe(error))"
        if trouble == nil { noticed.yield(.unwritable(path: path, reason: text)) }
        trouble = OutboxStatus.Trouble(text: text, since: trouble?.since ?? clock.state.reading.wall)
        guard retryTimer == nil, !isClosed else { return }
        retryTimer = Task {
            while (try? await Task.sleep(for: retryInterval)) != nil {
                self.buffer.flushDeletes()
                self.startWriting()
            }
        }
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
        buffer.flushDeletes()
        startWriting()
        await writer?.value
        // A removed file disappears when the process ends.
        let isGone = store.map { !$0.isInPlace } ?? false
        if let store, let unsaved = isGone ? OutboxLoss(ledger.positions) : OutboxLoss(buffer.held.positions) {
            noticed.yield(.unsaved(path: store.path, unsaved))
        }
        do {
            try await store?.close(state(stored: ledger.count - buffer.held.count, isClosed: true))
        } catch {
            report(error, "cannot close")
        }
        changed.finish()
        noticed.finish()
    }
}
