import BeaconModel
import Evidence
import InteractionStore
import Matching
import Testing

@testable import EvidenceTests
@testable import RecordContract

@Suite("What the retention deletes, and what it leaves") struct StoreRetentionTests {
    private let now = morning + 4 * 3600
    private let day: Int64 = 86_400

    @Test(arguments: Backend.installed)
    func `Places, origins and gateways of which nothing is left go too, and come back`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...20)], now: now)
            _ = try store.settle("campus/main/1/east", below: .init(boot: 1, sequence: 1), now: now)
            #expect(try store.placeNumbers(named: [room.key]).count == 1)
            _ = try store.enforceRetention(days: 14, now: now + 40 * day)
            #expect(try store.placeNumbers(named: [room.key]).isEmpty)
            #expect(try store.progress() == [:])
            // This store has given them numbers before.
            let later = 40 * Int64(1440)
            _ = try store.store(
                [record(2, "ann", later...later + 20), record(3, "ben", later...later + 20)], now: now + 40 * day)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            let found = try store.encounters(
                of: [.init(subject: number, since: now, until: now + 50 * day)], rule: anywhere)
            #expect(try store.places(Set(found.map(\.other.place))).values.map { $0 } == [room])
        }
    }

    @Test(arguments: Backend.installed)
    func `Neighbours of the configuration stay known`(backend: Backend) async throws {
        try await backend.withStore { store in
            try store.setNeighbours([("z", "a", 400), ("b", "a", 300)])
            _ = try store.enforceRetention(days: 14, now: now)
            #expect(try store.placeNumbers(named: ["a", "b", "z"]).count == 3)
        }
    }

    @Test(arguments: Backend.installed)
    func `What somebody is still to be told outlives the retention`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store([record(1, "ann", 0...20), record(2, "ben", 5...25)], now: morning + 3600)
            let report = try #require(
                try store.add(
                    PositiveReport(
                        reference: "r", received: morning, positive: PositiveCase(reportType: .confirmed),
                        subjects: [.init(identity: phone("ann"), since: 0, until: morning)])
                ).number)
            _ = try store.setExposures(
                [
                    .init(
                        subject: phone("ben"), place: 1, start: morning, end: morning + 60, minutes: 1)
                ], of: report)
            _ = try store.enforceRetention(days: 14, now: morning + 3600)
            #expect(try store.staleNotices().map(\.subject) == [phone("ben")])
        }
    }
}
