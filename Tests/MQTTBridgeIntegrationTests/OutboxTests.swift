import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

@Suite(.timeLimit(.minutes(10))) struct OutboxTests {
    private let now = OutboxFixtures.start

    @Test("A record that was appended is there after reopening, historical, and is gone once it was acknowledged")
    func reopen() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let first = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await first.setOnline(true)
        await first.append([OutboxFixtures.record(1), OutboxFixtures.record(2)], at: now)
        let offer = await first.next(10, now: .now)
        #expect(offer.entries.map(\.position.sequence) == [1, 2])
        #expect(offer.entries.map(\.isHistorical) == [false, false])
        await first.acknowledge([offer.entries[0].id], at: now)
        await first.close()

        let second = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(second.findings == [])
        await second.setOnline(true)
        let again = await second.next(10, now: .now)
        #expect(again.entries.map(\.position.sequence) == [2])
        #expect(again.entries.first?.isHistorical == true)
        #expect(
            again.entries.first.map { String(decoding: $0.payload, as: UTF8.self) }
                == #"{"filler":"","historical":true,"sequence":2}"#)
        await second.close()
    }

    @Test("Without a path it keeps records in memory")
    func inMemory() async throws {
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: now)
        await outbox.append([OutboxFixtures.record(1)], at: now)
        await outbox.setOnline(true)
        #expect(await outbox.offeredSequences() == [1])
        #expect(await outbox.status(at: now).records == 1)
        await outbox.close()
    }

    @Test("What was evicted is told once, by its kinds")
    func evicted() async throws {
        let outbox = try await Outbox.open(nil, rules: OutboxRules(bytes: 100_000), now: now)
        await outbox.append((1...200).map { OutboxFixtures.record($0, .updated, size: 1300) }, at: now)
        let evicted = await outbox.status(at: now).evicted
        #expect((evicted[.updated] ?? 0) > 100)
        await outbox.expire(at: now)
        await outbox.expire(at: now)
        await outbox.close()
        var notices: [OutboxNotice] = []
        for await notice in outbox.notices { notices.append(notice) }
        #expect(notices == [.evicted(evicted)])
    }

    @Test("Room that deletions leave in the file is known")
    func freedRoom() throws {
        let directory = try TemporaryDirectory()
        let store = try OutboxStore.open(directory.path + "/outbox.db", hasReserve: false)
        let rows = (1...1000 as ClosedRange<UInt64>).map { sequence in
            let record = OutboxFixtures.record(sequence, size: 1300)
            return OutboxRow(
                id: Int64(sequence), topic: record.topic, priority: record.priority, position: record.position,
                enteredAt: 0, payload: record.payload)
        }
        try store.applyNow(inserts: rows, deletes: [])
        #expect(store.space?.freeBytes == 0)
        try store.applyNow(inserts: [], deletes: Array(1...500))
        #expect((store.space?.freeBytes ?? 0) > 500_000)
        try store.closeNow()
    }

    @Test("Only its owner may read the file")
    func mode() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await outbox.append([OutboxFixtures.record(1)], at: now)
        for suffix in ["", "-wal", "-shm"] {
            var file = stat()
            #expect(stat(path + suffix, &file) == 0)
            #expect(file.st_mode & 0o777 == 0o600)
        }
        await outbox.close()
    }

    @Test("Records that come while a transaction is written share the next one")
    func groupCommit() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        let before = try commits(path)
        let now = now
        await withTaskGroup(of: Void.self) { group in
            for sequence in 1...200 as ClosedRange<UInt64> {
                group.addTask { await outbox.append([OutboxFixtures.record(sequence)], at: now) }
            }
        }
        #expect(await outbox.status(at: now).records == 200)
        let transactions = try commits(path) - before
        #expect(transactions <= 100)
        await outbox.close()
    }

    @Test("A few deletes cause no transaction of their own, 500 do, and closing writes the rest")
    func deletes() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await outbox.setOnline(true)
        await outbox.append((1...600).map { OutboxFixtures.record(UInt64($0)) }, at: now)
        let ids = await outbox.next(.max, now: .now).entries.map(\.id)
        let before = try commits(path)
        await outbox.acknowledge(Array(ids[..<499]), at: now)
        // The second after which they are written on their own is hardly over.
        let after = try commits(path)
        #expect(after == before)
        await outbox.acknowledge([ids[499]], at: now)
        while try commits(path) == before { try await Task.sleep(for: .milliseconds(5)) }
        await outbox.acknowledge(Array(ids[500...]), at: now)
        await outbox.close()
        let again = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(await again.status(at: now).records == 0)
        await again.close()
    }

    @Test("Records that aren't in memory any more are read from the disk, in their order")
    func readBack() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(drainRate: 1e9), now: now)
        for start in stride(from: 0, to: 600, by: 100) {
            let records = (start..<start + 100).map { OutboxFixtures.record(UInt64($0 + 1), size: 10_000) }
            await outbox.append(records, at: now)
        }
        await outbox.setOnline(true)
        let entries = await outbox.next(.max, now: .now).entries
        #expect(entries.map(\.position.sequence) == Array(1...600))
        #expect(
            entries.allSatisfy {
                $0.payload.count == OutboxFixtures.record($0.position.sequence, size: 10_000).payload.count - 1
            })
        await outbox.close()
    }

    @Test(
        "What a consumer has stored is gone, also from the disk; the rest goes out again once the consumer is at work")
    func consumer() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let rules = OutboxRules(confirmation: .consumer, confirmTimeout: .seconds(60))
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.setOnline(true)
        await outbox.append((1...4).map { OutboxFixtures.record($0) }, at: now)
        await outbox.acknowledge(await outbox.next(9, now: .now).entries.map(\.id), at: now)
        #expect(await outbox.status(at: now).waitingForConsumer == 4)
        let later = now + .seconds(120)
        await outbox.stored(through: RecordPosition(boot: 1, sequence: 1), isRetained: true, at: later)
        #expect(await outbox.offeredSequences() == [])
        await outbox.stored(through: RecordPosition(boot: 1, sequence: 2), isRetained: false, at: later)
        let again = await outbox.next(9, now: .now).entries
        #expect(again.map(\.position.sequence) == [3, 4])
        #expect(again.map(\.isHistorical) == [true, true])
        await outbox.close()
        let reopened = try await Outbox.open(path, rules: rules, now: later)
        #expect(await reopened.status(at: later).oldest == RecordPosition(boot: 1, sequence: 3))
        await reopened.close()
    }

    @Test("A record that the client library refuses is gone and counted")
    func refuse() async throws {
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: now)
        await outbox.setOnline(true)
        await outbox.append([OutboxFixtures.record(1), OutboxFixtures.record(2)], at: now)
        let entries = await outbox.next(9, now: .now).entries
        await outbox.refuse(entries[0].id)
        await outbox.refuse(entries[0].id)
        let status = await outbox.status(at: now)
        #expect(status.refused == 1)
        #expect(status.records == 1)
        await outbox.close()
    }

    @Test("What is too old by the wall clock when it is opened has expired")
    func expiredWhileClosed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let rules = OutboxRules(age: .seconds(3600))
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append([OutboxFixtures.record(1)], at: now)
        await first.append([OutboxFixtures.record(2)], at: now + .seconds(3000))
        await first.close()
        let second = try await Outbox.open(path, rules: rules, now: now + .seconds(3700))
        let status = await second.status(at: now + .seconds(3700))
        #expect(status.records == 1)
        #expect(status.expired == 1)
        await second.close()
    }

    @Test("A clock that is set forward by a year expires nothing")
    func clockStep() async throws {
        let outbox = try await Outbox.open(nil, rules: OutboxRules(age: .seconds(3600)), now: now)
        await outbox.append([OutboxFixtures.record(1)], at: now)
        var set = now + .seconds(60)
        set.wall = now.wall + .seconds(365 * 86_400)
        await outbox.expire(at: set)
        #expect(await outbox.status(at: set).records == 1)
        await outbox.close()
    }

    @Test("Whoever waits for something to offer is woken when a record comes and when the broker is back")
    func changes() async throws {
        let outbox = try await Outbox.open(nil, rules: OutboxRules(), now: now)
        var changes = outbox.changes.makeAsyncIterator()
        await outbox.append([OutboxFixtures.record(1)], at: now)
        #expect(await changes.next() != nil)
        await outbox.setOnline(true)
        #expect(await changes.next() != nil)
        await outbox.close()
        #expect(await changes.next() == nil)
    }

    /// Transactions in the write-ahead log: frames that tell the size of the database.
    private func commits(_ path: String) throws -> Int {
        let log = try FileContents.read(path + "-wal", limit: 1 << 24)
        return stride(from: 32, to: log.count - 24, by: 24 + OutboxSchema.pageSize)
            .count { start in log[(start + 4)..<(start + 8)].contains { $0 != 0 } }
    }
}
