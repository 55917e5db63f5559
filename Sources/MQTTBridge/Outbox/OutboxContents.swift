import BeaconModel
import GRDB
import Glibc
import SystemIO

/// What an outbox begins with.
struct OutboxContents: Sendable {
    var ledger: OutboxLedger
    var nextID: Int64 = 1
    /// Rows that are given up already.
    var deletes: [Int64] = []
    var damaged: UInt64 = 0
    /// Records that were given up for their age.
    var expired: OutboxLoss?
    var findings: [OutboxFinding] = []

    init(rules: OutboxRules, now: Timestamp) { ledger = OutboxLedger(rules: rules) }

    /// Opens a store and takes its rows over. Blocks.
    ///
    /// On a file system that is full it is tried once more with the space of the reserve.
    static func open(
        _ path: String, rules: OutboxRules, now: Timestamp
    ) -> Result<(OutboxStore, OutboxContents), OutboxError> {
        do {
            return .success(try OutboxReserve(database: path).lend { try attempt(path, rules: rules, now: now) })
        } catch let error as OutboxError {
            return .failure(error)
        } catch {
            return .failure(
                OutboxError(
                    "can't open the outbox \(path): \(OutboxStore.describe(error))",
                    meaning: "records can't be kept over an outage or a restart",
                    remedy: OutboxStore.isOutOfSpace(error)
                        ? "free space on its file system; or move the file to another disk, then its records are not sent"
                        : "see that the disk works and that its directory can be written; or move the file away,"
                            + " then its records are not sent"))
        }
    }

    private static func attempt(
        _ path: String, rules: OutboxRules, now: Timestamp
    ) throws -> (OutboxStore, OutboxContents) {
        try OutboxSalvage.completeInterrupted(path)
        var findings = try repairLog(of: path).map { [$0] } ?? []
        do {
            return try load(path, rules: rules, now: now, findings: findings)
        } catch  where OutboxSalvage.isDamage(error) {
            findings.append(try OutboxSalvage.salvage(path, because: error))
            return try load(path, rules: rules, now: now, findings: findings)
        }
    }

    private static func load(
        _ path: String, rules: OutboxRules, now: Timestamp, findings: [OutboxFinding]
    ) throws -> (OutboxStore, OutboxContents) {
        let store = try OutboxStore.open(path)
        do {
            var contents = OutboxContents(rules: rules, now: now)
            contents.findings = findings
            let damaged = try store.load { contents.restore($0, payloadSize: $1, now: now.microseconds) }
            contents.drop(damaged, path)
            contents.deletes += contents.ledger.expire(at: now.microseconds)
            contents.expired = contents.ledger.takeExpired()
            store.takeReserve()
            return (store, contents)
        } catch {
            store.abandon()
            throw error
        }
    }

    /// SQLite would pass over damage of its write-ahead log in silence.
    private static func repairLog(of path: String) throws -> OutboxFinding? {
        let log = path + "-wal"
        guard access(log, F_OK) == 0 else { return nil }
        let contents = try FileContents.read(log, limit: 1 << 31)
        let examined = OutboxWriteAheadLog(contents, pageSize: OutboxStore.pageSize)
        guard let repaired = examined.repaired else {
            if examined.unfinishedBytes == 0 { return nil }
            return OutboxFinding(
                "the last \(examined.unfinishedBytes) bytes of the outbox's write-ahead log \(log) are unfinished",
                remedy: "nothing, after a power cut or kill -9: what was being written hadn't been taken over yet")
        }
        let kept = log + ".damaged"
        try FileContents.replace(kept, with: contents, isPrivate: true)
        try FileContents.replace(log, with: repaired, isPrivate: true)
        // An index of the log as it was.
        unlink(path + "-shm")
        return OutboxFinding(
            "\(examined.damagedBytes) of \(contents.count) bytes of the outbox's write-ahead log \(log) were damaged",
            remedy: "a few records may be lost; check the disk, whose contents changed; the damaged file is kept as"
                + " \(kept)")
    }

    private mutating func restore(_ row: OutboxRow, payloadSize: Int, now: Int64) {
        let cost = OutboxLedger.cost(topic: row.topic, payload: payloadSize)
        // A clock that was wrong in an earlier run doesn't make the later records old.
        let enteredAt = max(min(row.enteredAt, now), ledger.newestEntryAt ?? .min)
        deletes += ledger.restore(
            row.id, topic: row.topic, cost: cost, priority: row.priority, position: row.position, at: enteredAt)
        nextID = max(nextID, row.id + 1)
    }

    private mutating func drop(_ rows: [Int64], _ path: String) {
        guard let last = rows.last else { return }
        nextID = max(nextID, last + 1)
        damaged += UInt64(rows.count)
        deletes += rows
        findings.append(
            OutboxFinding(
                "\(rows.count) records in the outbox \(path) were damaged and are lost",
                remedy: "check the disk: its contents changed"))
    }
}
