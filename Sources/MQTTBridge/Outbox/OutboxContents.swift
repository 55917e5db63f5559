import BeaconModel
import GRDB

/// What an outbox begins with.
struct OutboxContents: Sendable {
    var ledger: OutboxLedger
    var nextID: Int64 = 1
    /// Rows that are given up already.
    var deletes: [Int64] = []
    var damaged: UInt64 = 0
    var findings: [OutboxFinding] = []

    init(rules: OutboxRules, now: Timestamp) { ledger = OutboxLedger(rules: rules) }

    /// Opens a store and takes its rows over. Blocks.
    static func open(
        _ path: String, rules: OutboxRules, now: Timestamp
    ) -> Result<(OutboxStore, OutboxContents), OutboxError> {
        do {
            let store = try OutboxStore.open(path)
            var contents = OutboxContents(rules: rules, now: now)
            let damaged = try store.load { contents.restore($0, now: now.microseconds) }
            contents.drop(damaged, path)
            contents.deletes += contents.ledger.expire(at: now.microseconds)
            return .success((store, contents))
        } catch let error as OutboxError {
            return .failure(error)
        } catch {
            return .failure(
                OutboxError(
                    "can't open the outbox \(path): \(OutboxStore.describe(error))",
                    remedy: "move the file away; its records are not sent then"))
        }
    }

    private mutating func restore(_ row: OutboxStore.Loaded, now: Int64) {
        let cost = OutboxLedger.cost(topic: row.topic, payload: row.payloadSize)
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
