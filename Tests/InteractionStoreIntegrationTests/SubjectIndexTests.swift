import Matching
import Testing

@testable import Evidence
@testable import EvidenceTests
@testable import InteractionStore

@Suite("The index of subjects")
struct SubjectIndexTests {
    /// `ann` and `ben` meet in the morning of each of five days, and once from before midnight until after it.
    private static let records: [ReceivedRecord] = {
        var records: [ReceivedRecord] = []
        for day in Int64(0)..<5 {
            records.append(record(UInt64(4 * day + 1), "ann", day * 1440...day * 1440 + 10))
            records.append(record(UInt64(4 * day + 2), "ben", day * 1440...day * 1440 + 10))
        }
        // 23:50 to 00:10, and 00:05 to 00:20.
        return records + [record(31, "ann", 950...970), record(32, "ben", 965...980)]
    }()
    private static let now = morning + 6 * 86_400

    @Test(arguments: Backend.installed)
    func `Encounters of all days are found, also across midnight`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store(Self.records, now: Self.now)
            let number = try #require(try store.numbers(of: [phone("ann")]).values.first)
            func starts(since: Int64, until: Int64) throws -> [Int64] {
                try store.encounters(
                    of: [.init(subject: number, since: morning + since * 60, until: morning + until * 60)],
                    rule: anywhere
                ).map { ($0.start - morning) / 60 }.sorted()
            }
            #expect(try starts(since: 0, until: 9000) == [0, 965, 1440, 2880, 4320, 5760])
            #expect(try starts(since: 960, until: 2000) == [965, 1440])
            #expect(try starts(since: 6000, until: 9000) == [])
        }
    }

    @Test(arguments: Backend.installed)
    func `Whoever is erased leaves nothing on any day`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.store(Self.records, now: Self.now)
            let erasure = try store.erase(phone("ann"), now: Self.now)
            #expect(erasure.interactions == 6)
            #expect(erasure.remaining["interaction"] == 0)
            #expect(try store.counts().interactions == 6)
        }
    }

    @Test func `In SQLite a subject's interactions are sought in the index, and those of others in the key`()
        async throws
    {
        try await Backend.sqlite.withStore { store in
            let rule = anywhere
            let limits = EncounterLimits(rule: rule, longest: 600)
            let query = EncounterQuery.stays(
                [.init(subject: 1, since: 0, until: Self.now), .init(subject: 2, since: 0, until: Self.now)],
                longest: 600, without: [7], rows: 10, .sqlite)
            let others = EncounterQuery.others(at: 1, during: 0...Self.now, limits)
            for sql in [
                query, others, "DELETE FROM interaction AS i WHERE \(StoreSchema.isOfSubject("i", "1", .sqlite))",
            ] {
                let plan = try store.database.read { session in
                    var plan: [String] = []
                    try session.query("EXPLAIN QUERY PLAN " + sql) { plan.append($0.text(3) ?? "") }
                    return plan
                }
                #expect(
                    plan.contains {
                        $0.hasPrefix("SEARCH i USING") && $0.contains("<expr>=? AND subject=?")
                            || $0.hasPrefix("SEARCH interaction USING") && $0.contains("place=? AND started>?")
                    }, "\(plan)"
                )
                #expect(!plan.contains { $0.hasPrefix("SCAN interaction") || $0.hasPrefix("SCAN c") }, "\(plan)")
            }
        }
    }
}
