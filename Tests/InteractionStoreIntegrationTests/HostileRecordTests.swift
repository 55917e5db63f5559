import BeaconModel
import Evidence
import InteractionStore
import Matching
import TestSupport
import TestValues
import Testing

@testable import EvidenceTests
@testable import RecordContract

@Suite("A store and what it can't take, or can't believe") struct HostileRecordTests {
    private let now = morning + 4 * 3600
    private let day: Int64 = 86_400

    /// Passes no reader, but who knows what passes the next.
    private func damaged(_ sequence: UInt64) -> ReceivedRecord {
        guard case .interaction(var interaction) = record(sequence, "ann", 0...1) else {
            return record(sequence, "ann", 0...1)
        }
        interaction.origin = "campus/main/1/east/\u{0}x"
        return .interaction(interaction)
    }

    @Test(arguments: Backend.installed)
    func `A record that the database doesn't take is left out, and counts as seen`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.settle("campus/main/1/east", below: .init(boot: 1, sequence: 1), now: now)
            let records = (1...50).map { sequence in
                [7, 31].contains(sequence)
                    ? damaged(UInt64(sequence)) : record(UInt64(sequence), "ben", Int64(sequence)...Int64(sequence + 1))
            }
            let outcome = try store.store(records, now: now)
            #expect(outcome.stored == 48)
            #expect(outcome.rejected.map(\.position.sequence) == [7, 31])
            #expect(outcome.rejected.first?.because == "a text contains a NUL character")
            #expect(outcome.progress.values.map(\.sequence) == [50])
            #expect(try store.counts().interactions == 48)
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `What PostgreSQL itself says of a value is said of the record`() async throws {
        try await Backend.postgreSQL.withStore { store in
            guard case .interaction(var interaction) = record(2, "ann", 0...1) else { return }
            // More than an index of PostgreSQL takes, of random bytes that can't be compressed.
            var random = SeededGenerator("long origin")
            interaction.origin = String(
                (0..<20_000).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random)! })
            let outcome = try store.store([record(1, "ann", 0...1), .interaction(interaction)], now: now)
            #expect(outcome.stored == 1)
            #expect(outcome.rejected.map(\.position.sequence) == [2])
        }
    }

    @Test func `Rows that no record could make stop nobody`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let store = try InteractionStore.open(location)
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 10...30)], now: now)
            try RawSQLite.execute("UPDATE extent SET longest = 9223372036854775807", path)
            for (number, end) in [(91, Int64.max - 1), (92, 10_000_000_000_000), (93, 0)] {
                try RawSQLite.execute(
                    """
                    INSERT INTO interaction SELECT place, started, origin, \(number), subject, \(end), state, boot, \
                    sequence, samples, rssi, distance, lower_bound, upper_bound, within_3m, within_6m, seconds_3m, \
                    seconds_6m, clock FROM interaction WHERE number = 2
                    """, path)
            }
            #expect(try store.company(of: "ann") == ["ben 10-30"])
            #expect(try store.company(of: "ben") == ["ann 0-20"])
            let places = try store.placeNumbers(named: [room.key])
            #expect(try store.stays(at: places, from: .min, to: .max).count == 2)
        }
    }

    @Test(arguments: Backend.installed)
    func `Subjects of one id and different kinds are different subjects`(backend: Backend) async throws {
        try await backend.withStore { store in
            let subjects = (0..<20).compactMap { SubjectIdentity(kind: "kind-\($0)", id: "the-same") }
            for round in UInt64(0)..<2 {
                let records = subjects.enumerated().map { badge(UInt64($0) + 100 * round + 1, $1, 0...10) }
                #expect(try store.store(records, now: morning + 3600).stored == 20)
            }
            let numbers = try store.numbers(of: subjects)
            #expect(Set(numbers.values).count == 20)
            #expect(try store.counts().subjects == 20)
        }
    }

    @Test(.enabled(if: TestPostgreSQL.isInstalled))
    func `Two that begin a day at once both store`() async throws {
        let (now, day) = (now, day)
        try await Backend.postgreSQL.with { location in
            _ = try InteractionStore.open(location)
            try await withThrowingTaskGroup { group in
                for (name, first) in [("ann", UInt64(1)), ("ben", 1001)] {
                    group.addTask {
                        let store = try InteractionStore.open(location, retention: 100)
                        for round in 0..<60 {
                            let minute = Int64(round) * 1440
                            let outcome = try store.store(
                                [record(first + UInt64(round), name, minute...minute + 1)], now: now + 60 * day)
                            #expect(outcome.stored == 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try InteractionStore.open(location).counts().interactions == 120)
        }
    }
}
