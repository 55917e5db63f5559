import BeaconModel
import GRDB
import Glibc
import Publishing
import RecordContract
import SystemIO

/// The initial contents of an outbox.
struct OutboxContents: Sendable {
    var ledger: OutboxLedger
    var nextID: Int64 = 1
    /// Rows that are already given up.
    var deletes: [Int64] = []
    var damaged: UInt64 = 0
    /// Records that have expired.
    var expired: OutboxLoss?
    var findings: [OutboxFinding] = []

    var clock: OutboxClock
    var lasts = LastRecords()
    /// The most recently written record among those that were found.
    var newest: (id: Int64, position: RecordPosition)?

    init(rules: OutboxRules, now: ClockReading) {
        ledger = OutboxLedger(rules: rules)
        clock = OutboxClock(now: now)
    }

    /// Opens a store and takes over its rows. Blocks.
    ///
    /// If the file system is full, opening is tried once more with the space of the reserve.
    static func open(
        _ path: String, rules: OutboxRules, now: ClockReading
    ) -> Result<(OutboxStore, OutboxContents), OutboxError> {
        do {
            return .success(try OutboxReserve(database: path).lend { try attempt(path, rules: rules, now: now) })
        } catch let error as OutboxError {
            return .failure(error)
        } catch {
            return .failure(
                OutboxError(
                    "cannot open the outbox \(path): \(OutboxStore.describe(error))",
                    meaning: "records cannot be kept during an outage or a restart",
                    remedy: OutboxStore.isOutOfSpace(error)
                        ? "free space on its file system; or move the file to another disk; its records are not sent "
                            + "then"
                        : "check that the disk works and that its directory is writable; or move the file away;"
                            + " its records are not sent then"))
        }
    }

    private static func attempt(
        _ path: String, rules: OutboxRules, now: ClockReading
    ) throws -> (OutboxStore, OutboxContents) {
        try OutboxSalvage.completeInterrupted(path)
        var before = OutboxBefore(files: try OutboxFilesFound.examine(path))
        var findings: [OutboxFinding] = []
        switch try OutboxStateFile(database: path).read() {
        case .nothing: break
        case .damaged:
            findings.append(
                OutboxFinding(
                    "\(OutboxStateFile(database: path).path) is damaged",
                    remedy: "none needed: the ages of the waiting records restart at 0; check the disk if this recurs"))
        case .state(let state): before.state = state
        }
        if before.files.isEmpty, before.files.hasLog {
            // SQLite deletes the write-ahead log of an empty database, although the log may contain all records.
            try OutboxFilesFound.lengthen(path)
        }
        let log = try repairLog(of: path)
        if let finding = log.finding { findings.append(finding) }
        before.unfinishedBytes = log.unfinishedBytes
        do {
            return try load(path, rules: rules, now: now, before, findings: findings)
        } catch  where OutboxSalvage.isDamage(error) {
            findings.append(try OutboxSalvage.salvage(path, because: error))
            return try load(path, rules: rules, now: now, before, findings: findings)
        }
    }

    private static func load(
        _ path: String, rules: OutboxRules, now: ClockReading, _ before: OutboxBefore, findings: [OutboxFinding]
    ) throws -> (OutboxStore, OutboxContents) {
        let store = try OutboxStore.open(path)
        do {
            var contents = OutboxContents(rules: rules, now: now)
            contents.findings = findings
            var found = OutboxFound(holding: before.state?.holding)
            let damaged = try store.load { row, size in
                found.count(row)
                contents.restore(row, payloadSize: size, before.state?.clock, now: now)
            }
            found.count += damaged.count
            contents.drop(damaged, path)
            let missing = before.missing(found, now: now, path: path)
            contents.findings += missing.findings
            contents.damaged += UInt64(missing.certain)
            for last in before.state?.lasts.positions ?? [] { contents.lasts.add(last) }
            if let holding = before.state?.holding { contents.nextID = max(contents.nextID, holding.newestID + 1) }
            contents.clock = OutboxClock(
                before.state?.clock, newest: contents.ledger.newestEntryAt, now: now, nextID: contents.nextID)
            if let step = contents.clock.takeStep() {
                contents.ledger.restamp(from: step.firstID, by: step.microseconds)
            }
            contents.deletes += contents.ledger.expire(at: contents.clock.state.time)
            contents.expired = contents.ledger.takeExpired()
            store.takeReserve()
            store.writeState(contents.state, isDurable: true)
            return (store, contents)
        } catch {
            store.abandon()
            throw error
        }
    }

    /// The state of the outbox as it is opened.
    private var state: OutboxState {
        OutboxState(
            clock: clock.state, holding: OutboxState.Holding(ledger.count, newest: newest, oldest: ledger.oldest),
            lasts: lasts)
    }

    /// Repairs the write-ahead log. SQLite would silently skip damage in it.
    ///
    /// - Returns: what was repaired, and the number of bytes at the end that belong to an incomplete transaction.
    private static func repairLog(of path: String) throws -> (finding: OutboxFinding?, unfinishedBytes: Int) {
        let log = path + "-wal"
        guard access(log, F_OK) == 0 else { return (nil, 0) }
        let contents = try FileContents.read(log, limit: 1 << 31)
        let examined = OutboxWriteAheadLog(contents, pageSize: OutboxSchema.pageSize)
        guard let repaired = examined.repaired else { return (nil, examined.unfinishedBytes) }
        let kept = log + ".damaged"
        try FileContents.replace(kept, with: contents, isPrivate: true)
        try FileContents.replace(log, with: repaired, isPrivate: true)
        // The index belongs to the log as it was.
        unlink(path + "-shm")
        let finding = OutboxFinding(
            "\(examined.damagedBytes) of \(contents.count) bytes of the outbox's write-ahead log \(log) were damaged",
            remedy: "a few records may be lost; check the disk for corruption; the damaged file is kept as"
                + " \(kept)")
        return (finding, 0)
    }

    private mutating func restore(
        _ row: OutboxRow, payloadSize: Int, _ clock: OutboxClock.State?, now: ClockReading
    ) {
        let cost = OutboxLedger.cost(topic: row.topic, payload: payloadSize)
        let time = OutboxClock.time(of: (row.id, row.enteredAt), clock, now: now)
        let enteredAt = max(time, ledger.newestEntryAt ?? .min)
        newest = (row.id, row.position)
        lasts.add(row.position)
        deletes += ledger.restore(
            row.id, topic: row.topic, cost: cost, priority: row.priority, position: row.position, at: enteredAt)
        nextID = max(nextID, row.id + 1)
    }

    private mutating func drop(_ rows: [Int64], _ path: String) {
        guard !rows.isEmpty else { return }
        // No gateway assigns identifiers out of this range, so numbering does not continue from them.
        if let last = rows.last(where: { OutboxRow.ids.contains($0) }) { nextID = max(nextID, last + 1) }
        damaged += UInt64(rows.count)
        deletes += rows
        findings.append(
            OutboxFinding(
                "\(rows.count) records in the outbox \(path) were damaged and are lost",
                remedy: "check the disk for corruption"))
    }
}
