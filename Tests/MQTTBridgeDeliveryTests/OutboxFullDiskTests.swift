import BeaconModel
import SystemIO
import TestSupport
import Testing

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

@Suite(.timeLimit(.minutes(10)), .enabled("only root may mount a small disk") { SmallDisk.isPossible })
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
        #expect(status.trouble?.since == now.wall)
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
    private func openAndFill(
        _ path: String, _ rules: OutboxRules, most: UInt64 = 20_000
    ) async throws -> (Outbox, UInt64) {
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        var sequence: UInt64 = 0
        while await outbox.status(at: now).trouble == nil, sequence < most {
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
        // The first may come while a write is under way that knew of fewer deliveries, and be held.
        for further in 1...2 as ClosedRange<UInt64> {
            await outbox.append([OutboxFixtures.record(sequence + further)], at: now)
        }
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        await again.setOnline(true)
        #expect(await again.offeredSequences() == [sequence + 1, sequence + 2])
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

    /// Delivers everything, and takes the acknowledgements in.
    private func deliverAll(_ outbox: Outbox) async -> Set<UInt64> {
        await outbox.setOnline(true)
        var offered: Set<UInt64> = []
        while true {
            let entries = await outbox.next(500, now: .now).entries
            if entries.isEmpty { return offered }
            offered.formUnion(entries.map(\.position.sequence))
            await outbox.acknowledge(entries.map(\.id), at: now)
        }
    }

    @Test(
        "An outbox that went on receiving on a disk that it had filled itself is empty after the delivery, on disk as well",
        arguments: [4_000_000, 12_000_000, 40_000_000])
    func goesOnReceiving(_ bytes: Int) async throws {
        let disk = try #require(SmallDisk(bytes: bytes))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        var (outbox, sequence) = try await openAndFill(path, rules, most: 60_000)
        // Every batch tries the disk again, and what is evicted from memory in between is deleted.
        for _ in 0..<100 {
            await outbox.append((1...20).map { OutboxFixtures.record(sequence + $0, size: 1300) }, at: now)
            sequence += 20
        }
        #expect(await deliverAll(outbox) == Set(1...sequence))
        // The first may come while a write is under way that knew of fewer deliveries, and be held.
        for _ in 1...2 {
            sequence += 1
            await outbox.append([OutboxFixtures.record(sequence)], at: now)
        }
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        #expect(await again.status(at: now).records == 2)
        // The disk has its space back.
        let space = try #require(FileSystemSpace(holding: path))
        #expect(space.availableBytes > space.totalBytes / 2, "\(space)")
        await again.close()
    }

    @Test("While the disk is full the reserve is there, whatever is tried")
    func keepsReserve() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        var (outbox, sequence) = try await openAndFill(path, OutboxRules(drainRate: 1e9))
        let held = OutboxReserve(database: path).bytes
        #expect(held >= 1_000_000)
        await outbox.setOnline(true)
        for _ in 0..<50 {
            await outbox.append((1...50).map { OutboxFixtures.record(sequence + $0, size: 1300) }, at: now)
            sequence += 50
            await outbox.acknowledge(await outbox.next(30, now: .now).entries.map(\.id), at: now)
            // Deletions and what comes into their room borrow it while they are written.
            #expect(await eventually { OutboxReserve(database: path).bytes > held / 2 })
        }
        await outbox.close()
        #expect(OutboxReserve(database: path).bytes > held / 2)
    }

    @Test("A disk that others have filled to the last byte keeps an outbox neither from opening nor from deleting")
    func filledByOthers() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append((1...2000).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        await first.close()
        disk.fill()
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        #expect(await deliverAll(outbox) == Set(1...2000))
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        #expect(await again.status(at: now).records == 0)
        await again.close()
    }

    @Test("On a disk that others have filled to the last byte what comes goes into the room of what was delivered")
    func reusesRoom() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let rules = OutboxRules(drainRate: 1e9)
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append((1...2000).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        await first.close()
        disk.fill()
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        await outbox.setOnline(true)
        await outbox.acknowledge(await outbox.next(1000, now: .now).entries.map(\.id), at: now)
        // The first comes with the deletion or after it, the others after it.
        await outbox.append([OutboxFixtures.record(2001, size: 1300)], at: now)
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.append((2002...2100).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        #expect(await again.status(at: now).records == 1100)
        await again.close()
    }

    @Test("On a disk that others have filled to the last byte an outbox is closed with everything in its database")
    func closes() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await outbox.append((1...300).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        disk.fill()
        await outbox.close()
        #expect(await outbox.status(at: now).trouble == nil)
        #expect(try FileContents.read(path, limit: 1 << 24).count > 300 * 1300)
        #expect(throws: SystemError.self) { try FileContents.read(path + "-wal", limit: 1 << 24) }
    }

    @Test("That the disk takes records again is told")
    func writable() async throws {
        let disk = try #require(SmallDisk(bytes: 1_000_000))
        let path = disk.directory.path + "/outbox.db"
        let (outbox, sequence) = try await openAndFill(path, OutboxRules())
        disk.resize(bytes: 20_000_000)
        await outbox.append([OutboxFixtures.record(sequence + 1)], at: now)
        await outbox.close()
        var notices: [OutboxNotice] = []
        for await notice in outbox.notices { notices.append(notice) }
        #expect(notices.last == .writable(path: path), "\(notices)")
    }

    @Test("A purge works on a disk that is full to the last byte")
    func purge() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await outbox.append((1...2000).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        await outbox.close()
        disk.fill()
        #expect(try OutboxFile(path: path).purge(olderThan: nil, at: now) == [.started: 2000])
        #expect(try OutboxFile(path: path).contents(at: now).records == 0)
    }

    @Test("A damaged outbox on a full disk is not given up for salvaged: it is refused, and nothing of it is lost")
    func salvage() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await outbox.append((1...3000).map { OutboxFixtures.record($0, size: 1300) }, at: now)
        await outbox.close()
        var database = try FileContents.read(path, limit: 1 << 24)
        for offset in 400_000..<402_000 { database[offset] = 0xFF }
        try FileContents.replace(path, with: database)
        disk.fill()
        let error = await #expect(throws: OutboxError.self) {
            try await Outbox.open(path, rules: OutboxRules(), now: now)
        }
        #expect(error?.remedy?.contains("free space") == true, "\(error?.inOneLine ?? "-")")
        #expect(try FileContents.read(path, limit: 1 << 24) == database)
        disk.resize(bytes: 40_000_000)
        let again = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(await again.status(at: now).records >= 2990)
        await again.close()
    }

    @Test("What is left until the outbox is full is the disk's room when that is smaller, and the log names the outbox")
    func secondsLeft() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let path = disk.directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now, retryInterval: .seconds(3600))
        var forecast: Double?
        var fullAfter: Int?
        for second in 0..<600 where fullAfter == nil {
            let time = now + .seconds(second)
            let first = UInt64(second * 100)
            await outbox.append((1...100).map { OutboxFixtures.record(first + $0, size: 1300) }, at: time)
            let status = await outbox.status(at: time)
            if second == 30 { forecast = status.secondsLeft }
            if status.trouble != nil { fullAfter = second }
        }
        let left = try #require(forecast)
        let actual = Double(try #require(fullAfter) - 30)
        #expect(left > 0.6 * actual && left < 1.4 * actual, "\(left) s, and it was \(actual) s")
        await outbox.close()
        var notices: [OutboxNotice] = []
        for await notice in outbox.notices { notices.append(notice) }
        guard case .unwritable(path, let reason)? = notices.first else {
            Issue.record("\(notices)")
            return
        }
        #expect(reason.contains(path) && reason.contains("full"))
    }

    @Test("What is only in memory when the outbox is closed on a full disk is told: how many, and which")
    func unsaved() async throws {
        let disk = try #require(SmallDisk(bytes: 4_000_000))
        let path = disk.directory.path + "/outbox.db"
        let (outbox, sequence) = try await openAndFill(path, OutboxRules())
        await outbox.close()
        var unsaved: OutboxLoss?
        for await case .unsaved(path, let loss) in outbox.notices { unsaved = loss }
        let again = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(unsaved?.count == Int(sequence) - (await again.status(at: now).records))
        #expect(unsaved?.newest == RecordPosition(boot: 1, sequence: sequence))
        await again.close()
    }
}
