import BeaconModel
import SystemIO
import TestSupport
import Testing

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

/// Writing that is delayed, so that a card wears less.
@Suite(.timeLimit(.minutes(10))) struct OutboxDelayTests {
    private let now = OutboxFixtures.start

    private func open(_ path: String, delay: Duration) async throws -> Outbox {
        let outbox = try await Outbox.open(path, rules: OutboxRules(drainRate: 1e9, writeDelay: delay), now: now)
        await outbox.setOnline(true)
        return outbox
    }

    private func logSize(_ path: String) throws -> Int { try FileContents.read(path + "-wal", limit: 1 << 24).count }

    @Test("An update that is delivered within the delay is offered at once and never written")
    func delivered() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await open(path, delay: .seconds(3600))
        let before = try logSize(path)
        for sequence in 1...50 as ClosedRange<UInt64> {
            await outbox.append([OutboxFixtures.record(sequence, .updated, size: 1300)], at: now)
            let entries = await outbox.next(10, now: .now).entries
            #expect(entries.map(\.position.sequence) == [sequence])
            await outbox.acknowledge(entries.map(\.id), at: now)
        }
        #expect(try logSize(path) == before)
        await outbox.close()
        let rows = try OutboxFile(path: path).contents(at: now)
        #expect(rows.records == 0)
        let database = try FileContents.read(path, limit: 1 << 24)
        #expect(!String(decoding: database, as: UTF8.self).contains("filler"))
    }

    @Test("An update that isn't delivered within the delay is written")
    func undelivered() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await open(path, delay: .milliseconds(20))
        await outbox.append([OutboxFixtures.record(1, .updated)], at: now)
        #expect(await eventually { (try? OutboxFile(path: path).contents(at: now).records) == 1 })
        await outbox.close()
    }

    @Test("Beginnings and ends are on disk when they have been taken, whatever the delay")
    func urgent() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await open(path, delay: .seconds(3600))
        await outbox.append(
            [OutboxFixtures.record(1, .updated), OutboxFixtures.record(2), OutboxFixtures.record(3, .ended)], at: now)
        let contents = try OutboxFile(path: path).contents(at: now)
        #expect(contents.byPriority == [.started: 1, .ended: 1])
        #expect(await outbox.offeredSequences() == [1, 2, 3])
        await outbox.close()
    }

    @Test("An update doesn't overtake what came before it and is being written")
    func order() async throws {
        let directory = try TemporaryDirectory()
        let outbox = try await open(directory.path + "/outbox.db", delay: .seconds(3600))
        let now = now
        for first in stride(from: 1, to: 200, by: 2) as StrideTo<UInt64> {
            async let started: Void = outbox.append([OutboxFixtures.record(first, .started)], at: now)
            async let updated: Void = outbox.append([OutboxFixtures.record(first + 1, .updated)], at: now)
            _ = await (started, updated)
            // Which of them came first isn't said; whichever it was goes first.
            let ids = await outbox.next(2, now: .now).entries.map(\.id)
            #expect(ids == ids.sorted() && ids.count == 2)
        }
        await outbox.close()
    }

    @Test("Closing writes what is delayed")
    func closing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await open(path, delay: .seconds(3600))
        await outbox.append((1...30).map { OutboxFixtures.record($0, .updated, size: 1300) }, at: now)
        await outbox.close()
        let again = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(again.findings == [])
        #expect(await again.status(at: now).records == 30)
        await again.close()
    }

    @Test("After kill -9 what was delayed isn't said to have been on disk")
    func killed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await open(path, delay: .seconds(3600))
        await outbox.append((1...5).map { OutboxFixtures.record($0, .updated) }, at: now)
        await outbox.append([OutboxFixtures.record(6)], at: now)
        let other = try TemporaryDirectory()
        for suffix in ["", "-wal", ".state"] {
            _ = try other.write("outbox.db" + suffix, try FileContents.read(path + suffix, limit: 1 << 24))
        }
        await outbox.close()
        let again = try await Outbox.open(other.path + "/outbox.db", rules: OutboxRules(), now: now)
        #expect(again.findings == [])
        #expect(await again.status(at: now).records == 1)
        await again.close()
    }

    @Test("More than a megabyte isn't delayed")
    func bounded() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await open(path, delay: .seconds(3600))
        await outbox.append((1...1000).map { OutboxFixtures.record($0, .updated, size: 1300) }, at: now)
        #expect(await eventually { (try? OutboxFile(path: path).contents(at: now).records) == 1000 })
        await outbox.close()
    }

    @Test(
        "A card is known by the name of its device",
        arguments: [
            ("../../devices/platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0/mmcblk0p2", true),
            ("../../devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1/nvme0n1p1", false), ("", false),
        ])
    func medium(link: String, isCard: Bool) {
        #expect((StorageMedium(deviceLink: link) == .card) == isCard)
    }
}
