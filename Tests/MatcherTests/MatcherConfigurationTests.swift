import HTTPServing
import InteractionStore
import JWTKit
import MatcherCore
import Matching
import TestValues
import Testing

@testable import MatcherDaemon
@testable import OperatorText
@testable import Publishing

@Suite struct MatcherConfigurationTests {
    /// The files that the guide's examples name.
    private static let exampleFiles = [
        "desk.token": "operator-token-of-the-test", "health.pem": ES256PrivateKey().publicKey.pemRepresentation,
        "pseudonym.key": "0123456789abcdef", "webhook.key": "0123456789abcdef", "site.key": "0123456789abcdef",
        "credential:store": "postgresql://matcher@db.example.org/beacons",
    ]

    private func parse(_ text: String, files: [String: String] = [:]) throws(ConfigurationError) -> MatcherConfiguration
    {
        try MatcherConfiguration.parse(text, path: "m.toml") { path in
            guard let text = files[path] else { throw StoreError("open \(path): No such file or directory") }
            return Array(text.utf8)
        }
    }

    private func problems(_ text: String, files: [String: String] = [:]) -> [String] {
        do throws(ConfigurationError) {
            _ = try parse(text, files: files)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `Without any key there is a matcher of everything on this machine`() throws {
        let configuration = try parse("")
        #expect(configuration.store == .sqlite("/var/lib/beacon-matcher/store.sqlite"))
        #expect(configuration.retention == 14)
        #expect(configuration.broker.clientID == "beacon-matcher")
        #expect(configuration.broker.sessionExpiry == .seconds(14 * 86_400))
        #expect(configuration.broker.inFlight == 2000)
        #expect(configuration.filters == ["beacons/v1/#"])
        #expect(configuration.policy.name == "six-metre-five-minute")
        #expect(configuration.policies.count == 5)
    }

    @Test func `The guide's example of the daemon and its API is good`() throws {
        let guide = try String(decoding: Repository.read("docs/guide/matcher/install.md"), as: UTF8.self)
        let blocks = guide.split(separator: "```toml\n").dropFirst().compactMap { $0.split(separator: "```").first }
        let parts = ["client-id = \"beacon-matcher\"", "[api]"].map { key in blocks.filter { $0.contains(key) } }
        #expect(parts.map(\.count) == [1, 1])
        let text = parts.flatMap { $0 }.joined(separator: "\n")
        let files = Self.exampleFiles
        let configuration = try parse(text, files: files)
        #expect(configuration.store == .sqlite("/var/lib/beacon-matcher/store.sqlite"))
        #expect(configuration.filters == ["beacons/v1/mcgill/trottier/#"])
        #expect(configuration.neighbours.count == 1)
        #expect(configuration.api?.address == .host("127.0.0.1", port: 8480))
        #expect(configuration.operators.map(\.name) == ["desk"])
        #expect(configuration.reports.authorities.map(\.issuer) == ["https://health.example"])
        #expect(configuration.notices.webhook == "https://example.org/exposures")
        #expect(configuration.occupancyKinds == ["badge"])
        // What is there as a comment is good too.
        let whole = text.replacing("location = ", with: "# location = ").replacing("# share", with: "share")
            .replacing("# location-file", with: "location-file")
        let shared = try parse(whole, files: files)
        #expect(shared.share == "matchers")
        guard case .postgreSQL = shared.store else {
            Issue.record("the store is \(shared.store)")
            return
        }
    }

    @Test func `What the guide's examples call a default is the default`() throws {
        let pages = try ["install", "attendance"].map {
            try String(decoding: Repository.read("docs/guide/matcher/\($0).md"), as: UTF8.self)
        }
        let blocks: [String] = pages.flatMap { page in
            page.split(separator: "```toml\n").dropFirst().map { String($0.split(separator: "```")[0]) }
        }
        // The second block of the attendance page goes on with the table of the first.
        var text = blocks.dropLast(2).joined(separator: "\n")
        text += try #require(blocks.last) + "timetable-files = [\"t.ics\"]\nroster-file = \"r.csv\"\n"
        let lines = text.split(separator: "\n")
        let whole = try described(lines)
        let defaults = lines.indices.filter { lines[$0].contains(/# default([;,]|$)/) }
        #expect(defaults.count > 15)
        for index in defaults {
            var others = lines
            others.remove(at: index)
            #expect(try described(others) == whole, "\(lines[index])")
        }
    }

    /// Everything that a configuration consists of, without addresses in memory.
    ///
    /// - Returns: its lines in alphabetical order, because sets have no order of their own.
    private func described(_ lines: [Substring]) throws -> [Substring] {
        var text = ""
        dump(try parse(lines.joined(separator: "\n"), files: Self.exampleFiles), to: &text)
        return text.replacing(/0x[0-9a-f]+/, with: "").split(separator: "\n").sorted()
    }

    @Test func `The guide's examples have every key`() throws {
        let pages = try ["install", "attendance"].map {
            try String(decoding: Repository.read("docs/guide/matcher/\($0).md"), as: UTF8.self)
        }
        let blocks = pages.flatMap { $0.split(separator: "```toml\n").dropFirst() }
        let lines = blocks.compactMap { $0.split(separator: "```").first }.joined().split(separator: "\n")
        let keys = lines.compactMap { line in
            line.trimmingPrefix("# ").split(separator: " = ").first.map(String.init)
        }
        for key in [
            "location", "location-file", "retention-days", "client-id", "places", "share", "in-flight",
            "session-expiry",
            "policy", "policy-files", "distance", "listen", "requests-per-minute", "behind-proxy",
            "token-file", "daily-quota", "enrolment", "upload-within", "proof-uuid", "unproven-stays", "tell",
            "issuer", "key-file", "key-id", "audience", "pseudonym-key-files", "webhook", "webhook-key-file", "kinds",
            "name", "radius", "capacity", "timetable-files", "roster-file", "time-zone", "late-after", "early-before",
            "least-dwell", "gap", "look-ahead", "course", "unknown-distance",
        ] {
            #expect(keys.contains(key), "\(key) is in no example")
        }
    }

    @Test func `A command opens only the secrets that it needs`() throws {
        let text = """
            [store]
            location-file = "credential:store"
            [mqtt]
            username = "matcher"
            password-file = "credential:mqtt"
            [api]
            listen = "127.0.0.1:8480"
            [[operators]]
            name = "desk"
            token-file = "credential:token"
            """
        let files = SecretAccess(for: [.store], hasCredentials: false)
        let error = #expect(throws: ConfigurationError.self) {
            _ = try MatcherConfiguration.parse(text, path: "m.toml", secrets: files, readFile: { _ in [] })
        }
        #expect(error?.problems.map(\.location) == ["store.location-file"])
        #expect(error?.problems.first?.allowed.contains("LoadCredential=store:FILE") == true)
        let none = try MatcherConfiguration.parse(
            text, path: "m.toml", secrets: SecretAccess(for: [], hasCredentials: false),
            readFile: { path in throw StoreError("opened \(path)") })
        #expect(none.api != nil)
        let check = SecretAccess(hasCredentials: false, isTolerant: true)
        _ = try MatcherConfiguration.parse(text, path: "m.toml", secrets: check, readFile: { _ in [] })
        #expect(
            Set(check.withheld.map(\.location)) == [
                "store.location-file", "mqtt.password-file", "operators[0].token-file",
            ])
    }

    @Test func `A running matcher takes up what it can, and what it can't is named`() throws {
        let files = [
            "/token": String(repeating: "a", count: 32), "/other": String(repeating: "b", count: 32),
        ]
        let old = try parse(
            """
            [api]
            listen = "127.0.0.1:8480"
            [[operators]]
            name = "desk"
            token-file = "/token"
            """, files: files)
        let new = try parse(
            """
            [store]
            location = "/srv/other.sqlite"
            retention-days = 20
            [mqtt]
            port = 1884
            [matching]
            policy = "further"
            [api]
            listen = "127.0.0.1:8480"
            [[operators]]
            name = "desk"
            token-file = "/other"
            [reports]
            audience = "campus"
            retention-days = 30
            [occupancy]
            kinds = ["badge"]
            [[rooms]]
            name = "101"
            [site]
            time-zone = "America/Montreal"
            """, files: files)
        let merged = old.takingUp(new)
        #expect(merged.days.name == "America/Montreal")
        #expect(merged.policy.days.name == "America/Montreal")
        #expect(merged.policy.name == "further")
        #expect(merged.rooms.map(\.name) == ["101"])
        #expect(merged.occupancyKinds == ["badge"])
        #expect(merged.reports.audience == "campus")
        #expect(merged.operators.map(\.token) == [Array(String(repeating: "b", count: 32).utf8)])
        #expect(merged.store == old.store)
        #expect(merged.retention == old.retention)
        #expect(merged.broker == old.broker)
        #expect(
            old.needsRestart(to: new) == [
                "store.location", "store.retention-days", "mqtt", "reports.retention-days",
            ])
        #expect(old.needsRestart(to: old) == [])
        #expect(old.needsRestart(to: try parse("")) == ["api"])
    }

    @Test func `What an attacker would like is warned of`() throws {
        func keys(_ text: String) throws -> [String] { try parse(text).warnings.map(\.key) }
        #expect(try keys("[api]\nlisten = \"127.0.0.1:8480\"") == [])
        #expect(try keys("[api]\nlisten = \"0.0.0.0:8480\"") == ["api.listen"])
        #expect(try keys("[api]\nlisten = \"unix:/run/api.sock\"") == ["api.behind-proxy"])
        #expect(try keys("[api]\nlisten = \"unix:/run/api.sock\"\nbehind-proxy = true") == [])
        #expect(
            try keys(
                "[api]\nlisten = \"[::]:8480\"\n[phones]\nenrolment = \"open\"\nunproven-stays = true\ntell = \"at-once\"\n"
                    + "[mqtt]\nhost = \"db\"") == [
                    "mqtt", "mqtt", "signing", "api.listen", "phones.enrolment", "phones.unproven-stays", "phones.tell",
                ])
        #expect(try keys("[phones]\nenrolment = \"open\"") == [])
    }

    @Test func `Every path begins at the configuration`() throws {
        var opened: [String] = []
        let configuration = try MatcherConfiguration.parse(
            """
            [store]
            location = "store.sqlite"
            [mqtt]
            username = "matcher"
            password-file = "password"
            [mqtt.tls]
            ca-file = "ca.pem"
            [matching]
            policy-files = ["own.toml"]
            [api]
            listen = "127.0.0.1:8480"
            [[operators]]
            name = "desk"
            token-file = "token"
            [reports]
            pseudonym-key-files = ["pseudonyms"]
            [notices]
            webhook = "https://example.org/"
            webhook-key-file = "webhook"
            [attendance]
            timetable-files = ["timetable.ics", "/srv/other.ics"]
            roster-file = "roster.csv"
            """, path: "/etc/m/matcher.toml"
        ) { path in
            opened.append(path)
            let policy = Policy.shippedText("further")?.replacing("name = \"further\"", with: "name = \"own\"") ?? ""
            return path.hasSuffix(".toml") ? Array(policy.utf8) : Array(String(repeating: "x", count: 32).utf8)
        }
        #expect(opened.count == 6 && opened.allSatisfy { $0.hasPrefix("/etc/m/") }, "\(opened)")
        #expect(configuration.store == .sqlite("/etc/m/store.sqlite"))
        #expect(configuration.attendance?.timetableFiles == ["/etc/m/timetable.ics", "/srv/other.ics"])
        #expect(configuration.attendance?.rosterFile == "/etc/m/roster.csv")
        let remote = try MatcherConfiguration.parse(
            "[store]\nlocation = \"postgresql://db/x\"", path: "/etc/m/matcher.toml", readFile: { _ in [] })
        #expect(remote.store == .postgreSQL("postgresql://db/x"))
    }

    @Test func `What is given is taken`() throws {
        let configuration = try parse(
            """
            [store]
            location-file = "/run/store"
            retention-days = 30
            [mqtt]
            prefix = "radio"
            client-id = "Matcher_2"
            places = ["campus/main", "campus/+/2"]
            share = "all"
            in-flight = 500
            session-expiry = "1h"
            [matching]
            policy = "own"
            policy-files = ["/own.toml"]
            [[neighbours]]
            places = ["E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/1", "campus/main/1/east"]
            distance = "4.5m"
            """.replacing("\"campus/+/2\"", with: "\"other/+/2\""),
            files: [
                "/run/store": "postgresql://matcher:secret@db.example.org/beacons\n",
                "/own.toml": Policy.shippedText("further")?.replacing("name = \"further\"", with: "name = \"own\"")
                    ?? "",
            ])
        #expect(configuration.store == .postgreSQL("postgresql://matcher:secret@db.example.org/beacons"))
        #expect("\(configuration.store)" == "PostgreSQL at db.example.org/beacons")
        #expect(configuration.retention == 30)
        #expect(configuration.filters == ["radio/v1/campus/main/#", "radio/v1/other/+/2/#"])
        #expect(configuration.share == "all")
        #expect(configuration.broker.inFlight == 500)
        #expect(configuration.broker.sessionExpiry == .seconds(3600))
        #expect(configuration.policy.name == "own")
        #expect(
            configuration.neighbours == [
                .init(places: ["e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1", "campus/main/1/east"], centimetres: 450)
            ])
    }

    @Test(
        "What is no location isn't quoted, because there may be a password in it",
        arguments: ["pgsql://m:sesame@db/x", "HOST=db PASSWORD=sesame", " postgresql://m:sesame@db/x"])
    func unreadableLocation(text: String) {
        let said =
            problems("[store]\nlocation = \"\(text)\"")
            + problems(
                "[store]\nlocation-file = \"/f\"", files: ["/f": text + "\n"])
        #expect(
            said.map { $0.prefix { $0 != ";" } } == [
                "store.location: is neither a path nor a valid connection string",
                "store.location-file: /f has neither a path nor a valid connection string",
            ])
    }

    @Test(
        "What is wrong is said with what is allowed",
        arguments: [
            ("[store]\nretention-days = 0", "store.retention-days: found 0; must be from 1 to 365"),
            (
                "[store]\nlocation = \"\"",
                "store.location: found \"\"; must be the path of a file, or a connection string"
            ),
            (
                "[store]\nlocation = \"a\"\nlocation-file = \"/f\"",
                "store.location-file: is given together with location"
            ),
            ("[store]\nlocation-file = \"/none\"", "store.location-file: open /none: No such file or directory"),
            ("[mqtt]\nclient-id = \"a b\"", "mqtt.client-id: found \"a b\"; must be 1 to 64 characters of"),
            ("[mqtt]\nplaces = [\"a/b/c/d/e\"]", "mqtt.places[0]: found \"a/b/c/d/e\"; must be SITE"),
            ("[mqtt]\nplaces = [\"a/b\", \"a/+/c\"]", "mqtt.places[1]: overlaps an earlier entry"),
            (
                "[store]\nlocation = \"/s\"\n[mqtt]\nshare = \"all\"",
                "mqtt.share: is set, but the store is an SQLite file"
            ),
            ("[mqtt]\nsession-expiry = \"0s\"", "mqtt.session-expiry: is 0; must be longer"),
            ("[mqtt]\nplaces = []", "mqtt.places: has 0 entries; must have 1 to 64"),
            (
                "[matching]\npolicy = \"none\"",
                "matching.policy: found \"none\"; must be one of cwa-1.15, en-v2, further"
            ),
            ("[matching]\npolicy-files = [\"/bad\"]", "name: is missing; must be 1 to 64 of"),
            (
                "[[neighbours]]\nplaces = [\"a\"]\ndistance = \"4m\"",
                "neighbours[0].places: names 1; must name two different places"
            ),
            ("[[neighbours]]\nplaces = [\"a\", \"b\"]", "neighbours[0].distance: is missing"),
            ("[[neighbours]]\nplaces = [\"a\", \"b\"]\ndistance = 4", "neighbours[0].distance: found a whole number"),
            (
                "[matcher]",
                "matcher: is unknown; the keys of this table are api, attendance"
            ),
        ])
    func wrong(text: String, problem: String) {
        let problems = problems(text, files: ["/f": "x", "/bad": "version = \"1\""])
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }
}
