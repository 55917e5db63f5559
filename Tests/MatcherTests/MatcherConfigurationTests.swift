import InteractionStore
import JWTKit
import MQTTBridge
import Matching
import OperatorText
import TestValues
import Testing

@testable import Matcher

@Suite struct MatcherConfigurationTests {
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

    @Test func `README's example of the daemon and its API is good`() throws {
        let readme = try String(decoding: Repository.read("README.md"), as: UTF8.self)
        let blocks = readme.split(separator: "```toml\n").dropFirst().compactMap { $0.split(separator: "```").first }
        let parts = ["client-id = \"beacon-matcher\"", "[api]"].map { key in blocks.filter { $0.contains(key) } }
        #expect(parts.map(\.count) == [1, 1])
        let text = parts.flatMap { $0 }.joined(separator: "\n")
        let key = ES256PrivateKey().publicKey.pemRepresentation
        let files = [
            "operator.token": "operator-token-of-the-test", "health.pem": key, "pseudonym.key": "0123456789abcdef",
            "webhook.key": "0123456789abcdef", "credential:store": "postgresql://matcher@db.example.org/beacons",
        ]
        let configuration = try parse(text, files: files)
        #expect(configuration.store == .sqlite("/var/lib/beacon-matcher/store.sqlite"))
        #expect(configuration.filters == ["beacons/v1/mcgill/trottier/#"])
        #expect(configuration.neighbours.count == 1)
        #expect(configuration.api?.port == 8480)
        #expect(configuration.api?.operatorToken?.isEmpty == false)
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

    @Test func `README's examples have every key`() throws {
        let readme = try String(decoding: Repository.read("README.md"), as: UTF8.self)
        let start = try #require(readme.ranges(of: "## Who was exposed").first)
        let blocks = readme[start.lowerBound...].split(separator: "```toml\n").dropFirst()
        let lines = blocks.compactMap { $0.split(separator: "```").first }.joined().split(separator: "\n")
        let keys = lines.compactMap { line in
            line.trimmingPrefix("# ").split(separator: " = ").first.map(String.init)
        }
        for key in [
            "location", "location-file", "retention-days", "client-id", "places", "share", "in-flight",
            "session-expiry",
            "policy", "policy-files", "distance", "listen", "requests-per-minute", "behind-proxy",
            "operator-token-file",
            "issuer", "key-file", "key-id", "audience", "pseudonym-key-file", "webhook", "webhook-key-file", "kinds",
            "name", "radius", "capacity", "timetable-files", "roster-file", "time-zone", "late-after", "early-before",
            "least-dwell", "gap", "look-ahead", "course", "unknown-distance",
        ] {
            #expect(keys.contains(key), "\(key) is in no example")
        }
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
        "What is wrong is said with what is allowed",
        arguments: [
            ("[store]\nretention-days = 0", "store.retention-days: found 0; must be from 1 to 365"),
            (
                "[store]\nlocation = \"\"",
                "store.location: found \"\"; must be the path of a file, or a connection string"
            ),
            ("[store]\nlocation = \"a\"\nlocation-file = \"/f\"", "store.location-file: is there beside location"),
            ("[store]\nlocation-file = \"/none\"", "store.location-file: open /none: No such file or directory"),
            ("[mqtt]\nclient-id = \"a b\"", "mqtt.client-id: found \"a b\"; must be 1 to 64 of"),
            ("[mqtt]\nplaces = [\"a/b/c/d/e\"]", "mqtt.places[0]: found \"a/b/c/d/e\"; must be SITE"),
            ("[mqtt]\nplaces = [\"a/b\", \"a/+/c\"]", "mqtt.places[1]: has gateways that one before it has"),
            (
                "[store]\nlocation = \"/s\"\n[mqtt]\nshare = \"all\"",
                "mqtt.share: is there, but the store is an SQLite file"
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
                "matcher: is not known; the keys here are api, attendance"
            ),
        ])
    func wrong(text: String, problem: String) {
        let problems = problems(text, files: ["/f": "x", "/bad": "version = \"1\""])
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }
}
