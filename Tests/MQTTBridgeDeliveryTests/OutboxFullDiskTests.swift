import BeaconModel
import Glibc
import TestSupport
import Testing

@testable import MQTTBridge
@testable import MQTTBridgeTests

/// A file system in memory, of a size that can be changed. Needs root.
private final class SmallDisk: Sendable {
    let directory: TemporaryDirectory

    init?(bytes: Int) {
        guard let directory = try? TemporaryDirectory(),
            mount("tmpfs", directory.path, "tmpfs", 0, "size=\(bytes)") == 0
        else { return nil }
        self.directory = directory
    }

    func resize(bytes: Int) { _ = mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") }

    deinit { umount2(directory.path, Int32(MNT_DETACH)) }

    static let isPossible: Bool = SmallDisk(bytes: 65536) != nil
}

@Suite(.timeLimit(.minutes(2)), .enabled("only root may mount a small disk") { SmallDisk.isPossible })
struct OutboxFullDiskTests {
    private let now = OutboxFixtures.start

    @Test("On a full disk records are held in memory, offered all the same, and written when there is room")
    func full() async throws {
        let disk = try #require(SmallDisk(bytes: 1_000_000))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        for batch in 0..<30 as Range<UInt64> {
            await outbox.append((1...50).map { OutboxFixtures.record(batch * 50 + $0, size: 1300) }, at: now)
        }
        let status = await outbox.status(at: now)
        #expect(status.trouble?.text.contains("full") == true)
        #expect(status.trouble?.since == now)
        #expect(status.records == 1500)
        await outbox.setOnline(true)
        let entries = await outbox.next(1500, now: .now).entries
        #expect(entries.map(\.position.sequence) == Array(1...1500))
        await outbox.setOnline(false)

        disk.resize(bytes: 20_000_000)
        await outbox.append([OutboxFixtures.record(1501)], at: now)
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        #expect(again.findings == [])
        await again.setOnline(true)
        #expect(await again.offeredSequences() == Array(1...1501))
        await again.close()
    }

    /// An outbox that has filled its disk, and how many records it was given.
    private func openAndFill(_ path: String, _ rules: OutboxRules) async throws -> (Outbox, UInt64) {
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        var sequence: UInt64 = 0
        while await outbox.status(at: now).trouble == nil, sequence < 20_000 {
            await outbox.append((1...50).map { OutboxFixtures.record(sequence + $0, size: 1300) }, at: now)
            sequence += 50
        }
        #expect(await outbox.status(at: now).trouble?.text.contains("full") == true)
        return (outbox, sequence)
    }

    @Test("An outbox that has filled the disk by itself is empty and well once everything is delivered")
    func fillsTheDisk() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        let (outbox, sequence) = try await openAndFill(path, rules)
        await outbox.setOnline(true)
        var offered: [UInt64] = []
        while true {
            let entries = await outbox.next(100, now: .now).entries
            if entries.isEmpty { break }
            offered += entries.map(\.position.sequence)
            await outbox.acknowledge(entries.map(\.id), at: now)
        }
        #expect(offered == Array(1...sequence))
        await outbox.append([OutboxFixtures.record(sequence + 1)], at: now)
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        await again.setOnline(true)
        #expect(await again.offeredSequences() == [sequence + 1])
        await again.close()
    }

    @Test("It is tried again without anything new")
    func retry() async throws {
        let disk = try #require(SmallDisk(bytes: 1_000_000))
        let path = disk.directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now, retryInterval: .milliseconds(20))
        // More than SQLite's cache: the disk is full before the transaction ends.
        await outbox.append((1...3000).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        #expect(await outbox.status(at: now).trouble != nil)
        disk.resize(bytes: 20_000_000)
        while await outbox.status(at: now).trouble != nil { try await Task.sleep(for: .milliseconds(5)) }
        await outbox.close()
        let again = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(await again.status(at: now).records == 3000)
        await again.close()
    }

    @Test("On a full disk what was acknowledged here and there is deleted")
    func scatteredDeletes() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        let (outbox, _) = try await openAndFill(path, rules)
        await outbox.setOnline(true)
        let acknowledged = await outbox.next(.max, now: .now).entries.filter { $0.position.sequence.isMultiple(of: 5) }
        await outbox.acknowledge(acknowledged.map(\.id), at: now)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        await again.setOnline(true)
        let left = await again.offeredSequences()
        #expect(left.allSatisfy { !$0.isMultiple(of: 5) })
        #expect(left.count > 100)
        await again.close()
    }

    @Test("On a full disk what was acknowledged makes room for what comes")
    func deletesMakeRoom() async throws {
        let disk = try #require(SmallDisk(bytes: 4_000_000))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        let before = try await Outbox.open(path, rules: rules, now: now)
        await before.append((1...1000).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        await before.close()
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        await outbox.setOnline(true)
        await outbox.acknowledge(await outbox.next(.max, now: .now).entries.map(\.id), at: now)
        var sequence: UInt64 = 1000
        for _ in 0..<200 {
            let records = (1...20).map { OutboxFixtures.record(sequence + $0, size: 1300) }
            sequence += 20
            await outbox.append(records, at: now)
            await outbox.acknowledge(await outbox.next(.max, now: .now).entries.map(\.id), at: now)
        }
        let status = await outbox.status(at: now)
        #expect(status.records == 0)
        #expect(status.trouble == nil)
        await outbox.close()
    }

    @Test("What the memory has no room for is given up like in a full outbox, and counted")
    func memory() async throws {
        let disk = try #require(SmallDisk(bytes: 300_000))
        let path = disk.directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now, retryInterval: .seconds(3600))
        let kinds: [OutboxPriority] = [.updated, .started, .updated, .ended]
        for batch in 0..<80 as Range<UInt64> {
            await outbox.append(
                (1...100).map { OutboxFixtures.record(batch * 100 + $0, kinds[Int($0 % 4)], size: 1300) }, at: now)
        }
        let status = await outbox.status(at: now)
        #expect(status.trouble != nil)
        #expect(status.bytes <= 8_000_000 + 300_000)
        #expect(status.bytes > 7_000_000)
        #expect(status.evicted[.updated] == 8_000 - UInt64(status.records))
        #expect(status.evicted[.started] == nil)
        await outbox.close()
    }
}
