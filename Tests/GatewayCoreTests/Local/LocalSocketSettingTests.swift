import OperatorText
import Testing

@testable import GatewayCore

@Suite("Where the local socket is") struct LocalSocketSettingTests {
    private func read(_ text: String) throws -> LocalSocketSetting {
        try Configuration.parse(
            """
            \(text)
            [place]
            site = "s"
            building = "b"
            floor = "1"
            gateway = "g"
            [mqtt]
            host = "127.0.0.1"
            [beacons]
            uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
            """, path: "/etc/beacon-gateway/gateway.toml", readFile: { _ in [] }
        ).localSocket
    }

    @Test func `Without a setting it is in the runtime directory, or else in the state directory`() throws {
        let setting = try read("")
        #expect(setting == .automatic)
        #expect(
            setting.paths(stateDirectory: "/var/lib/g") == [
                "/run/beacon-gateway/control.sock", "/var/lib/g/control.sock",
            ])
    }

    @Test func `A path is that of the socket, beside the configuration if it does not begin at the root`() throws {
        #expect(try read(#"local-socket = "/run/g.sock""#) == .path("/run/g.sock"))
        #expect(try read(#"local-socket = "g.sock""#).paths(stateDirectory: "/x") == ["/etc/beacon-gateway/g.sock"])
    }

    @Test func `It can be off`() throws {
        #expect(try read(#"local-socket = "off""#).paths(stateDirectory: "/x") == [])
    }

    @Test(arguments: ["", "/run/", "credential:socket", "/" + String(repeating: "a", count: 103)])
    func `Anything else is refused`(path: String) {
        #expect(throws: ConfigurationError.self) { try read("local-socket = \"\(path)\"") }
    }
}
