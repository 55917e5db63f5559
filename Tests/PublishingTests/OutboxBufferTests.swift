import RecordContract
import Testing

@testable import Publishing

@Suite struct OutboxBufferTests {
    private func row(_ id: Int64, payload size: Int = 1) -> OutboxRow {
        OutboxRow(
            id: id, topic: "t", priority: .started, position: RecordPosition(boot: 1, sequence: UInt64(id)),
            enteredAt: 0, payload: Array(repeating: UInt8(truncatingIfNeeded: id), count: size))
    }

    /// A buffer that holds rows with these identifiers.
    private func buffer(_ ids: ClosedRange<Int64>, size: Int = 1) -> OutboxBuffer {
        var buffer = OutboxBuffer(hasDisk: true)
        for id in ids { buffer.hold(row(id, payload: size), isDelayed: false) }
        return buffer
    }

    @Test("Held rows are due at once, in their order, and count as unwritten until the batch has succeeded")
    func held() {
        var buffer = buffer(1...2)
        #expect(buffer.isDue)
        let batch = buffer.takeBatch(isTrial: false)
        #expect(batch.rows.map(\.id) == [1, 2])
        #expect(!buffer.isDue)
        #expect(buffer.unwritten == 2)
        buffer.written(batch) { _ in true }
        #expect(buffer.unwritten == 0)
    }

    @Test("A payload can be read while its row is held, delayed, being written and cached")
    func payloads() {
        var buffer = buffer(1...1)
        buffer.hold(row(2), isDelayed: true)
        #expect(buffer.payload(of: 1) == [1])
        #expect(buffer.payload(of: 2) == [2])
        let batch = buffer.takeBatch(isTrial: false)
        #expect(buffer.payload(of: 1) == [1])
        buffer.written(batch) { _ in true }
        #expect(buffer.payload(of: 1) == [1])
        #expect(buffer.payload(of: 3) == nil)
    }

    @Test("Delayed rows are due when the delay ends")
    func delayed() {
        var buffer = OutboxBuffer(hasDisk: true)
        buffer.hold(row(1), isDelayed: true)
        #expect(!buffer.isDue)
        #expect(buffer.hasDelayed)
        #expect(buffer.unwritten == 1)
        buffer.endDelay()
        #expect(buffer.isDue)
        #expect(!buffer.hasDelayed)
    }

    @Test("Delayed rows take at most 1 MB")
    func delayedLimit() {
        var buffer = OutboxBuffer(hasDisk: true)
        buffer.hold(row(1, payload: 900_000), isDelayed: true)
        #expect(!buffer.hasTooManyDelayed)
        buffer.hold(row(2, payload: 100_000), isDelayed: true)
        #expect(buffer.hasTooManyDelayed)
    }

    @Test("A row that leaves before it is written needs no deletion")
    func neverWritten() {
        var buffer = buffer(1...1)
        buffer.hold(row(2), isDelayed: true)
        buffer.forget([1, 2])
        #expect(!buffer.hasDeletes)
        #expect(!buffer.isDue)
        #expect(buffer.unwritten == 0)
    }

    @Test("A row that leaves while it is being written, or later, is deleted")
    func written() {
        var buffer = buffer(1...2)
        let batch = buffer.takeBatch(isTrial: false)
        buffer.forget([1])
        buffer.written(batch) { $0 != 1 }
        buffer.forget([2])
        #expect(buffer.payload(of: 1) == nil)
        #expect(buffer.payload(of: 2) == nil)
        #expect(buffer.takeBatch(isTrial: false).deletes == [1, 2])
    }

    @Test("Few deletions wait until they are flushed, and 500 do not")
    func deletions() {
        var buffer = OutboxBuffer(hasDisk: true, deletes: Array(1...499))
        #expect(buffer.hasDeletes)
        #expect(!buffer.isDue)
        var flushed = buffer
        flushed.flushDeletes()
        #expect(flushed.isDue)
        buffer.forget([500])
        #expect(buffer.hasFullDeletes)
        #expect(buffer.isDue)
    }

    @Test("After a failure the same rows and deletions are tried again, before what has arrived meanwhile")
    func failed() {
        var buffer = buffer(2...3)
        buffer.forget([1])
        let batch = buffer.takeBatch(isTrial: false)
        buffer.hold(row(4), isDelayed: false)
        buffer.failed(batch) { _ in true }
        #expect(buffer.unwritten == 3)
        let next = buffer.takeBatch(isTrial: false)
        #expect(next.rows.map(\.id) == [2, 3, 4])
        #expect(next.deletes == [1])
    }

    @Test("A row whose writing failed may be on disk, so it is deleted there when it leaves")
    func halfWritten() {
        var buffer = buffer(1...2)
        let batch = buffer.takeBatch(isTrial: false)
        buffer.failed(batch) { _ in true }
        buffer.forget([1])
        let next = buffer.takeBatch(isTrial: false)
        #expect(next.rows.map(\.id) == [2])
        #expect(next.deletes == [1])
    }

    @Test("A row that left while its writing failed is not held again, and is deleted")
    func leftWhileFailing() {
        var buffer = buffer(1...1)
        let batch = buffer.takeBatch(isTrial: false)
        buffer.forget([1])
        buffer.failed(batch) { _ in false }
        let next = buffer.takeBatch(isTrial: false)
        #expect(next.rows.isEmpty)
        #expect(next.deletes == [1])
    }

    @Test("A trial writes at most 100 rows")
    func trial() {
        var buffer = buffer(1...150)
        #expect(buffer.takeBatch(isTrial: true).rows.count == 100)
        #expect(buffer.held.count == 50)
    }

    @Test("While the disk fails, the oldest rows beyond 8 MB are given up, except those on their way")
    func givingUp() {
        var buffer = buffer(1...5, size: 2_000_000)
        let batch = buffer.takeBatch(isTrial: false)
        buffer.failed(batch) { _ in true }
        #expect(buffer.giveUp(unless: { $0 == 1 }) == [2, 3])
        let next = buffer.takeBatch(isTrial: false)
        #expect(next.rows.map(\.id) == [1, 4, 5])
        #expect(next.deletes == [2, 3])
    }

    @Test("Without a disk everything is kept and nothing is deleted")
    func noDisk() {
        var buffer = OutboxBuffer(hasDisk: false)
        for id in 1...3 as ClosedRange<Int64> { buffer.keep(id, Array(repeating: 1, count: 2_000_000)) }
        #expect(buffer.payload(of: 1)?.count == 2_000_000)
        buffer.forget([1])
        #expect(buffer.payload(of: 1) == nil)
        #expect(!buffer.hasDeletes)
    }
}
