import BeaconModel
import SystemIO
import TestSupport

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox

/// Outboxes that are left and opened again.
enum OutboxRestart {
    static let now = OutboxFixtures.start
    static let rules = OutboxRules(drainRate: 1e9)

    static func records(_ sequences: ClosedRange<UInt64>) -> [OutboxRecord] {
        sequences.map { OutboxFixtures.record($0, size: 1300) }
    }

    /// The same machine after another start.
    static func rebooted(wall: Timestamp, up: Duration, isSynchronized: Bool) -> ClockReading {
        ClockReading(
            wall: wall, sinceBoot: up.clampedMicroseconds, bootID: "second", isSynchronized: isSynchronized)
    }

    /// The files of an outbox, by what follows the name of the database, as kill -9 leaves them.
    static func snapshot(of path: String) throws -> [String: [UInt8]] {
        while true {
            var files: [String: [UInt8]] = [:]
            for suffix in [".state", "", "-wal"] {
                files[suffix] = try? FileContents.read(path + suffix, limit: 1 << 26)
            }
            // Otherwise they are of different moments.
            if files[".state"] == (try? FileContents.read(path + ".state", limit: 1 << 26)) { return files }
        }
    }

    static func write(_ files: [String: [UInt8]], to directory: TemporaryDirectory) throws -> String {
        for (suffix, contents) in files { _ = try directory.write("outbox.db" + suffix, contents) }
        return directory.path + "/outbox.db"
    }

    /// An outbox that was killed with ten records in its database and twenty in its write-ahead log.
    static func killed() async throws -> [String: [UInt8]] {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(records(1...10), at: now)
        await first.close()
        let second = try await Outbox.open(path, rules: rules, now: now)
        for sequence in 11...30 as ClosedRange<UInt64> { await second.append(records(sequence...sequence), at: now) }
        let files = try snapshot(of: path)
        await second.close()
        return files
    }

    /// The state of an outbox on disk.
    static func kept(at path: String) -> OutboxState? {
        guard case .state(let state)? = try? OutboxStateFile(database: path).read() else { return nil }
        return state
    }
}
