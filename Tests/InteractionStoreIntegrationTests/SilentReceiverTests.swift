import Evidence
import InteractionStore
import Matching
import RecordContract
import Testing

@testable import EvidenceTests

@Suite("Receivers that don't listen") struct SilentReceiverTests {
    private static let gateway = "campus/main/1/east"
    /// A moment after the first quarter of an hour is settled.
    private let now = morning + 15 * 60 + 70

    /// What a receiver says of a minute of the morning.
    private func readings(
        _ sequence: UInt64, _ minute: Int64, listened: Double, by receiver: String = gateway
    ) -> ReceivedRecord {
        .readings(
            ReadingsRecord(
                position: RecordPosition(boot: 1, sequence: sequence), gateway: Self.gateway, receiver: receiver,
                place: PlaceName(
                    key: receiver, site: "campus", building: "main", floor: "1", gateway: receiver, room: nil,
                    beacon: nil),
                start: morning + minute * 60, end: morning + minute * 60 + 60, listened: listened,
                clockIsSynchronized: true, subjects: []))
    }

    private func silent(_ store: InteractionStore, since seconds: Int64 = 200) throws -> Set<String> {
        try store.silentReceivers(since: now - seconds, now: now)
    }

    @Test(arguments: Backend.installed)
    func `Who listened lately isn't silent, before that is settled and after`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try silent(store).isEmpty)
            _ = try store.store([readings(1, 14, listened: 59)], now: now)
            #expect(try silent(store).isEmpty)
            _ = try store.settleAllReadings(before: now - 60, now: now)
            #expect(try store.hasUnsettledReadings(before: now) == false)
            #expect(try silent(store).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `Who was deaf, or of whom nothing came lately, is silent`(backend: Backend) async throws {
        try await backend.withStore { store in
            let receiver = Self.gateway + "/kitchen"
            _ = try store.store([readings(1, 2, listened: 60), readings(2, 15, listened: 0)], now: now)
            #expect(try silent(store) == [Self.gateway])
            _ = try store.store([readings(3, 15, listened: 60, by: receiver)], now: now)
            #expect(try silent(store) == [Self.gateway])
            _ = try store.store([readings(4, 2, listened: 60)], now: now)
            #expect(try silent(store) == [Self.gateway])
            #expect(try silent(store, since: 900).isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `Who publishes no readings any more isn't silent the day after the next`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([readings(1, 2, listened: 60)], now: now)
            for (days, isSilent) in [(1, true), (2, false)] as [(Int64, Bool)] {
                let later = now + days * 86_400
                #expect(try store.silentReceivers(since: later - 200, now: later).isEmpty == !isSilent)
            }
        }
    }
}
