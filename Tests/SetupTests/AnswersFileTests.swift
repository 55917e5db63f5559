import OperatorText
import Testing

@testable import Setup

@Suite("Answers file") struct AnswersFileTests {
    private func parse(_ text: String) throws -> AnswersFile {
        try AnswersFile.parse(text, path: "a.toml", keys: GatewaySetup.keys, tests: ["broker", "radio"])
    }

    @Test func `Strings, numbers, truth values and lists are answers`() throws {
        let file = try parse(
            """
            keep-anyway = ["radio"]
            [place]
            site = "campus"
            [mqtt]
            port = 8883
            tls = true
            ca-file = ""
            [beacons]
            uuids = ["a", "b"]
            """)
        #expect(
            file.answers == [
                "place.site": "campus", "mqtt.port": "8883", "mqtt.tls": "yes", "mqtt.ca-file": "none",
                "beacons.uuids": "a, b",
            ])
        #expect(file.keepAnyway == ["radio"])
    }

    @Test func `An unknown key, a wrong type and an unknown test are reported together, with their lines`() {
        let error = #expect(throws: ConfigurationError.self) {
            try parse("keep-anyway = [\"luck\"]\n[place]\nsite = 1.5\nstreet = \"x\"\n")
        }
        let lines = error?.problems.map { $0.line(in: "a.toml") } ?? []
        #expect(lines.count == 3)
        #expect(lines.contains { $0.hasPrefix("a.toml:1:1: keep-anyway: found \"luck\"") })
        #expect(lines.contains { $0.hasPrefix("a.toml:3:1: place.site: found a decimal number") })
        #expect(lines.contains { $0.hasPrefix("a.toml:4:1: place.street: is unknown; the keys are place.site") })
    }

    @Test func `What is not TOML is reported with its position`() {
        let error = #expect(throws: ConfigurationError.self) { try parse("[place\n") }
        #expect(error?.problems.first?.position?.line == 1)
    }
}
