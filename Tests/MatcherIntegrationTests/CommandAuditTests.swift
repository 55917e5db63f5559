import Glibc
import Matching
import SignIn
import TestSupport
import Testing

@testable import InteractionStore
@testable import Matcher

@Suite("The audit of what is done at the command line", .timeLimit(.minutes(10))) struct CommandAuditTests {
    private static let people = "number,name,contact,subject\n17,Anna Smith,,\(BadgeRecords.badge(1))\n18,Ben Li,,\n"

    /// A store in which two badges were together, without entries in the audit.
    private static func prepared(_ directory: TemporaryDirectory) async throws -> (InteractionStore, [String]) {
        let path = directory.path + "/s.sqlite"
        let options = ["--store", path]
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1),
        ])
        for command in [
            ["import", try directory.write("r.jsonl", lines), "--as-of", "2026-11-02T12:00:00Z"],
            ["people", "import", try directory.write("people.csv", people)],
        ] {
            let result = try await TestMatcher.run(command + options)
            #expect(result.status == 0, "\(result)")
        }
        let store = try InteractionStore.open(.sqlite(path))
        try store.removeAudit(before: .max)
        return (store, options)
    }

    /// The entries, the earliest first, as the page shows them.
    private static func entries(_ store: InteractionStore) throws -> [String] {
        try store.audit(limit: 100).reversed().map { "\($0.entry.action.rawValue): \($0.entry.object)" }
    }

    private static func exposures(_ positive: String) -> [String] {
        ["exposures", "--positive", positive, "--from", "2026-11-02", "--to", "2026-11-03"]
    }

    @Test func `What a command shows is noted with whom it shows`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        for command in [
            Self.exposures("Anna Smith"), Self.exposures(BadgeRecords.badge(2)), ["reports"],
            ["stays", BadgeRecords.badge(1)], ["people", "list", "ben"], ["sessions"],
        ] {
            let result = try await TestMatcher.run(command + options)
            #expect(result.status == 0, "\(result)")
        }
        #expect(
            try Self.entries(store) == [
                "searched people: Anna Smith", "saw exposures: 17", "saw exposures: \(BadgeRecords.badge(2))",
                "saw report: list of all reports", "saw person: \(BadgeRecords.badge(1))", "searched people: ben",
                "saw sessions: ",
            ])
    }

    @Test func `Each step of a report is noted with its id`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let filed = try await TestMatcher.run(
            ["report", BadgeRecords.badge(1), "--as-of", "2026-11-02T12:00:00Z"] + options)
        #expect(filed.status == 0, "\(filed)")
        let id = try #require(try store.reports(since: 0).first?.reference)
        for step in ["--confirm", "--withdraw"] {
            #expect(try await TestMatcher.run(["report", step, id] + options).status == 0)
        }
        // A confirmation for which nothing waited shows the report, and a second withdrawal who withdrew it.
        #expect(try await TestMatcher.run(["report", "--withdraw", id] + options).status == 64)
        #expect(
            try Self.entries(store) == [
                "saw person: \(BadgeRecords.badge(1))", "filed report: \(id)", "saw report: \(id)",
                "withdrew report: \(id)", "saw report: \(id)",
            ])
        // What is not there is not noted.
        #expect(try await TestMatcher.run(["report", "--withdraw", "unknown"] + options).status == 64)
        #expect(try Self.entries(store).count == 5)
        #expect(try store.audit(limit: 4).last?.entry.detail == "confirmed")
    }

    @Test func `A report that is refused has shown something about the person, which is noted`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let never = BadgeRecords.badge(77)
        let result = try await TestMatcher.run(["report", never, "--as-of", "2026-11-02T12:00:00Z"] + options)
        #expect(result.status != 0 && !result.errorOutput.isEmpty, "\(result)")
        #expect(try Self.entries(store) == ["saw person: \(never)"])
    }

    @Test func `A badge that was erased is not noted again`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let badge = BadgeRecords.badge(2)
        #expect(try await TestMatcher.run(["erase", badge, "--yes"] + options).status == 0)
        try store.removeAudit(before: .max)
        for command in [
            ["stays", badge], ["secret", badge], ["people", "list", " \(badge.dropFirst("badge:".count))"],
            Self.exposures(badge) + ["--unheard"],
        ] {
            _ = try await TestMatcher.run(command + options)
        }
        #expect(
            try Self.entries(store) == [
                "saw person: (erased)", "saw secret: (erased)", "searched people: (erased)",
                "saw exposures: (erased)",
            ])
    }

    @Test func `What shows badges or a secret, or changes offsets, is noted`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        _ = try directory.write("floors.toml", SurveyedFloor.plan)
        let key = try directory.write("site.key", [UInt8](1..<33))
        let config = try directory.write(
            "matcher.toml",
            """
            [store]
            location = "\(options[1])"
            [localisation]
            plan = "floors.toml"
            [signing]
            key-files = ["\(key)"]
            """)
        _ = try store.finish(night: 1, in: "campus/main", choosing: .version(["campus/main/1/east": -6.1]), now: 1000)
        for command in [
            ["survey", "list"], ["floors", "offsets", "--back", "campus/main"],
            ["floors", "offsets", "--newest", "campus/main"], ["client-id"], ["client-id", "--renew"],
            ["gateway-key", "campus/main/1/east"], ["floors", "offsets"],
        ] {
            let result = try await TestMatcher.run(command + ["--config", config])
            #expect(result.status == 0, "\(result)")
        }
        #expect(
            try Self.entries(store) == [
                "saw survey: list of all spots", "chose offsets of receivers: campus/main",
                "chose offsets of receivers: campus/main", "saw client identifier: ", "renewed client identifier: ",
                "saw key of gateway: campus/main/1/east",
            ])
    }

    @Test func `The register is noted when it is exported and changed`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let file = try directory.write("next.csv", Self.people + "19,Di,,\n")
        for command in [["export"], ["import", file], ["import", file, "--dry-run"], ["remove", "18", "--yes"]] {
            let result = try await TestMatcher.run(["people"] + command + options)
            #expect(result.status == 0, "\(result)")
        }
        let details = try store.audit(limit: 100).reversed().map {
            "\($0.entry.action.rawValue) \($0.entry.object): \($0.entry.detail)"
        }
        #expect(
            details == [
                "exported people: ", "uploaded people: list of 3, not imported yet",
                "uploaded people: imported: 1 new, 0 changed, 0 removed, 2 unchanged",
                "uploaded people: list of 3, not imported yet", "removed person 18: ",
            ])
    }

    @Test func `An erasure is noted without a name, and takes the name out of earlier entries`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let badge = BadgeRecords.badge(2)
        for command in [Self.exposures(badge), ["stays", badge], ["secret", badge], ["erase", badge, "--yes"]] {
            let result = try await TestMatcher.run(command + options)
            #expect(result.status == 0, "\(result)")
        }
        #expect(
            try Self.entries(store) == [
                "saw exposures: (erased)", "saw person: (erased)", "saw secret: (erased)", "saw person: (erased)",
                "erased data: ",
            ])
        #expect(try store.audit(limit: 2).last?.entry.detail == "what erasing would delete")
    }

    @Test func `The entry has the user of the system, also one who used sudo`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let result = try await ChildProcess.run(
            TestMatcher.program, ["reports"] + options, environment: ["SUDO_USER": "olga"])
        #expect(result.status == 0)
        let entry = try #require(try store.audit(limit: 1).first?.entry)
        #expect(entry.name == "command line, olga" && entry.subject == "uid \(getuid())")
    }

    @Test func `Without a name the user has the number`() {
        #expect(CommandAudit.account(user: nil, uid: 4711).name == "command line, 4711")
        // Nobody has the highest number: it stands for no user.
        #expect(CommandAudit.user(sudo: nil, uid: .max) == nil)
        #expect(CommandAudit.user(sudo: "", uid: .max) == nil)
    }

    @Test func `What cannot be noted is not shown and not done`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        try store.database.maintain(
            "CREATE TRIGGER refusal BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no entry'); END")
        for command in [
            ["people"], ["people", "export"], ["people", "remove", "17", "--yes"], ["stays", BadgeRecords.badge(1)],
            ["report", BadgeRecords.badge(1), "--as-of", "2026-11-02T12:00:00Z"], ["reports"],
            ["erase", BadgeRecords.badge(1), "--yes", "--json"], Self.exposures(BadgeRecords.badge(1)),
        ] {
            let result = try await TestMatcher.run(command + options)
            #expect(result.status != 0 && result.output.isEmpty, "\(result)")
            #expect(result.errorOutput.contains { $0.contains("no entry") }, "\(result)")
            if command[0] == "stays" {
                #expect(result.errorOutput.contains { $0.contains("the entry of the audit could not be stored") })
                #expect(result.errorOutput.contains { $0.contains("what to do: repeat the command") })
            }
        }
        #expect(try store.peopleCount() == 2)
        #expect(try store.reports(since: 0).isEmpty)
        #expect(try store.numbers(of: [MatcherOption.subject(BadgeRecords.badge(1))]).count == 1)
    }

    @Test func `Commands for machines note nothing`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        for command in [["gateways"], ["places"], ["codes", "count"], ["enrolment"]] {
            #expect(try await TestMatcher.run(command + options).status == 0)
        }
        #expect(try Self.entries(store) == [])
    }

    @Test func `Accounts, codes, beacons and gateways are noted when somebody decides about them`() async throws {
        let directory = try TemporaryDirectory()
        let (store, options) = try await Self.prepared(directory)
        let beacon = "\(BadgeRecords.uuid)/9/77"
        try store.begin(
            StoredSession(
                hash: "h",
                account: Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer]), created: 1, used: 1))
        for command in [
            ["sessions", "revoke", "olga"], ["enrolment", "issue", "--label", "term"], ["enrolment", "revoke", "term"],
            ["places", "accept", beacon, "campus/main/1/east"],
            ["gateways", "revoke", "campus/main/1/east"], ["gateways", "restore", "campus/main/1/east"],
        ] {
            let result = try await TestMatcher.run(command + options)
            #expect(result.status == 0, "\(result)")
        }
        #expect(try await TestMatcher.run(["sessions", "revoke", "olga"] + options).status != 0)
        #expect(
            try Self.entries(store) == [
                "ended sessions: olga", "issued enrolment codes: term", "revoked enrolment codes: term",
                "accepted place of beacon: \(beacon)", "revoked gateway: campus/main/1/east",
                "restored gateway: campus/main/1/east",
            ])
    }
}
