import Matching
import RecordContract
import SystemIO
import Testing

@testable import BeaconModel
@testable import Evidence
@testable import EvidenceTests
@testable import InteractionStore

/// Nothing that a gateway says writes rows without room for them.
@Suite("What a stolen gateway can fill", .timeLimit(.minutes(10))) struct QuotaTests {
    private let now = morning + 4 * 3600
    private let gateway = "campus/main/1/east"

    /// What is told by another remote receiver, in another room, of another phone.
    private func invented(_ number: Int, sequence: UInt64) throws -> ReceivedRecord {
        guard case .interaction(var record) = record(sequence, "phone-\(number)", 0...10) else {
            throw SystemError("make a record", errorNumber: 0)
        }
        let receiver = "\(gateway)/ear-\(number)"
        record.origin = "\(receiver)/1"
        record.samples = Int64(number)
        record.place = PlaceName(
            key: receiver, site: "campus", building: "main", floor: "1", gateway: receiver, room: "room \(number)")
        return .interaction(record)
    }

    /// A minute in which somebody was heard whom nobody had heard before.
    private func reading(_ number: Int) -> ReceivedRecord {
        .readings(
            ReadingsRecord(
                position: .init(boot: 1, sequence: UInt64(number)), gateway: gateway, receiver: gateway,
                place: PlaceName(key: gateway, site: "campus", building: "main", floor: "1", gateway: gateway),
                start: morning, end: morning + 60, listened: 60, clockIsSynchronized: true,
                subjects: [.init(identity: phone("phone-\(number)"), count: 60, rssi: -60)]))
    }

    private func rows(_ store: InteractionStore) throws -> [String: Int64] {
        try store.database.read { session in
            var rows: [String: Int64] = [:]
            for table in ["place", "origin", "subject", "taken"] {
                rows[table] = try session.first("SELECT count(*) FROM \(table)") { $0.integer(0) }
            }
            return rows
        }
    }

    @Test(arguments: Backend.installed)
    func `Records that contradict an earlier one leave no names`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try store.store([invented(0, sequence: 1)], now: now).stored == 1)
            let before = try rows(store)
            let contradictions = try (1...50).map { try invented($0, sequence: 1) }
            let outcome = try store.store(contradictions, now: now)
            // Of 4096 one is taken for the same.
            #expect(outcome.stored == 0 && outcome.refused[.contradicting] ?? 0 >= 47)
            #expect(try rows(store) == before)
        }
    }

    @Test(arguments: Backend.installed)
    func `Records over the quota leave no names, and are counted`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location, dailyQuota: 537)
            _ = try store.settle(gateway, below: RecordPosition(boot: 1, sequence: 1), now: now)
            let outcome = try store.store((1...5).map { try invented($0, sequence: UInt64($0)) }, now: now)
            #expect(outcome.stored == 1 && outcome.refused == [.overQuota: 4])
            #expect(outcome.progress[gateway]?.sequence == 5)
            #expect(try rows(store) == ["place": 1, "origin": 1, "subject": 1, "taken": 1])
        }
    }

    @Test(arguments: Backend.installed)
    func `Who starts the matcher again gives nobody the room of a day again`(backend: Backend) async throws {
        try await backend.with { location in
            var stored: [Int] = []
            for run in 0..<3 {
                let store = try InteractionStore.open(location, dailyQuota: 10 * IngestQuota.interaction)
                let records = try (1...20).map { try invented(run * 20 + $0, sequence: UInt64(run * 20 + $0)) }
                stored.append(try store.store(records, now: now).stored)
            }
            #expect(stored == [10, 0, 0])
            // Other days have room.
            let store = try InteractionStore.open(location, dailyQuota: 10 * IngestQuota.interaction)
            let tomorrow = record(100, "ann", 1440...1450)
            #expect(try store.store([tomorrow], now: now + 86_400).stored == 1)
        }
    }

    // 256 bytes for the block of each, 537 for the interaction.
    @Test(arguments: Backend.installed)
    func `What only updates an interaction has to have room for remembering it`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location, dailyQuota: 537 + 10 * 256)
            var refused = 0
            for number in 0..<40 {
                let update = record(UInt64(1 + 64 * number), "ann", 0...Int64(number), number: 1, state: .open)
                refused += try store.store([update], now: now).refused[.overQuota] ?? 0
            }
            #expect(refused == 30)
            #expect(try rows(store)["taken"] == 10)
        }
    }

    @Test(arguments: Backend.installed)
    func `A gateway's remote receivers are bounded`(backend: Backend) async throws {
        try await backend.withStore { store in
            let outcome = try store.store((1...300).map { try invented($0, sequence: UInt64($0)) }, now: now)
            #expect(outcome.stored == 255 && outcome.refused == [.overQuota: 45])
            #expect(try rows(store)["place"] == 255)
        }
    }

    // 100 bytes for the minute, 100 for who was heard, 200 for the name and 2,700 for its company, and once 256 for the block
    // of remembered records.
    @Test(arguments: Backend.installed)
    func `Names that only readings have count`(backend: Backend) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location, dailyQuota: 256 + 5 * 3100)
            var stored = 0
            for number in 1...20 { stored += try store.store([reading(number)], now: now).stored }
            #expect(stored == 5)
            #expect(try rows(store)["subject"] == 5)
        }
    }

    // Both are remembered in one block, of which neither may forget what the other wrote.
    @Test(arguments: Backend.installed)
    func `Readings and interactions of one batch are both known when they come again`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = [record(1, "ann", 0...10), reading(2), record(3, "ben", 0...10), reading(4)]
            let first = try store.store(records, now: now)
            let again = try store.store(records, now: now)
            #expect(first.stored == 4 && again.known == 4)
        }
    }

    @Test(arguments: Backend.installed)
    func `A gateway that sends without end has no more stored than its quota of each day`(
        backend: Backend
    ) async throws {
        try await backend.with { location in
            let store = try InteractionStore.open(location, dailyQuota: 10 * 537)
            let gateway = "campus/main/2/thief"
            _ = try store.settle(gateway, below: RecordPosition(boot: 1, sequence: 1), now: now)
            var stored = 0
            for batch in 0..<10 {
                let records = try (1...5).map { number in
                    try heard(
                        UInt64(batch * 5 + number), phone("nobody-\(batch)-\(number)"), by: gateway,
                        Int64(batch)...Int64(batch + number))
                }
                let outcome = try store.store(records, now: now)
                stored += outcome.stored
                #expect(outcome.stored + (outcome.refused[.overQuota] ?? 0) == 5)
                #expect(outcome.progress[gateway]?.sequence == UInt64(batch * 5 + 5))
            }
            #expect(try stored == 10 && store.counts().interactions == 10)
            // Others have room, and what is known already takes none.
            #expect(try store.store([heard(1, phone("ann"), by: "campus/main/1/east", 0...1)], now: now).stored == 1)
        }
    }
}
