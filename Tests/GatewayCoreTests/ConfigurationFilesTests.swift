import BeaconModel
import SystemIO
import Testing

@testable import GatewayCore
@testable import ModuleDialogues
@testable import OperatorText
@testable import Publishing

// Files that a configuration names.
extension ConfigurationTests {
    private static let inventory = """
        name,module,uuid,major,minor
        door,any,00000000-0000-0000-0000-000000000001,3,1
        """

    private func parse(
        path: String, inventory: String, files: [String: String], more: String = ""
    ) throws -> Configuration {
        try Configuration.parse("inventory = \"\(inventory)\"\n" + Self.minimal + more, path: path) { name in
            guard let contents = files[name] else { throw SystemError("open \(name)", errorNumber: 2) }
            return Array(contents.utf8)
        }
    }

    @Test(
        "An inventory of a file is found beside the configuration, and its UUIDs are listed",
        arguments: [
            ("gateway.toml", "floor.csv", "floor.csv"), ("/etc/b/gateway.toml", "floor.csv", "/etc/b/floor.csv"),
            ("b/gateway.toml", "../floor.csv", "b/../floor.csv"), ("/etc/gateway.toml", "/floor.csv", "/floor.csv"),
        ])
    func inventory(path: String, inventory: String, file: String) throws {
        let configuration = try parse(path: path, inventory: inventory, files: [file: Self.inventory])
        #expect(configuration.inventory.entries.map(\.name) == ["door"])
        #expect(configuration.listedUUIDs.contains(ProximityUUID(bits: 1)))
    }

    @Test("Every path in a configuration begins at the configuration")
    func relativePaths() throws {
        var opened: [String] = []
        let configuration = try Configuration.parse(
            """
            inventory = "floor.csv"
            \(Self.minimal)
            [place.beacon]
            uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            major = 3
            minor = 2
            [mqtt]
            username = "gw"
            password-file = "secrets/password"
            [mqtt.tls]
            ca-file = "ca.pem"
            certificate-file = "gw.pem"
            key-file = "gw.key"
            [phones]
            pseudonym-key-file = "pseudonym-key"
            [exchange]
            apps = ["c19x"]
            own-id-file = "contact-code"
            [distance]
            calibration = "calibration.toml"
            [rs9116]
            profile = "module.profile"
            [state]
            directory = "state"
            """, path: "/etc/b/gateway.toml"
        ) { name in
            opened.append(name)
            switch name {
            case "/etc/b/floor.csv": return Array(Self.inventory.utf8)
            case "/etc/b/module.profile":
                return Array(
                    "# beacon-gateway module profile 1\nfirmware = '1'\ndate = '2020-11-15T12:00:00.000Z'\n\n[settled]\n"
                        .utf8)
            case "/etc/b/pseudonym-key": return Array(repeating: 7, count: 32)
            case "/etc/b/calibration.toml": return []
            default: return Array("secret\n".utf8)
            }
        }
        #expect(opened.allSatisfy { $0.hasPrefix("/etc/b/") }, "\(opened)")
        #expect(opened.count == 8, "\(opened)")
        #expect(configuration.inventoryFile == "/etc/b/floor.csv")
        #expect(configuration.stateDirectory == "/etc/b/state")
        #expect(configuration.exchange.ownCodeFile == "/etc/b/contact-code")
        #expect(configuration.broker.tls?.authority == .file("/etc/b/ca.pem"))
        #expect(configuration.broker.tls?.certificate == "/etc/b/gw.pem")
        #expect(configuration.broker.tls?.key == "/etc/b/gw.key")
    }

    @Test("What is wrong in an inventory is said with that file's name, together with everything else")
    func wrongInventory() {
        let wrong = Self.inventory.replacing("3,1", with: "65536,x")
        let error = #expect(throws: ConfigurationError.self) {
            _ = try parse(
                path: "/etc/gateway.toml", inventory: "floor.csv", files: ["/etc/floor.csv": wrong],
                more: "\n[mqtt]\nport = 0\n")
        }
        #expect(
            error?.what == """
                /etc/gateway.toml and /etc/floor.csv have 3 problems
                  /etc/gateway.toml:10:1: mqtt.port: found 0; must be from 1 to 65535
                  /etc/floor.csv: row 2 (door), column major: found 65536; must be from 0 to 65535
                  /etc/floor.csv: row 2 (door), column minor: found "x"; must be a whole number from 0 to 65535
                """)
    }

    @Test("An inventory that isn't there, and one beside [[modules]], are errors")
    func inventoryErrors() {
        let missing = #expect(throws: ConfigurationError.self) {
            _ = try parse(path: "gateway.toml", inventory: "floor.csv", files: [:])
        }
        #expect(
            missing?.problems.map(\.description) == [
                "inventory: cannot open floor.csv: No such file or directory (errno 2); "
                    + "must be a file of at most 1048576 bytes that this user can read"
            ])
        let module = """

            [[modules]]
            name = "window"
            module = "any"
            uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            major = 1
            minor = 1
            """
        let both = #expect(throws: ConfigurationError.self) {
            _ = try parse(
                path: "gateway.toml", inventory: "floor.csv", files: ["floor.csv": Self.inventory], more: module)
        }
        #expect(both?.problems.count == 1)
        #expect(both?.problems.first?.description.hasPrefix("inventory: is given together with [[modules]]; ") == true)
    }

    @Test("A secret comes from its file, without the line end")
    func secret() throws {
        let text = Self.minimal + "\n[mqtt]\nusername = \"u\"\npassword-file = \"/p\"\n"
        #expect(try parse(text, files: ["/p": Array("pass word\r\n".utf8)]).broker.password == "pass word")
        #expect(
            problems(text).first
                == "mqtt.password-file: cannot open /p: No such file or directory (errno 2); must be a file that this user can read"
        )
    }

    @Test("A key for pseudonyms needs 16 bytes, and the gateway a beacon of its own")
    func pseudonymKey() throws {
        let text = Self.minimal + "\n[phones]\npseudonym-key-file = \"/k\"\n"
        let found = problems(text, files: ["/k": Array("short".utf8)])
        #expect(found.contains { $0.hasPrefix("place.beacon: is missing") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("phones.pseudonym-key-file: /k has 5 bytes") }, "\(found)")
    }
}
