import Glibc
import HTTPClient
import SystemIO
import TestSupport
import Testing

@testable import Matcher

/// SIGHUP, as `systemctl reload` sends it.
@Suite(.timeLimit(.minutes(1))) struct MatcherReloadTests {
    private static let first = String(repeating: "a", count: 32)
    private static let second = String(repeating: "b", count: 32)

    private func write(
        _ directory: TemporaryDirectory, port: UInt16, policy: String, token: String, days: Int = 14
    ) throws -> String {
        _ = try directory.write("operator.token", token + "\n")
        return try directory.write(
            "matcher.toml",
            """
            [store]
            location = "store.sqlite"
            retention-days = \(days)
            [mqtt]
            host = "127.0.0.1"
            port = \(port)
            [matching]
            policy = "\(policy)"
            [api]
            listen = "127.0.0.1:0"
            operator-token-file = "operator.token"
            """)
    }

    private func status(_ port: String, _ token: String) async throws -> Int {
        try await TestAPI.client.send(
            HTTPClient.Request(
                "GET", "http://127.0.0.1:\(port)/v1/occupancy",
                headers: [HTTPClient.Header("Authorization", "Bearer \(token)")])
        ).status
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
            let listening = await matcher.process.errorOutput.first { $0.contains("the API listens") }
            let port = try #require(listening?.split(separator: "port=").last?.prefix { $0.isNumber })
            #expect(try await status(String(port), Self.first) == 200)

            _ = try write(directory, port: broker.port, policy: "nonsense", token: Self.second)
            matcher.process.send(signal: SIGHUP)
            let refused = await matcher.process.errorOutput.first { $0.contains("configuration refused") }
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
