import OperatorText
import Publishing
import Testing

@testable import Rollout

@Suite struct DirectorySettingsTests {
    private func read(_ text: String) throws(ConfigurationError) -> DirectorySettings {
        try DirectorySettings.read(
            RolloutFile(path: "fleet.toml", text: text), path: "fleet.toml", clientID: "id",
            secrets: SecretAccess(for: []), readFile: { _ in [] }, locate: { "/dir/" + $0 })
    }

    @Test func `Everything has a default`() throws {
        let settings = try read("")
        #expect(settings.broker.preferred.description == "localhost:1883" && settings.prefix == "beacons")
        #expect(settings.stages == [.gateway, .floor, .building, .all] && settings.atOnce == 10)
        #expect(settings.trial == .seconds(300) && settings.mostFailures == 0 && settings.keyFile == nil)
    }

    @Test func `All keys are read`() throws {
        let settings = try read(
            """
            key-file = "commands.key"
            [broker]
            host = "b"
            prefix = "p"
            tls = {}
            [apply]
            stages = ["campus/main/1", "site", "all"]
            first = "campus/main/1/east"
            at-once = 3
            trial = "90s"
            most-failures = 2
            """)
        #expect(settings.keyFile == "/dir/commands.key")
        #expect(settings.broker.preferred.description == "b:8883" && settings.prefix == "p")
        #expect(settings.stages == [.place(["campus", "main", "1"]), .site, .all])
        #expect(settings.first?.description == "campus/main/1/east" && settings.atOnce == 3)
        #expect(settings.trial == .seconds(90) && settings.mostFailures == 2)
    }

    @Test(arguments: [
        ("[apply]\ntrial = \"5s\"", "apply.trial"), ("[apply]\nstages = [\"flor\"]", "apply.stages[0]"),
        ("[apply]\nstages = []", "apply.stages"), ("[apply]\nat-once = 0", "apply.at-once"),
        ("[broker]\npassword = \"x\"", "broker.password"), ("[other]", "other"),
        ("[apply]\nfirst = \"a/b\"", "apply.first"),
    ])
    func `A mistake is named with its key`(text: String, key: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.problems.contains { $0.location == key } == true, "\(error?.problems ?? [])")
    }
}
