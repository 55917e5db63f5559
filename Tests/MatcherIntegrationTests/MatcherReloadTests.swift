import Glibc
import HTTPClient
import InteractionStore
import MatcherCore
import Matching
import SystemIO
import TestSupport
import Testing

@testable import CommandSupport
@testable import MatcherDaemon

/// SIGHUP, as `systemctl reload` sends it.
@Suite(.timeLimit(.minutes(10))) struct MatcherReloadTests {
    private static let first = String(repeating: "a", count: 32)
    private static let second = String(repeating: "b", count: 32)

    private func write(
        _ directory: TemporaryDirectory, port: UInt16, policy: String, token: String, days: Int = 14,
        further: String = ""
    ) throws -> String {
        _ = try directory.write("operator.token", token + "\n")
        return try directory.write(
            "matcher.toml",
            """
            [store]
            location = "store.sqlite"
            retention-days = \(days)
            [metrics]
            listen = "off"
            [mqtt]
            host = "127.0.0.1"
            port = \(port)
            [matching]
            policy = "\(policy)"
            [api]
            listen = "127.0.0.1:0"
            [[operators]]
            name = "desk"
            token-file = "operator.token"
            \(further)
            """)
    }

    private func status(_ port: String, _ token: String) async throws -> Int {
        try await answer(port, token, "occupancy").status
    }

    private func answer(_ port: String, _ token: String, _ resource: String) async throws -> HTTPClient.Response {
        try await TestAPI.client.send(
            HTTPClient.Request(
                "GET", "http://127.0.0.1:\(port)/v1/\(resource)",
                headers: [HTTPClient.Header("Authorization", "Bearer \(token)")]))
    }

    private static func attendance(roster: String) -> String {
        """
        [[rooms]]
        name = "101"
        beacons = ["\(TestAPI.beacon)"]
        [[rooms]]
        name = "102"
        [attendance]
        timetable-files = ["t.ics"]
        roster-file = "\(roster)"
        """
    }

    @Test func `Rooms and attendance that were added are answered for, and a roster with mistakes is refused`()
        async throws
    {
        let directory = try TemporaryDirectory()
        _ = try directory.write("t.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nEND:VCALENDAR\r\n")
        let badge = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"
        _ = try directory.write("good.csv", "course,student,subject\nPhysics,s1,\(badge)\n")
        _ = try directory.write("bad.csv", "course,student,subject\nPhysics,s1,badge:nonsense\n")
        try await TestBroker.with { broker in
            let file = try write(directory, port: broker.port, policy: "further", token: Self.first)
            let matcher = try TestMatcher(file)
            let listening = await matcher.process.errorOutput.first { $0.contains("API listening") }
            let port = String(try #require(listening?.split(separator: "port=").last?.prefix { $0.isNumber }))
            #expect(try await answer(port, Self.first, "attendance").status == 404)

            for roster in ["bad.csv", "good.csv"] {
                _ = try write(
                    directory, port: broker.port, policy: "further", token: Self.first,
                    further: Self.attendance(roster: roster))
                matcher.process.send(signal: SIGHUP)
                let line = await matcher.process.errorOutput.first { $0.contains("configuration re") }
                #expect(line?.contains("rejected") == (roster == "bad.csv"), "\(line ?? "-")")
            }
            #expect(try await answer(port, Self.first, "attendance").status == 200)
            let occupancy = try await answer(port, Self.first, "occupancy")
            #expect(String(decoding: occupancy.body, as: UTF8.self).contains(#""102""#))
            #expect(await matcher.stop() == 0)
        }
    }

    @Test func `What services do at times is done by what was read last`() async throws {
        let directory = try TemporaryDirectory()
        let old = try MatcherConfiguration.parse("", path: "m.toml", readFile: { _ in [] })
        let new = try MatcherConfiguration.parse(
            "[matching]\npolicy = \"further\"\n[[rooms]]\nname = \"101\"", path: "m.toml", readFile: { _ in [] })
        try #require(old.policy.name != new.policy.name)
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let parts = ReloadableParts(old)
        _ = try await MatcherReload(started: old, parts: parts, store: store, api: nil, load: { new }).reload()
        #expect(parts.configuration.current.rooms.map(\.name) == ["101"])
        #expect(parts.matching.current.policy.name == "further")
        #expect(parts.occupancy.current.rooms.map(\.name) == ["101"])
    }

    @Test
    func
        `A running matcher takes up what can change, refuses what is mistaken, and ends when it is told to`()
        async throws
    {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let file = try write(
                directory, port: broker.port, policy: "six-metre-five-minute", token: Self.first)
            let matcher = try TestMatcher(file)
            let listening = await matcher.process.errorOutput.first { $0.contains("API listening") }
            let port = try #require(listening?.split(separator: "port=").last?.prefix { $0.isNumber })
            #expect(try await status(String(port), Self.first) == 200)

            _ = try write(directory, port: broker.port, policy: "nonsense", token: Self.second)
            matcher.process.send(signal: SIGHUP)
            let refused = await matcher.process.errorOutput.first { $0.contains("configuration rejected") }
            #expect(refused?.contains("matching.policy") == true, "\(refused ?? "-")")
            #expect(try await status(String(port), Self.first) == 200, "nothing of it was taken up")

            _ = try write(directory, port: broker.port, policy: "further", token: Self.second, days: 20)
            matcher.process.send(signal: SIGHUP)
            let taken = await matcher.process.errorOutput.first { $0.contains("configuration reloaded") }
            #expect(taken?.contains("policy further") == true, "\(taken ?? "-")")
            #expect(taken?.contains("needs-restart=store.retention-days") == true, "\(taken ?? "-")")
            #expect(try await status(String(port), Self.first) == 401)
            #expect(try await status(String(port), Self.second) == 200)
            #expect(await matcher.stop() == 0)
        }
    }
}
