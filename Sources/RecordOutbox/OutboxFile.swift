package import BeaconModel
import GRDB
import Glibc
package import Publishing
package import RecordContract
import SystemIO

/// The file of an outbox, for tools that inspect it, even while a gateway uses it. Its calls block.
package struct OutboxFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var isThere: Bool { access(path, F_OK) == 0 }

    /// Runs an operation beside the outbox, and runs it again with the space of the reserve if the file system is full.
    ///
    /// No gateway may use the file meanwhile.
    package func lendingReserve<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try OutboxReserve(database: path).lend(body)
    }

    /// Summary of the records in the file.
    package struct Contents: Equatable, Sendable {
        package var records = 0
        /// Bytes that count towards the size limit: payload, topic and 64 per record.
        package var bytes = 0
        package var byPriority: [OutboxPriority: Int] = [:]
        package var oldestEntryAt: Timestamp?
        package var oldest: RecordPosition?
        package var newest: RecordPosition?
        /// Rows that differ from what was written.
        package var damaged = 0

        package init() {}
    }

    /// Returns a summary of the records in the file.
    ///
    /// - Parameter now: the clock reading from which the ages of the records are computed.
    /// - Throws: `OutboxError`.
    package func contents(at now: ClockReading) throws(OutboxError) -> Contents {
        var contents = Contents()
        let ages = Ages(try state(), now: now)
        try read { row, _ in
            guard let row else {
                contents.damaged += 1
                return
            }
            contents.records += 1
            contents.bytes += OutboxLedger.cost(topic: row.topic, payload: row.payload.count)
            contents.byPriority[row.priority, default: 0] += 1
            let enteredAt = ages.enteredAt(row)
            contents.oldestEntryAt = min(contents.oldestEntryAt ?? enteredAt, enteredAt)
            contents.oldest = min(contents.oldest ?? row.position, row.position)
            contents.newest = max(contents.newest ?? row.position, row.position)
        }
        return contents
    }

    /// Passes the payload of each record to `body` in order, marked as historical, as it would be sent.
    ///
    /// - Parameter body: returns whether it wants more.
    /// - Returns: the number of rows that were omitted because they were damaged, or because their payload is not a
    ///   JSON object in one line.
    /// - Throws: `OutboxError`.
    package func export(_ body: ([UInt8]) -> Bool) throws(OutboxError) -> Int {
        var damaged = 0
        try read { row, stop in
            if let row, JSON.isObjectInOneLine(row.payload) {
                stop = !body(HistoricalMark.setting(row.payload))
            } else {
                damaged += 1
            }
        }
        return damaged
    }

    /// Deletes records. No gateway may use the file meanwhile.
    ///
    /// - Parameters:
    ///   - age: deletes only records that entered longer ago; `nil`: all.
    ///   - now: the clock reading from which their ages are computed.
    /// - Returns: the number of deleted records by priority.
    /// - Throws: `OutboxError`.
    package func purge(olderThan age: Duration?, at now: ClockReading) throws(OutboxError) -> [OutboxPriority: Int] {
        var doomed: [OutboxRow] = []
        var kept: [RecordPosition] = []
        var newest: (id: Int64, position: RecordPosition)?
        var state = try state()
        let ages = Ages(state, now: now)
        try read { row, _ in
            guard var row else { return }
            if age.map({ now.wall - ages.enteredAt(row) > $0 }) ?? true {
                row.payload = []
                doomed.append(row)
            } else {
                kept.append(row.position)
                newest = (row.id, row.position)
            }
        }
        // The next start must not report these deleted records as missing.
        state?.holding = OutboxState.Holding(kept.count, newest: newest, oldest: kept.min())
        do {
            try OutboxReserve(database: path).lend {
                let store = try OutboxStore.open(path)
                if let state { store.writeState(state, isDurable: true) }
                try store.applyNow(inserts: [], deletes: doomed.map(\.id))
                try store.closeNow()
            }
        } catch {
            throw failure(error)
        }
        return Dictionary(grouping: doomed, by: \.priority).mapValues(\.count)
    }

    package func state() throws(OutboxError) -> OutboxState? {
        do throws(SystemError) {
            guard case .state(let state) = try OutboxStateFile(database: path).read() else { return nil }
            return state
        } catch {
            throw failure(error)
        }
    }

    /// Entry times of records by the present wall clock, so that their ages are correct.
    private struct Ages {
        let now: ClockReading
        /// The outbox's clock; `nil` if only the wall clock of that time is known.
        let clock: OutboxClock?

        init(_ state: OutboxState?, now: ClockReading) {
            self.now = now
            clock = state.map { OutboxClock($0.clock, now: now, nextID: .max) }
        }

        func enteredAt(_ row: OutboxRow) -> Timestamp {
            guard let clock else { return Timestamp(microseconds: row.enteredAt) }
            return clock.timestamp(OutboxClock.time(of: (row.id, row.enteredAt), clock.state, now: now))
        }
    }

    private func read(_ body: (OutboxRow?, inout Bool) -> Void) throws(OutboxError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            // SQLite creates a shared-memory file even for reading, unless a gateway has created it.
            try OutboxReserve(database: path).lend {
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                try queue.inDatabase { database in
                    _ = try OutboxTable.found(database, path: path)
                    let rows = try OutboxTable.rows(database)
                    var stop = false
                    while !stop, let row = try rows.next() { body(try OutboxTable.row(row), &stop) }
                }
                try queue.close()
            }
        } catch {
            throw failure(error)
        }
    }

    package func failure(_ error: any Error) -> OutboxError {
        if let error = error as? OutboxError { return error }
        return OutboxError(
            "cannot read the outbox \(path): \(OutboxStore.describe(error))",
            remedy: OutboxSalvage.isDamage(error)
                ? "start the gateway: it recovers the readable records and keeps the damaged file"
                : OutboxStore.isOutOfSpace(error)
                    ? "free space on its file system"
                    : "run the command as the gateway's user, or as root: the directory must be writable too",
            exitStatus: OutboxSalvage.isDamage(error) ? .data : .inputOutput)
    }
}
