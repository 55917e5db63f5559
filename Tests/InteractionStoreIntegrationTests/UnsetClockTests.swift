import BeaconModel
import Evidence
import InteractionStore
import Matching
import Testing

@testable import EvidenceTests
@testable import RecordContract

@Suite("A store while nobody has set the clock") struct UnsetClockTests {
    private let now = morning + 4 * 3600
    private let day: Int64 = 86_400

    @Test(arguments: Backend.installed)
    func `A clock that nobody has set refuses no record and deletes none`(backend: Backend) async throws {
        try await backend.withStore { store in
            let records = [record(1, "ann", 0...20), record(2, "ben", 10...30)]
            // Behind: the records would be of the future. Ahead: they would be too old.
            for (wrong, stored) in [(now - 3 * day, 2), (now + 300 * day, 0)] {
                let outcome = try store.store(records, now: wrong, clockIsSynchronized: false)
                #expect(outcome.refused == [:])
                #expect(outcome.stored == stored && outcome.known == 2 - stored)
                #expect(
                    try store.enforceRetention(days: 14, now: wrong, clockIsSynchronized: false).interactions == 0)
            }
            #expect(try store.company(of: "ann") == ["ben 10-30"])
            // The clock is set: nothing that was stored before looks old.
            #expect(try store.enforceRetention(days: 14, now: now) == .init())
            #expect(try store.company(of: "ann") == ["ben 10-30"])
        }
    }

    @Test(arguments: Backend.installed)
    func `An unset clock deletes by the time of gateways`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store(
                [record(1, "ann", 0...20), record(2, "ann", 20 * 1440...20 * 1440 + 1)], now: now,
                clockIsSynchronized: false)
            let deletion = try store.enforceRetention(days: 14, now: now + 900 * day, clockIsSynchronized: false)
            #expect(deletion.interactions == 1)
            #expect(try store.counts().interactions == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `What came from the future while nobody knew the time goes when it is known`(backend: Backend) async throws {
        try await backend.withStore { store in
            let start = 4000 * Int64(1440)
            _ = try store.store([record(1, "ann", start...start + 1)], now: now, clockIsSynchronized: false)
            #expect(try store.enforceRetention(days: 14, now: now).interactions == 1)
            #expect(try store.enforceRetention(days: 14, now: now + 30 * day).subjects == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `While the time isn't known, records of thousands of days stop nobody's`(backend: Backend) async throws {
        try await backend.withStore { store in
            let far = (0..<3000).map { record(UInt64($0 + 1), "ann", Int64($0) * 1440...Int64($0) * 1440 + 5) }
            var stored = 0
            var refused = 0
            for start in stride(from: 0, to: far.count, by: 500) {
                let outcome = try store.store(
                    Array(far[start..<start + 500]), now: now, clockIsSynchronized: false)
                stored += outcome.stored
                refused += outcome.refused[.manyDays] ?? 0
            }
            // 40 beside those around the machine's own day.
            #expect(stored <= 40 + 31 && stored >= 40 && stored + refused == 3000, "\(stored) and \(refused)")
            #expect(try store.counts().interactions == stored)
            // Others' are taken, today and tomorrow.
            for day: Int64 in 0...2 {
                let minutes = day * 1440 + 100...day * 1440 + 110
                let own = record(UInt64(5000 + day), "ben", minutes)
                #expect(
                    try store.store([own], now: now + day * 86_400, clockIsSynchronized: false).stored == 1)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Names that were stored by a clock that was ahead are renewed by one that is right`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let year = 365 * day
            _ = try store.store([record(1, "ann", 525_600...525_601)], now: morning + year)
            for week in Int64(0)..<4 {
                let time = morning + week * 7 * day
                _ = try store.store(
                    [record(UInt64(week) + 2, "ann", week * 10_080...week * 10_080 + 1)], now: time + 60)
                _ = try store.enforceRetention(days: 14, now: time + 60)
                #expect(try store.numbers(of: [phone("ann")]).count == 1)
            }
        }
    }
}
