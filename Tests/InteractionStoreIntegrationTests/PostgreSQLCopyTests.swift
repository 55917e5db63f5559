import Evidence
import InteractionStore
import Matching
import Testing

@testable import EvidenceTests

@Suite("Many rows at once") struct PostgreSQLCopyTests {
    private let now = morning + 4 * 3600

    /// So many interactions of an hour, two of each person.
    private func records(_ count: Int64, from first: UInt64 = 1) -> [ReceivedRecord] {
        (0..<count).map { index in
            let minute = index % 60
            return record(
                first + UInt64(index), "p\(index / 2)", minute...(minute + 10),
                centimetres: index % 7 == 0 ? nil : 100 + index)
        }
    }

    @Test(arguments: Backend.installed, [Int64(99), 100, 101, 1500])
    func `However many there are, each is stored once with all that it says`(
        backend: Backend, count: Int64
    ) async throws {
        try await backend.withStore { store in
            for _ in 0..<2 { _ = try store.store(records(count), now: now) }
            #expect(try store.counts().interactions == Int(count))
            let places = try store.placeNumbers(named: [room.key])
            let stays = try store.stays(at: places, from: morning, to: morning + 7200)
            #expect(stays.count == Int(count))
            #expect(stays.count { $0.distance == nil } == Int((count + 6) / 7))
            let expected = (0..<count).filter { $0 % 7 != 0 }.map { 100 + $0 }
            #expect(stays.compactMap { $0.distance?.centimetres }.sorted() == expected)
        }
    }

    @Test(arguments: Backend.installed)
    func `A transaction that is undone leaves nothing in the way of the next`(backend: Backend) async throws {
        try await backend.withStore { store in
            let good = records(300)
            // Larger than the column of any distance.
            let bad = record(1000, "eve", 0...10, centimetres: 5_000_000_000)
            let outcome = try store.store(good + [bad], now: now)
            _ = try store.store(records(300, from: 2000), now: now)
            let stored = try store.counts().interactions
            #expect(stored == 600 + (backend == .sqlite ? 1 : 0))
            #expect(outcome.stored == 300 + (backend == .sqlite ? 1 : 0))
        }
    }
}
