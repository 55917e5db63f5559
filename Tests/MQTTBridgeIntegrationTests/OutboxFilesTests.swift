import BeaconModel
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Publishing
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

/// What an outbox tells when files of its earlier life, or of this one, are missing.
@Suite(.timeLimit(.minutes(10))) struct OutboxFilesTests {
    private let now = OutboxRestart.now
    private let rules = OutboxRestart.rules

    /// Opens what is left, and expects that what is told to be lost is what is lost.
    private func expectLoss(
        _ files: [String: [UInt8]], of total: UInt64, because cause: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = try OutboxRestart.write(files, to: directory)
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        let status = await outbox.status(at: now)
        await outbox.setOnline(true)
        let found = await outbox.offeredSequences()
        await outbox.close()
        let lost = Int(total) - found.count
        #expect(lost > 0, sourceLocation: location)
        let finding = outbox.findings.last
        #expect(
            finding?.what.hasPrefix("\(lost) records that waited in the outbox \(path) are lost: \(cause)") == true,
            "\(outbox.findings)", sourceLocation: location)
        #expect(
            finding?.what.hasSuffix(
                "the gap is from boot 1 sequence \((found.last ?? 0) + 1) to boot 1 sequence \(total)")
                == true, "\(outbox.findings)", sourceLocation: location)
        #expect(status.damaged == UInt64(lost), sourceLocation: location)
        #expect(
            outbox.findings.allSatisfy { $0.remedy?.hasPrefix("none needed") != true }, "\(outbox.findings)",
            sourceLocation: location)
        let again = try await Outbox.open(path, rules: rules, now: now)
        #expect(again.findings == [], sourceLocation: location)
        await again.close()
    }

    @Test("A write-ahead log that was removed is noticed: how many records are lost, and where the gap is")
    func noLog() async throws {
        var files = try await OutboxRestart.killed()
        files["-wal"] = nil
        try await expectLoss(files, of: 30, because: "its write-ahead log is missing")
    }

    @Test("Of half a write-ahead log it is said how many records are lost")
    func halfLog() async throws {
        var files = try await OutboxRestart.killed()
        files["-wal"] = files["-wal"].map { Array($0.prefix($0.count / 2)) }
        try await expectLoss(files, of: 30, because: "its write-ahead log ends too early")
    }

    @Test("A database of 0 bytes, and one that is missing, are noticed", arguments: [[], nil] as [[UInt8]?])
    func noDatabase(_ contents: [UInt8]?) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.append(OutboxRestart.records(1...30), at: now)
        await outbox.close()
        var files = try OutboxRestart.snapshot(of: path)
        files[""] = contents
        try await expectLoss(files, of: 30, because: "the file and its write-ahead log were empty or missing")
    }

    @Test("After an orderly end what is missing is certain, also over a start of the machine")
    func certain() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.append(OutboxRestart.records(1...30), at: now)
        await outbox.close()
        _ = try directory.write("outbox.db", "")
        let start = OutboxRestart.rebooted(wall: now.wall + .seconds(60), up: .seconds(20), isSynchronized: true)
        let again = try await Outbox.open(path, rules: rules, now: start)
        #expect(
            again.findings.map { $0.what.hasPrefix("30 records that waited in the outbox \(path) are lost") } == [true],
            "\(again.findings)")
        await again.close()
    }

    @Test("What comes in after a loss has its own age, also where the clock was corrected before")
    func ageAfterLoss() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(OutboxRestart.records(1...5), at: now)
        await first.close()
        let start = OutboxRestart.rebooted(wall: now.wall + .seconds(9000), up: .seconds(30), isSynchronized: true)
        let second = try await Outbox.open(path, rules: rules, now: start)
        await second.append(OutboxRestart.records(6...10), at: start)
        await second.close()
        unlink(path)
        let third = try await Outbox.open(path, rules: rules, now: start + .seconds(60))
        await third.append(OutboxRestart.records(11...11), at: start + .seconds(60))
        await third.close()
        let fourth = try await Outbox.open(path, rules: rules, now: start + .seconds(180))
        let oldest = try #require(await fourth.status(at: start + .seconds(180)).oldestEntryAt)
        #expect(oldest == start.wall + .seconds(60))
        await fourth.close()
    }

    @Test("The write-ahead log of a database of 0 bytes gives what it has")
    func logAlone() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.append(OutboxRestart.records(1...30), at: now)
        var files = try OutboxRestart.snapshot(of: path)
        await outbox.close()
        files[""] = []
        let other = try TemporaryDirectory()
        let again = try await Outbox.open(try OutboxRestart.write(files, to: other), rules: rules, now: now)
        #expect(await again.status(at: now).records == 30)
        await again.close()
    }

    @Test("After kill -9 at any moment nothing is said to be lost")
    func noFalseAlarm() async throws {
        var generator = SeededGenerator("no false alarm")
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.setOnline(true)
        var sequence: UInt64 = 0
        var offered: [Int64] = []
        for round in 0..<TestScale.amount(40, full: 60) {
            let count = UInt64.random(in: 1...40, using: &generator)
            await outbox.append(OutboxRestart.records(sequence + 1...sequence + count), at: now)
            sequence += count
            offered += await outbox.next(.random(in: 0...60, using: &generator), now: .now).entries.map(\.id)
            offered.shuffle(using: &generator)
            let acknowledged = offered.prefix(.random(in: 0...offered.count, using: &generator))
            await outbox.acknowledge(Array(acknowledged), at: now)
            offered.removeFirst(acknowledged.count)
            let other = try TemporaryDirectory()
            let copy = try await Outbox.open(
                try OutboxRestart.write(try OutboxRestart.snapshot(of: path), to: other), rules: rules, now: now)
            #expect(copy.findings == [], "round \(round); \(generator.comment)")
            #expect(await copy.status(at: now).records >= outbox.status(at: now).records, generator.comment)
            await copy.close()
        }
        await outbox.close()
    }

    @Test("What was deleted alone, without anything that came in, isn't missing after kill -9")
    func deletedAlone() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.setOnline(true)
        await outbox.append(OutboxRestart.records(1...600), at: now)
        await outbox.acknowledge(await outbox.next(.max, now: .now).entries.map(\.id), at: now)
        #expect(await eventually { (try? OutboxFile(path: path).contents(at: now).records) == 0 })
        let files = try OutboxRestart.snapshot(of: path)
        await outbox.close()
        let other = try TemporaryDirectory()
        let again = try await Outbox.open(try OutboxRestart.write(files, to: other), rules: rules, now: now)
        #expect(again.findings == [])
        await again.close()
    }

    @Test("After a power cut an older state doesn't make a loss of what was delivered")
    func powerCut() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.setOnline(true)
        await outbox.append(OutboxRestart.records(1...600), at: now)
        let state = try OutboxRestart.snapshot(of: path)[".state"]
        await outbox.acknowledge(await outbox.next(.max, now: .now).entries.map(\.id), at: now)
        // It is written behind what deletes them.
        await outbox.append(OutboxRestart.records(601...601), at: now)
        var files = try OutboxRestart.snapshot(of: path)
        await outbox.close()
        files[".state"] = state
        let other = try TemporaryDirectory()
        let start = OutboxRestart.rebooted(wall: now.wall + .seconds(60), up: .seconds(20), isSynchronized: true)
        let again = try await Outbox.open(try OutboxRestart.write(files, to: other), rules: rules, now: start)
        #expect(again.findings == [])
        await again.close()
    }

    @Test("What was purged isn't missing at the next start")
    func purge() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(OutboxRestart.records(1...10), at: now)
        await first.append(OutboxRestart.records(11...15), at: now + .seconds(3600))
        await first.close()
        let later = now + .seconds(4000)
        #expect(try OutboxFile(path: path).purge(olderThan: .seconds(1800), at: later) == [.started: 10])
        let second = try await Outbox.open(path, rules: rules, now: later)
        #expect(second.findings == [])
        #expect(await second.status(at: later).records == 5)
        await second.close()
    }

    @Test("A directory that is removed under an open outbox is written anew with all records, and that is told")
    func removedDirectory() async throws {
        let directory = try TemporaryDirectory()
        let state = directory.path + "/state"
        #expect(mkdir(state, 0o755) == 0)
        let path = state + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.append(OutboxRestart.records(1...300), at: now)
        for suffix in ["", "-wal", "-shm", ".state", ".reserve"] { unlink(path + suffix) }
        #expect(rmdir(state) == 0)
        await outbox.append(OutboxRestart.records(301...301), at: now)
        #expect(await outbox.status(at: now).trouble == nil)
        let files = try OutboxRestart.snapshot(of: path)
        await outbox.close()
        var restored: Int?
        for await case .restored(path, let count) in outbox.notices { restored = count }
        #expect(restored == 300)
        let other = try TemporaryDirectory()
        let again = try await Outbox.open(try OutboxRestart.write(files, to: other), rules: rules, now: now)
        #expect(again.findings == [])
        await again.setOnline(true)
        #expect(await again.offeredSequences() == Array(1...301))
        await again.close()
    }

    @Test("A removed file is noticed without anything that comes in")
    func removedFile() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.append(OutboxRestart.records(1...30), at: now)
        unlink(path)
        await outbox.expire(at: now + .seconds(60))
        var notices = outbox.notices.makeAsyncIterator()
        #expect(await notices.next() == .restored(path: path, records: 30))
        #expect(access(path, F_OK) == 0)
        await outbox.close()
    }

    @Test("A state that is removed together with the database is there again, also without anything that comes in")
    func removedState() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.expire(at: now)
        await outbox.append(OutboxRestart.records(1...30), at: now)
        unlink(path)
        unlink(path + ".state")
        await outbox.expire(at: now + .seconds(60))
        #expect(await eventually { OutboxRestart.kept(at: path)?.holding?.count == 30 })
        await outbox.close()
    }

    @Test("A database that is removed without its write-ahead log is written anew, and isn't read with that log")
    func removedDatabase() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.setOnline(true)
        await outbox.append(OutboxRestart.records(1...300), at: now)
        await outbox.acknowledge(await outbox.next(200, now: .now).entries.map(\.id), at: now)
        await outbox.append(OutboxRestart.records(301...301), at: now)
        unlink(path)
        await outbox.append(OutboxRestart.records(302...302), at: now)
        #expect(await outbox.status(at: now).trouble == nil)
        await outbox.close()
        let again = try await Outbox.open(path, rules: rules, now: now)
        #expect(again.findings == [])
        await again.setOnline(true)
        #expect(await again.offeredSequences() == Array(201...302))
        await again.close()
    }

    @Test("Another file in the place of an open outbox is left alone, and is trouble")
    func replacedFile() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now, retryInterval: .seconds(3600))
        await outbox.append(OutboxRestart.records(1...30), at: now)
        unlink(path)
        _ = try directory.write("outbox.db", "another")
        await outbox.append(OutboxRestart.records(31...31), at: now)
        #expect(
            await outbox.status(at: now).trouble?.text.contains(
                "the outbox \(path) was replaced by another file")
                == true)
        #expect(try FileContents.read(path, limit: 100) == Array("another".utf8))
        await outbox.close()
        var unsaved: OutboxLoss?
        for await case .unsaved(path, let loss) in outbox.notices { unsaved = loss }
        #expect(unsaved?.count == 31)
    }
}
