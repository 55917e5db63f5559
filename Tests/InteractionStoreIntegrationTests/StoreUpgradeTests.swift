import InteractionStore
import TestSupport
import Testing

@testable import Attendance
@testable import InteractionStoreTests

@Suite("Stores of an earlier version") struct StoreUpgradeTests {
    private let now = morning + 20 * 3600

    // As version 3 had them: no index by id, no memory of what was taken, no clock of what was written down.
    @Test func `A store of version 3 becomes one of this version, with all that is in it`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            let first = record(1, "ann", 0...20, number: 7)
            #expect(try InteractionStore.open(location).store([first], now: now).stored == 1)
            for statement in [
                "DROP TABLE receiver", "DROP TABLE reading", "DROP TABLE receiver_doubt", "DROP TABLE listening",
                "DROP TABLE vectors", "DROP TABLE company", "DROP INDEX interaction_by_id", "DROP TABLE taken",
                "ALTER TABLE attendance DROP COLUMN clock",
                "UPDATE schema_version SET version = 3",
            ] + RawSQLite.withoutTrust { try RawSQLite.execute(statement, path) }
            for _ in 0..<2 {
                let store = try InteractionStore.open(location)
                #expect(try store.counts().interactions == 1)
                // By its row.
                let again = try store.store([first, record(1, "ann", 0...21, number: 7)], now: now)
                #expect(again.known == 1 && again.refused == [.contradicting: 1])
                #expect(try store.store([record(2, "ben", 5...20, number: 7)], now: now).refused == [.changed: 1])
                try store.settle([
                    .init(
                        lecture: "a", student: "s", status: .present, dwell: 60, firstSeen: nil, lastSeen: nil,
                        clockIsSynchronized: false)
                ])
                #expect(try store.settledVerdicts(lecture: "a").map(\.clockIsSynchronized) == [false])
            }
        }
    }

    @Test func `A store of version 6 knows in which order rooms are named from now on, and the oldest is the first`()
        async throws
    {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            _ = try InteractionStore.open(location).store([record(1, "ann", 0...20, number: 7)], now: now)
            for statement in [
                "DROP INDEX place_by_named", "ALTER TABLE place DROP COLUMN named", "DROP INDEX exposure_by_name",
                "CREATE INDEX exposure_by_name ON exposure (name, kind)", "UPDATE schema_version SET version = 6",
            ] { try RawSQLite.execute(statement, path) }
            for _ in 0..<2 {
                let store = try InteractionStore.open(location)
                #expect(try store.counts().interactions == 1)
                #expect(try store.exposures(of: phone("ann"), endedBefore: now).isEmpty)
            }
        }
    }

    // Then a subject of that kind stood for a topic to be emptied; what a gateway said could have made another.
    @Test func `What a store of version 5 had to withdraw is withdrawn, and nothing else is published`() async throws {
        try await Backend.sqlite.with { location in
            guard case .sqlite(let path) = location else { return }
            _ = try InteractionStore.open(location)
            let key = "0123456789abcdef0123456789abcdef"
            for statement in RawSQLite.withoutTrust + ["UPDATE schema_version SET version = 5"]
                + [key, "x/y"].map({
                    "INSERT INTO notice (kind, name, content, changed, delivered, seen, stale) "
                        + "VALUES ('withdrawn', '\($0)', '', 7, 0, 1, 0)"
                })
            { try RawSQLite.execute(statement, path) }
            let store = try InteractionStore.open(location)
            #expect(try store.withdrawals() == [key: 7])
            // The broker may hold records for the identifier that all had then.
            #expect(try store.clientID() == "beacon-matcher")
            let renewed = try store.renewClientID()
            #expect(renewed.count == 31 && renewed.hasPrefix("beacon-matcher-"))
            #expect(try InteractionStore.open(location).clientID() == renewed)
            #expect(try store.notices().isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `What was taken is forgotten with what it was about`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = record(1, "ann", 0...20, number: 7)
            #expect(try store.store([first], now: now).stored == 1)
            let later = now + 40 * 86_400
            _ = try store.enforceRetention(days: 14, now: later)
            #expect(try store.counts().interactions == 0)
            // By a clock that was set back it could come again.
            #expect(try store.store([first], now: now).stored == 1)
        }
    }
}

extension RawSQLite {
    /// Takes away what versions 6 and 7 added.
    static let withoutTrust =
        [
            "place_claim", "revoked_gateway", "withdrawal", "secret_version", "enrolment", "code_commitment",
            "phone_proof",
        ].map { "DROP TABLE \($0)" }
        + ["report_subject", "positive"].map { "ALTER TABLE \($0) DROP COLUMN pending" }
        + ["DROP INDEX place_by_named", "ALTER TABLE place DROP COLUMN named"]
}
