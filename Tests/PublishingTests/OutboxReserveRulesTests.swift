import RecordContract
import Testing

@testable import Publishing

@Suite struct OutboxReserveRulesTests {
    private typealias Rules = OutboxReserveRules

    /// A row that costs this many bytes.
    private func row(_ id: Int64, cost: Int) -> OutboxRow {
        OutboxRow(
            id: id, topic: "t", priority: .started, position: RecordPosition(boot: 1, sequence: UInt64(id)),
            enteredAt: 0, payload: Array(repeating: 0, count: cost - OutboxLedger.cost(topic: "t", payload: 0)))
    }

    private func rows(_ count: Int64, cost: Int) -> ArraySlice<OutboxRow> {
        (1...count).map { row($0, cost: cost) }[...]
    }

    @Test("The reserve is 8 MB where there is space for it")
    func largest() {
        #expect(Rules.wanted(held: 0, available: 1 << 30, total: 1 << 34) == 8 << 20)
    }

    @Test("The reserve is at most an eighth of the file system and half of the remaining space")
    func shares() {
        #expect(Rules.wanted(held: 0, available: 16 << 20, total: 16 << 20) == 2 << 20)
        #expect(Rules.wanted(held: 1 << 20, available: 1 << 20, total: 1 << 34) == 1 << 20)
    }

    @Test("The reserve is never less than its minimum, and a multiple of its unit")
    func steps() {
        #expect(Rules.wanted(held: 0, available: 0, total: 0) == Rules.smallest)
        #expect(Rules.wanted(held: 0, available: 1_000_000, total: 1 << 34) == 7 * Rules.unit)
    }

    @Test("The write-ahead log is too long beyond half of the reserve")
    func log() {
        #expect(!Rules.isLogTooLong(growth: 500, reserve: 1000))
        #expect(Rules.isLogTooLong(growth: 501, reserve: 1000))
    }

    @Test("Records are not written with less than the smallest reserve")
    func suffices() {
        #expect(Rules.suffices(Rules.smallest))
        #expect(!Rules.suffices(Rules.smallest - 1))
    }

    @Test("The rows of a transaction take at most a quarter of the reserve, together with a page")
    func transaction() {
        // The first row counts only by its payload.
        let payload = 1000 - OutboxLedger.cost(topic: "t", payload: 0)
        let room = payload + OutboxSchema.pageSize + 3 * 1000
        #expect(Rules.rowsPerTransaction(rows(9, cost: 1000), reserve: 4 * room) == 4)
        #expect(Rules.rowsPerTransaction(rows(9, cost: 1000), reserve: 4 * (room - 1)) == 3)
        #expect(Rules.rowsPerTransaction(rows(2, cost: 1000), reserve: 4 * room) == 2)
    }

    @Test("A transaction contains at least one row")
    func oversized() {
        #expect(Rules.rowsPerTransaction(rows(2, cost: 100_000), reserve: 0) == 1)
        #expect(Rules.rowsPerTransaction([], reserve: 0) == 0)
    }

    @Test("Deletions take a share of the reserve, and are at least four at a time")
    func deletions() {
        #expect(Rules.deletionsPerTransaction(reserve: 8 << 20) == 256)
        #expect(Rules.deletionsPerTransaction(reserve: 0) == 4)
    }

    @Test("Rows take half of the free pages except two")
    func freePages() {
        #expect(!Rules.hasRoom(inFreePages: 2))
        #expect(Rules.hasRoom(inFreePages: 3))
        let half = OutboxSchema.pageSize / 2
        #expect(Rules.rows(rows(9, cost: half), inFreePages: 2, reserve: 8 << 20) == 0)
        #expect(Rules.rows(rows(9, cost: half), inFreePages: 5, reserve: 8 << 20) == 3)
        #expect(Rules.rows(rows(9, cost: half), inFreePages: 5, reserve: 8 * half) == 2)
    }

    @Test("A database is compacted once little of it is in use and much of it is free")
    func compacting() {
        let free = Rules.smallest / OutboxSchema.pageSize
        #expect(!Rules.isWorthCompacting(pages: 64 + free, freePages: free, reserve: 0))
        #expect(Rules.isWorthCompacting(pages: 65 + free, freePages: free + 1, reserve: 0))
        #expect(!Rules.isWorthCompacting(pages: 66 + free, freePages: free + 1, reserve: 0))
    }

    @Test("What is worth compacting grows with the reserve, up to half of its maximum")
    func compactingWithReserve() {
        let free = Rules.largest / 2 / OutboxSchema.pageSize
        #expect(!Rules.isWorthCompacting(pages: free, freePages: free, reserve: .max))
        #expect(Rules.isWorthCompacting(pages: free + 1, freePages: free + 1, reserve: .max))
    }
}
