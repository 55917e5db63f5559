import BeaconModel
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox

/// Files of an outbox as they are found after kill -9: a database and a write-ahead log, each with rows of its own.
struct OutboxFiles {
    var database: [UInt8]
    var log: [UInt8]
    /// By sequence number.
    let rows: Int

    /// - Parameters:
    ///   - stored: rows in the database.
    ///   - logged: rows in the log alone.
    ///   - batch: how many of these are in one transaction.
    static func make(stored: Int, logged: Int, batch: Int = 1, size: Int = 1300) async throws -> OutboxFiles {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let now = OutboxFixtures.start
        let first = try await Outbox.open(path, rules: OutboxRules(), now: now)
        await first.append((0..<stored).map { OutboxFixtures.record(UInt64($0 + 1), size: size) }, at: now)
        await first.close()
        let second = try await Outbox.open(path, rules: OutboxRules(), now: now)
        for first in stride(from: stored, to: stored + logged, by: batch) {
            await second.append(
                (first..<first + batch).map { OutboxFixtures.record(UInt64($0 + 1), size: size) }, at: now)
        }
        let files = OutboxFiles(
            database: try FileContents.read(path, limit: 1 << 24),
            log: try FileContents.read(path + "-wal", limit: 1 << 24), rows: stored + logged)
        await second.close()
        return files
    }

    /// What an outbox that is opened on these files holds, and what opening found.
    func open() async throws -> (sequences: [UInt64], payloads: [[UInt8]], findings: [OutboxFinding], names: [String]) {
        let directory = try TemporaryDirectory()
        let path = try directory.write("outbox.db", database)
        if !log.isEmpty { _ = try directory.write("outbox.db-wal", log) }
        let outbox = try await Outbox.open(path, rules: OutboxRules(drainRate: 1e9), now: OutboxFixtures.start)
        await outbox.setOnline(true)
        let entries = await outbox.next(.max, now: .now).entries
        // It works on.
        await outbox.append([OutboxFixtures.record(1_000_000)], at: OutboxFixtures.start)
        let trouble = await outbox.status(at: OutboxFixtures.start).trouble
        #expect(trouble == nil)
        await outbox.close()
        return (entries.map(\.position.sequence), entries.map(\.payload), outbox.findings, directory.names)
    }
}

// The full proofs write and open hundreds of outboxes, and each waits for the disk.
@Suite(.timeLimit(.minutes(60))) struct OutboxDamageTests {
    /// Bytes from one damage to the next: every day some of the places that the full proof has.
    private static func step(_ full: Int) -> Int { TestScale.isFull ? full : 8 * full + 1 }

    @Test("What was committed is there after kill -9, from the database and from its log")
    func kill() async throws {
        let files = try await OutboxFiles.make(stored: 5, logged: 5)
        let found = try await files.open()
        #expect(found.sequences == Array(1...10))
        #expect(found.findings == [])
    }

    @Test("A changed byte anywhere in the database costs the rows of a page at most, and is reported")
    func database() async throws {
        let files = try await OutboxFiles.make(stored: 40, logged: 0)
        var losses = 0
        for offset in stride(from: 0, to: files.database.count, by: Self.step(401)) {
            var damaged = files
            damaged.database[offset] ^= 0x5A
            let found = try await damaged.open()
            let lost = files.rows - found.sequences.count
            #expect(lost <= 3, "offset \(offset)")
            #expect(lost == 0 || !found.findings.isEmpty, "offset \(offset)")
            #expect(isIntact(found.sequences, found.payloads), "offset \(offset)")
            losses += lost
        }
        // Most of the file is payload.
        #expect(losses > (TestScale.isFull ? 30 : 3))
    }

    @Test("A changed byte anywhere in the write-ahead log costs the rows of a page at most, and is reported")
    func log() async throws {
        let files = try await OutboxFiles.make(stored: 5, logged: 20)
        for offset in stride(from: 0, to: files.log.count, by: Self.step(397)) {
            var damaged = files
            damaged.log[offset] ^= 0x5A
            let found = try await damaged.open()
            #expect(files.rows - found.sequences.count <= 3, "offset \(offset)")
            #expect(!found.findings.isEmpty, "offset \(offset)")
            #expect(
                found.names.contains("outbox.db-wal.damaged")
                    || found.findings.allSatisfy { $0.what.hasSuffix("are unfinished") }, "offset \(offset)")
            #expect(isIntact(found.sequences, found.payloads), "offset \(offset)")
        }
    }

    @Test("A database that was cut anywhere is opened, with what is left of it, and the damaged file is kept")
    func cutDatabase() async throws {
        let files = try await OutboxFiles.make(stored: 40, logged: 0)
        for length in stride(from: 1, to: files.database.count, by: Self.step(2777)) {
            var damaged = files
            damaged.database.removeLast(damaged.database.count - length)
            let found = try await damaged.open()
            #expect(!found.findings.isEmpty, "length \(length)")
            #expect(found.names.contains("outbox.db.damaged"), "length \(length)")
            #expect(isIntact(found.sequences, found.payloads), "length \(length)")
            // Two records at least are in a page, and they are written in order; the first pages are the table's own.
            #expect(found.sequences.count >= 2 * (length / OutboxSchema.pageSize - 3), "length \(length)")
        }
    }

    @Test("A write-ahead log that was cut anywhere gives the transactions before the cut")
    func cutLog() async throws {
        let files = try await OutboxFiles.make(stored: 5, logged: 20)
        var before = 0
        for length in stride(from: 1, to: files.log.count, by: Self.step(2003)) {
            var damaged = files
            damaged.log.removeLast(damaged.log.count - length)
            let found = try await damaged.open()
            #expect(isIntact(found.sequences, found.payloads), "length \(length)")
            #expect(found.sequences == Array(1...UInt64(max(5, found.sequences.count))), "length \(length)")
            #expect(found.sequences.count >= before, "length \(length)")
            #expect(found.findings.allSatisfy { $0.what.hasSuffix("are unfinished") }, "length \(length)")
            before = found.sequences.count
        }
        #expect(before > 20)
    }

    @Test("A last transaction that reached the disk in part is left out, and costs nothing of those before it")
    func tornTransaction() async throws {
        var generator = SeededGenerator("torn transaction")
        let files = try await OutboxFiles.make(stored: 100, logged: 40, batch: 20)
        let frameSize = 24 + OutboxSchema.pageSize
        let frames = (files.log.count - 32) / frameSize
        let ends = (0..<frames).filter { frame in
            files.log[32 + frame * frameSize + 4..<32 + frame * frameSize + 8].contains { $0 != 0 }
        }
        try #require(ends.count == 2)
        let start = 32 + (ends[0] + 1) * frameSize
        for round in 0..<TestScale.amount(8, full: 40) {
            var torn = files
            var missing = 0
            // Pages of the file that didn't reach the disk have what was there before: of earlier logs, or nothing.
            for block in start / 4096...files.log.count / 4096 {
                let range = max(start, block * 4096)..<min(files.log.count, (block + 1) * 4096)
                guard !range.isEmpty, Int.random(in: 0..<4, using: &generator) == 0 else { continue }
                let old = round.isMultiple(of: 2) ? Array(repeating: 0, count: range.count) : Array(files.log[32...])
                torn.log.replaceSubrange(range, with: old.prefix(range.count))
                missing += range.count
            }
            if missing == 0 || torn.log == files.log { continue }
            let found = try await torn.open()
            #expect(found.sequences == Array(1...120), "round \(round), \(missing) bytes; \(generator.comment)")
            #expect(found.findings.allSatisfy { $0.what.hasSuffix("are unfinished") }, "\(generator.comment)")
            #expect(isIntact(found.sequences, found.payloads))
        }
    }

    @Test("Rows on both sides of several damaged places are saved")
    func severalPlaces() async throws {
        let files = try await OutboxFiles.make(stored: 400, logged: 0)
        var damaged = files
        for part in 1...4 {
            let start = damaged.database.count * part / 5
            for offset in start..<start + 3000 { damaged.database[offset] = 0xFF }
        }
        let found = try await damaged.open()
        #expect(found.sequences.count >= 400 - 4 * 8)
        #expect(found.sequences.count < 400)
        #expect(isIntact(found.sequences, found.payloads))
        #expect(found.findings.count == 1)
        #expect(found.findings.first?.what.contains("\(found.sequences.count) records were recovered") == true)
    }

    @Test("A file that is no database is kept aside, and a new outbox begins")
    func noDatabase() async throws {
        let files = OutboxFiles(database: Array("This is not what you are looking for.\n".utf8), log: [], rows: 0)
        let found = try await files.open()
        #expect(found.sequences == [])
        #expect(found.findings.count == 1)
        #expect(Set(found.names) == ["outbox.db", "outbox.db.damaged", "outbox.db.reserve", "outbox.db.state"])
    }

    @Test("A row that isn't what was written is given up and counted, the others stay")
    func damagedRow() async throws {
        let files = try await OutboxFiles.make(stored: 10, logged: 0)
        var damaged = files
        // In the middle of a payload: nothing but the row's checksum can tell.
        let offset = try #require((5000..<9000).first { damaged.database[$0..<$0 + 40].allSatisfy { $0 == 0x78 } })
        damaged.database[offset + 20] = 0x79
        let directory = try TemporaryDirectory()
        let path = try directory.write("outbox.db", damaged.database)
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: OutboxFixtures.start)
        let status = await outbox.status(at: OutboxFixtures.start)
        #expect(status.records == 9)
        #expect(status.damaged == 1)
        #expect(outbox.findings.count == 1)
        await outbox.close()
        let again = try await Outbox.open(path, rules: OutboxRules(), now: OutboxFixtures.start)
        #expect(again.findings == [])
        #expect(await again.status(at: OutboxFixtures.start).records == 9)
        await again.close()
    }

    @Test(
        "An outbox that can't be opened is an error with its path and what to do", arguments: ["missing/outbox.db", ""])
    func unopenable(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/" + name
        do {
            _ = try await Outbox.open(path, rules: OutboxRules(), now: OutboxFixtures.start)
            Issue.record("it was opened")
        } catch {
            #expect(error.what.contains(path))
            #expect(error.remedy != nil)
            #expect(error.exitStatus == .inputOutput)
        }
    }

    @Test("A database of a newer version is refused and left alone")
    func newer() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let store = try OutboxStore.open(path)
        try store.execute("ALTER TABLE record RENAME TO record2; PRAGMA user_version = 2")
        try store.closeNow()
        let before = try FileContents.read(path, limit: 1 << 20)
        do {
            _ = try await Outbox.open(path, rules: OutboxRules(), now: OutboxFixtures.start)
            Issue.record("it was opened")
        } catch {
            #expect(error.what.contains("version 2"))
        }
        #expect(try FileContents.read(path, limit: 1 << 20) == before)
    }

    @Test(
        "A salvage that was interrupted when everything was copied is completed, whichever step was the last",
        arguments: [["", "-wal"], [""], []])
    func interruptedSalvage(unmoved: [String]) async throws {
        let files = try await OutboxFiles.make(stored: 5, logged: 0)
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        _ = try directory.write("outbox.db.salvaged", files.database)
        for suffix in ["", "-wal"] {
            _ = try directory.write((unmoved.contains(suffix) ? "outbox.db" : "outbox.db.damaged") + suffix, "damaged")
        }
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: OutboxFixtures.start)
        #expect(await outbox.status(at: OutboxFixtures.start).records == 5)
        #expect(outbox.findings == [])
        await outbox.close()
        for suffix in ["", "-wal"] {
            #expect(try FileContents.read(path + ".damaged" + suffix, limit: 100) == Array("damaged".utf8))
        }
    }

    @Test("A salvage that was interrupted before is done anew")
    func beginningOfASalvage() async throws {
        let files = try await OutboxFiles.make(stored: 5, logged: 0)
        let directory = try TemporaryDirectory()
        let path = try directory.write("outbox.db", files.database)
        _ = try directory.write("outbox.db.salvage", "half of it")
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: OutboxFixtures.start)
        #expect(await outbox.status(at: OutboxFixtures.start).records == 5)
        await outbox.close()
        #expect(!directory.names.contains("outbox.db.salvage"))
    }

    /// Whether each payload is that of its record.
    private func isIntact(_ sequences: [UInt64], _ payloads: [[UInt8]]) -> Bool {
        zip(sequences, payloads).allSatisfy { sequence, payload in
            payload == HistoricalMark.setting(OutboxFixtures.record(sequence, size: 1300).payload)
        }
    }
}
