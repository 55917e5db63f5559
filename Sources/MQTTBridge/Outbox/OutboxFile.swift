public import BeaconModel
import GRDB
import Glibc
import SystemIO

/// The file of an outbox for those who look at it from outside, also while a gateway works with it. Its calls block.
public struct OutboxFile: Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    public var isThere: Bool { access(path, F_OK) == 0 }

    /// Does something beside the outbox, and does it again with the space of the reserve if the file system is full.
    ///
    /// No gateway may work with the file meanwhile.
    public func lendingReserve<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try OutboxReserve(database: path).lend(body)
    }

    /// What is in it.
    public struct Contents: Equatable, Sendable {
        public var records = 0
        /// Of payloads and topics, and 64 for each record: what the bound is about.
        public var bytes = 0
        public var byPriority: [OutboxPriority: Int] = [:]
        public var oldestEntryAt: Timestamp?
        public var oldest: RecordPosition?
        public var newest: RecordPosition?
        /// Rows that aren't what was written.
        public var damaged = 0

        public init() {}
    }

    /// - Throws: `OutboxError`.
    public func contents() throws(OutboxError) -> Contents {
        var contents = Contents()
        try read { row, _ in
            guard let row else {
                contents.damaged += 1
                return
            }
            contents.records += 1
            contents.bytes += OutboxLedger.cost(topic: row.topic, payload: row.payload.count)
            contents.byPriority[row.priority, default: 0] += 1
            let enteredAt = Timestamp(microseconds: row.enteredAt)
            contents.oldestEntryAt = min(contents.oldestEntryAt ?? enteredAt, enteredAt)
            contents.oldest = min(contents.oldest ?? row.position, row.position)
            contents.newest = max(contents.newest ?? row.position, row.position)
        }
        return contents
    }

    /// Gives the payload of each record in order, marked as historical, as it would be sent.
    ///
    /// - Parameter body: returns whether it wants more.
    /// - Returns: how many rows were damaged.
    /// - Throws: `OutboxError`.
    public func export(_ body: ([UInt8]) -> Bool) throws(OutboxError) -> Int {
        var damaged = 0
        try read { row, stop in
            if let row {
                stop = !body(HistoricalMark.setting(row.payload))
            } else {
                damaged += 1
            }
        }
        return damaged
    }

    /// Deletes records. No gateway may work with the file meanwhile.
    ///
    /// - Parameter time: only those that came in before it; all if none is given.
    /// - Returns: how many are gone, by priority.
    /// - Throws: `OutboxError`.
    public func purge(before time: Timestamp?) throws(OutboxError) -> [OutboxPriority: Int] {
        var doomed: [OutboxRow] = []
        try read { row, _ in
            if var row, time.map({ row.enteredAt < $0.microseconds }) ?? true {
                row.payload = []
                doomed.append(row)
            }
        }
        do {
            try OutboxReserve(database: path).lend {
                let store = try OutboxStore.open(path)
                try store.applyNow(inserts: [], deletes: doomed.map(\.id))
                try store.closeNow()
            }
        } catch {
            throw failure(error)
        }
        return Dictionary(grouping: doomed, by: \.priority).mapValues(\.count)
    }

    private func read(_ body: (OutboxRow?, inout Bool) -> Void) throws(OutboxError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            // Even to read, SQLite makes a file for its shared memory, unless a gateway has made it.
            try OutboxReserve(database: path).lend {
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                try queue.inDatabase { database in
                    let rows = try OutboxStore.rows(database)
                    var stop = false
                    while !stop, let row = try rows.next() { body(try OutboxStore.row(row), &stop) }
                }
                try queue.close()
            }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> OutboxError {
        if let error = error as? OutboxError { return error }
        return OutboxError(
            "can't read the outbox \(path): \(OutboxStore.describe(error))",
            remedy: OutboxSalvage.isDamage(error)
                ? "start the gateway: it saves what can be read and keeps the damaged file"
                : OutboxStore.isOutOfSpace(error)
                    ? "free space on its file system"
                    : "run this as the gateway's user, or as root: its directory must be writable too",
            exitStatus: OutboxSalvage.isDamage(error) ? .data : .inputOutput)
    }
}
