import Testing

@testable import GatewayCore

@Suite struct ConfigurationChangeTests {
    private static func parse(_ more: String = "") throws -> Configuration {
        let text = more.contains("[place]") ? more : ConfigurationTests.minimal + "\n" + more
        return try Configuration.parse(text, path: "gateway.toml") { _ in Array("secret\n".utf8) }
    }

    @Test(
        "The same configuration needs no restart, nor do modules and limits of commands that a gateway takes up"
    )
    func none() throws {
        let old = try Self.parse()
        #expect(ConfigurationChange(from: old, to: try Self.parse()).needsRestart == [])
        let module = """
            [commands]
            per-minute = 20
            [[modules]]
            name = "door"
            module = "any"
            uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            major = 1
            minor = 1
            """
        #expect(ConfigurationChange(from: old, to: try Self.parse(module)).needsRestart == [])
    }

    @Test("Signals are switched without a restart")
    func signals() throws {
        let change = ConfigurationChange(from: try Self.parse(), to: try Self.parse("[signals]\nenabled = true"))
        #expect(change.needsRestart == [])
    }

    @Test(
        "What a running gateway can't take up is named",
        arguments: [
            ("[mqtt]\nport = 1884", ["mqtt"]), ("[outbox]\nmax-size = \"1MB\"", ["outbox"]),
            ("[radio]\nadapter = \"hci1\"", ["radio"]),
            ("[interactions]\nsilence = \"20s\"", ["interactions"]),
            ("[readings]\ninterval = \"30s\"", ["readings"]), ("[readings]\nenabled = false", ["readings"]),
            ("[distance]\nexponent = 3", ["distance"]), ("[state]\ndirectory = \"/srv/bg\"", ["state"]),
            ("[metrics]\nlisten = \"off\"", ["metrics"]),
            ("[homie]", ["home-assistant, mqtt-room, homie, raddec"]),
            (
                "[mqtt]\nusername = \"gw\"\npassword-file = \"/p\"\n[radio]\npath = \"raw\"",
                ["mqtt", "radio"]
            ),
        ])
    func restart(tables: String, expected: [String]) throws {
        #expect(
            ConfigurationChange(from: try Self.parse(), to: try Self.parse(tables)).needsRestart
                == expected)
    }

    @Test("A place that moved needs a restart")
    func place() throws {
        let moved =
            ConfigurationTests.minimal.replacing("gw-3a", with: "gw-3b")
            + "\n[mqtt]\nprefix = \"beacons\"\n"
        let change = ConfigurationChange(from: try Self.parse(), to: try Self.parse(moved))
        // The session's name has the place in it.
        #expect(change.needsRestart == ["place", "mqtt"])
    }
}
