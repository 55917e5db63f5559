import Matching
import TestSupport
import Testing

@testable import Attendance
@testable import EvidenceTests
@testable import InteractionStore

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
            ] + RawSQLite.withoutTrust + RawSQLite.withDocuments { try RawSQLite.execute(statement, path) }
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
            ] + RawSQLite.withDocuments { try RawSQLite.execute(statement, path) }
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
            for statement in RawSQLite.withoutTrust + RawSQLite.withDocuments + [
                "UPDATE schema_version SET version = 5"
            ]
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

    @Test func `A store in which a matcher of an earlier version leads is upgraded when that one has ended`()
        async throws
    {
        for backend in Backend.installed {
            try await backend.with { location in
                var leader = try StoreLease.acquire(location, .leader)
                #expect(leader != nil)
                #expect(throws: StoreError.usedByEarlierVersion(location)) { _ = try upgraded(location, []) }
                leader = nil
                _ = try InteractionStore.open(location)
            }
        }
    }

    /// Makes a store of version 8 of an empty one, runs statements in it, and opens it again.
    private func upgraded(_ location: StoreLocation, _ statements: [String]) throws -> InteractionStore {
        try InteractionStore.open(location).database.write { session in
            for statement in RawSQLite.withDocuments + statements + ["UPDATE schema_version SET version = 8"] {
                try session.execute(statement)
            }
        }
        return try InteractionStore.open(location)
    }

    /// An exposure as versions before 9 kept it.
    private func exposure(_ name: String, _ document: String) -> String {
        "INSERT INTO exposure (report, kind, name, place, started, ended, milliminutes, document) "
            + "VALUES (1, 'phone', '\(name)', 7, \(morning), \(morning + 600), 9500, "
            + "'\(document.replacing("'", with: "''"))')"
    }

    /// A notice as versions before 9 kept it, which was delivered and read.
    private func notice(_ name: String, _ content: String) -> String {
        "INSERT INTO notice (kind, name, content, changed, delivered, seen, stale) "
            + "VALUES ('phone', '\(name)', '\(content.replacing("'", with: "''"))', 5, 1, 1, -3)"
    }

    /// The document of an exposure as versions before 8 kept it.
    private func document(way: String?, missing: String) -> String {
        #"{"end":"2026-11-03T00:00:00Z","explanation":{"missing":[\#(missing)],"omittedWindows":1,"summary":"s"},"#
            + #""minutes":9.5,"policy":{"name":"p","version":"1"},"start":"2026-11-02T00:00:00Z""#
            + (way.map { #","way":"\#($0)""# } ?? "") + "}"
    }

    @Test(arguments: Backend.installed)
    func `Exposures of a store of version 8 keep their time, their way and their doubt`(
        backend: Backend
    ) async throws {
        // As versions before 9 wrote it, and as some later ones did.
        let formerClock = #""a gateway's clock wasn't synchronized: the times may be wrong""#
        let clock = #""a gateway's clock was not synchronized: the times may be wrong""#
        let former: [(document: String, clockIsDoubtful: Bool, way: Exposure.Way)] = [
            ("", false, .beacon), ("clock", true, .beacon), ("together", false, .together),
            ("clock together", true, .together),
            (document(way: "beacon", missing: ""), false, .beacon),
            (document(way: nil, missing: "\"the day of onset\""), false, .beacon),
            (document(way: "beacon", missing: clock), true, .beacon),
            (document(way: "beacon", missing: formerClock), true, .beacon),
            (document(way: "together", missing: formerClock), true, .together),
            (document(way: "together", missing: "\"the day of onset\",\(clock)"), true, .together),
            // It stays, and is doubted.
            ("{broken", true, .together), ("?", true, .together),
        ]
        try await backend.with { location in
            let store = try upgraded(
                location, former.enumerated().map { exposure("p\($0)", $1.document) })
            for (index, exposure) in former.enumerated() {
                #expect(
                    try store.exposures(of: phone("p\(index)")) == [
                        ExposureSummary(
                            subject: phone("p\(index)"), place: 7, start: morning, end: morning + 600, minutes: 9.5,
                            clockIsDoubtful: exposure.clockIsDoubtful, way: exposure.way)
                    ], "\(exposure.document)")
            }
            #expect(try InteractionStore.open(location).exposures(of: phone("p0")).count == 1)
        }
    }

    @Test(arguments: Backend.installed)
    func `Notices of a store of version 8 keep what they say, and whether they were delivered and read`(
        backend: Backend
    ) async throws {
        func content(_ latest: Int64?, _ clockIsDoubtful: Bool = false) -> NoticeContent {
            NoticeContent(
                level: .high, label: "très \"élevé\"", days: 2, latest: latest, policy: "further", policyVersion: "2",
                clockIsDoubtful: clockIsDoubtful)
        }
        let label = #""exposures":2,"label":"très \"élevé\"""#
        let end = #""level":"high","#
        let policy = #""policy":{"name":"further","version":"2"}"#
        let former: [(text: String, content: NoticeContent?)] = [
            ("", nil),
            (
                #"{\#(label),"latest":"2026-11-02T00:00:00Z",\#(end)"missing":[],\#(policy)}"#,
                content(morning - 8 * 3600)
            ),
            (
                #"{\#(label),"latest":"2026-11-02T00:00:00Z",\#(end)"#
                    + #""missing":["a gateway's clock was not synchronized: the times may be wrong"],\#(policy)}"#,
                content(morning - 8 * 3600, true)
            ),
            (
                #"{\#(label),"latest":"2026-11-02T00:00:00Z",\#(end)"#
                    + #""missing":["a gateway's clock wasn't synchronized: the times may be wrong"],\#(policy)}"#,
                content(morning - 8 * 3600, true)
            ),
            // An earlier version gave the second, and no reasons for doubt.
            (#"{\#(label),"latest":"2026-11-02T08:00:01Z",\#(end)\#(policy)}"#, content(morning + 1)),
            (#"{\#(label),\#(end)"missing":[],\#(policy)}"#, content(nil)),
        ]
        try await backend.with { location in
            let store = try upgraded(location, former.enumerated().map { notice("p\($0)", $1.text) })
            #expect(
                try store.notices()
                    == former.enumerated().map {
                        Notice(
                            subject: phone("p\($0)"), content: $1.content, changed: 5, isDelivered: true, isSeen: true)
                    })
            #expect(try store.staleNotices() == [])
        }
    }

    // What couldn't be read must not become "no exposure": the notice is made again, and delivered as a new one.
    @Test(arguments: Backend.installed)
    func `A damaged notice of a store of version 8 is made again from the subject's exposures`(
        backend: Backend
    ) async throws {
        let damaged = [
            "{", "later", "{}", #"{"exposures":1,"label":"","level":"none","policy":{"name":"p","version":"1"}}"#,
            #"{"exposures":1,"label":"","latest":"today","level":"low","policy":{"name":"p","version":"1"}}"#,
            #"{"exposures":-1,"label":"","level":"low","policy":{"name":"p","version":"1"}}"#,
        ]
        try await backend.with { location in
            let store = try upgraded(
                location,
                damaged.enumerated().flatMap { [notice("p\($0)", $1), exposure("p\($0)", "")] })
            let stale = try store.staleNotices()
            #expect(stale == damaged.indices.map { StaleNotice(subject: phone("p\($0)"), changes: 4) })
            for notice in stale {
                #expect(try store.notice(for: notice.subject) == nil)
                #expect(try store.exposures(of: notice.subject).count == 1)
                try store.setNotice(.days(1), for: notice, now: 6)
            }
            let unread = try store.notices(.unread)
            #expect(unread.map(\.content) == damaged.map { _ in .days(1) } && unread.allSatisfy { !$0.isDelivered })
        }
    }

    @Test(arguments: Backend.installed)
    func `Offsets of a store of version 11 are used until a night chooses others`(backend: Backend) async throws {
        try await backend.with { location in
            let former = try InteractionStore.open(location)
            _ = try former.finish(night: 1, in: "s/b", choosing: .version(["s/b/0/a": 2]), now: 1000)
            try former.database.write { session in
                for statement in RawSQLite.withoutPage + ["DROP TABLE receiver_night"] {
                    try session.execute(statement)
                }
                try session.execute("UPDATE schema_version SET version = 11")
            }
            for _ in 0..<2 {
                let store = try InteractionStore.open(location)
                #expect(try store.receiverNights() == [:])
                #expect(try store.usedOffsets() == ["s/b/0/a": 2])
                #expect(try store.useNewestOffsets(in: "s/b") == 1000)
            }
            let store = try InteractionStore.open(location)
            #expect(try store.finish(night: 1, in: "s/b", choosing: .noOffsets, now: 2000) == false)
            #expect(try store.usedOffsets() == [:])
        }
    }

    @Test(arguments: Backend.installed)
    func `A store of version 13 takes test results that are sent in, and keeps what it has`(
        backend: Backend
    ) async throws {
        try await backend.with { location in
            let former = try InteractionStore.open(location)
            #expect(try former.store([record(1, "ann", 0...20, number: 7)], now: now).stored == 1)
            let report = PositiveReport(
                reference: "r", received: now, positive: PositiveCase(reportType: .confirmed),
                subjects: [.init(identity: phone("ann"), since: 0, until: now)])
            _ = try former.setExposures([], of: try #require(try former.add(report).number))
            try former.database.write { session in
                for statement in RawSQLite.withoutResults { try session.execute(statement) }
                try session.execute("UPDATE schema_version SET version = 13")
            }
            let result = SubmittedResult(
                reference: "a", state: .waiting, at: now, sender: .init(name: "Ann", number: "s1", contact: ""),
                proof: .code)
            for isFirst in [true, false] {
                let store = try InteractionStore.open(location)
                #expect(try store.counts().interactions == 1)
                if isFirst { #expect(try store.send(result, now: now)) }
                #expect(try store.submittedResult("a") == result)
                // Nobody knows whether the former version has matched it.
                #expect(try store.unmatchedReportCount(of: [.confirmed]) == 1)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `A store of version 14 keeps its attendance, and records the times of lectures from now on`(
        backend: Backend
    ) async throws {
        func verdict(_ student: String, _ time: LectureTime?) -> SettledVerdict {
            SettledVerdict(
                lecture: "a", student: student, time: time, status: .absent, dwell: 0, firstSeen: nil, lastSeen: nil)
        }
        func correction(_ at: Int64, _ time: LectureTime?) -> Correction {
            Correction(
                lecture: "a", student: "s", time: time, at: at, by: "b", reason: "r", from: .absent, to: .excused)
        }
        try await backend.with { location in
            let time = LectureTime(start: morning, end: morning + 5400)
            let former = try InteractionStore.open(location)
            try former.settle([verdict("s", time), verdict("t", time)])
            try former.correct(correction(1, time))
            try former.database.write { session in
                for statement in RawSQLite.withoutLectureTimes { try session.execute(statement) }
                try session.execute("UPDATE schema_version SET version = 14")
            }
            for isFirst in [true, false] {
                let store = try InteractionStore.open(location)
                if isFirst {
                    #expect(try store.settledVerdicts(lecture: "a") == [verdict("s", nil), verdict("t", nil)])
                    #expect(try store.corrections() == [correction(1, nil)])
                    try store.settle([verdict("t", time)])
                    try store.correct(correction(2, time))
                }
                #expect(try store.settledVerdicts(lecture: "a") == [verdict("s", nil), verdict("t", time)])
                #expect(try store.corrections() == [correction(1, nil), correction(2, time)])
            }
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
    /// Gives exposures and notices the texts that they had before version 9, and takes away what came later. PostgreSQL
    /// takes the same.
    static let withDocuments =
        [
            "receiver_position", "located_stay", "located_until", "relocation", "subject_power", "survey_spot",
            "survey_signal", "receiver_offset", "offset_use", "receiver_night",
        ].map { "DROP TABLE \($0)" } + withoutPage + ["exposure clock", "exposure way"].map(without)
        + ["level", "label", "days", "latest", "policy", "policy_version", "clock"].map { without("notice \($0)") }
        + [
            "ALTER TABLE exposure ADD COLUMN document TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE notice ADD COLUMN content TEXT NOT NULL DEFAULT ''",
        ]

    /// Takes away what versions 15 and 16 added.
    static let withoutLectureTimes =
        ["correction", "attendance"].flatMap { table in
            ["lecture_start", "lecture_end"].map { without("\(table) \($0)") }
        } + [without("schema_version program")]

    /// Takes away what version 14 and later ones added.
    static let withoutResults =
        ["submitted_result", "submitted_picture"].map { "DROP TABLE \($0)" } + [without("report matched")]
        + withoutLectureTimes

    /// Takes away what version 13 and later ones added.
    static let withoutPage =
        [
            "report_subject_waiting", "positive_waiting", "exposure_by_end", "notice_by_change", "notice_stale",
        ].map { "DROP INDEX IF EXISTS \($0)" }
        + [
            "person", "person_subject", "person_word", "session", "sign_in", "sign_in_link", "audit",
            "report_decision", "verification_code", "uploaded_file",
            "mail", "mail_wish", "questionnaire", "floor_plan", "former_floor_plan", "floor_picture",
        ].map { "DROP TABLE \($0)" } + withoutResults

    private static func without(_ column: String) -> String {
        let words = column.split(separator: " ")
        return "ALTER TABLE \(words[0]) DROP COLUMN \(words[1])"
    }

    /// Takes away what versions 6 and 7 added.
    static let withoutTrust =
        ["report_subject_waiting", "positive_waiting"].map { "DROP INDEX \($0)" }
        + [
            "place_claim", "revoked_gateway", "withdrawal", "secret_version", "enrolment", "code_commitment",
            "phone_proof",
        ].map { "DROP TABLE \($0)" }
        + ["report_subject", "positive"].map { "ALTER TABLE \($0) DROP COLUMN pending" }
        + ["DROP INDEX place_by_named", "ALTER TABLE place DROP COLUMN named"]
}
